import { z } from "zod";
import { addConnector, removeConnector, renameConnector } from "../../activities/outbound/connector-registry.js";
import { connectors } from "../../src/outbound/connector-registry/queries.js";
import { Connector, ConnectorEdit, NewConnector } from "../../src/outbound/connector-registry/shapes.js";
import { ConnectorInUse, ConnectorNotFound, DuplicateConnectorId } from "../../src/outbound/problems.js";
import * as field from "../../src/platform/fields/index.js";
import { wholeList } from "../../src/platform/list.js";
import { page, route } from "../http/route.js";

/** The registry of connectors: docs/interface.md, Consumer groups. */

const params = z.strictObject({ connector_id: field.Connector });

export const listConnectors = route("get /api/admin/connector-registry", {
  for: page("consumer-groups"),
  summary: "The connectors of the registry that the caller may use, by id",
  query: z.object(wholeList(Connector)),
  answers: {
    200: z.strictObject({ connectors: z.array(Connector).describe("The connectors, each with what is known of it.") }),
  },
  run: async ({ by }) => ({ connectors: await connectors(by) }),
});

export const createConnector = route("post /api/admin/connector-registry", {
  for: page("consumer-groups"),
  summary: "Adds a connector, which may then own consumer groups, webhooks and tokens",
  body: NewConnector,
  answers: { 201: Connector },
  errors: [DuplicateConnectorId],
  run: ({ body, by }) => addConnector(body, by),
});

export const updateConnector = route("patch /api/admin/connector-registry/:connector_id", {
  for: page("consumer-groups"),
  summary: "Changes the display name of a connector",
  params,
  body: ConnectorEdit,
  answers: { 200: Connector },
  errors: [ConnectorNotFound],
  run: ({ params, body, by }) => renameConnector({ ...params, ...body }, by),
});

export const deleteConnector = route("delete /api/admin/connector-registry/:connector_id", {
  for: page("consumer-groups"),
  summary: "Deletes a connector that owns nothing",
  params,
  answers: { 200: z.strictObject({ connector_id: field.Connector, deleted: field.Deleted }) },
  errors: [ConnectorNotFound, ConnectorInUse],
  run: ({ params, by }) => removeConnector(params.connector_id, by),
});
