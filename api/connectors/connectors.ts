import { z } from "zod";
import { UnknownConnector } from "../../src/connectors/problems.js";
import { connectors, installed } from "../../src/connectors/registry.js";
import { ConnectorDescription, ConnectorName, describeConnector } from "../../src/connectors/shapes.js";
import { wholeList } from "../../src/platform/list.js";
import { page, route } from "../http/route.js";

/** Connectors: docs/interface.md, Connectors. The connector registry of `api/outbound/` is something else. */

export const listFrameworkConnectors = route("get /api/admin/connectors", {
  for: page("integrations"),
  summary: "The connectors, what each has to be told, and what it can do",
  query: z.object(wholeList(ConnectorDescription)),
  answers: {
    200: z.strictObject({
      connectors: z.array(ConnectorDescription).describe("The connectors, each with what is known of it."),
    }),
  },
  run: async () => ({ connectors: connectors().map(describeConnector) }),
});

export const getConnectorConfigSchema = route("get /api/admin/connectors/:name/config-schema", {
  for: page("integrations"),
  summary: "What a connector has to be told, and what it can do",
  params: z.strictObject({ name: ConnectorName.describe("Name of the connector.") }),
  answers: { 200: ConnectorDescription },
  errors: [UnknownConnector],
  run: async ({ params: { name } }) => describeConnector(installed(name)),
});
