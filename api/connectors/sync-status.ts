import { z } from "zod";
import { ConnectorName } from "../../src/connectors/shapes.js";
import { syncStates } from "../../src/connectors/sync-queries.js";
import { SyncState } from "../../src/connectors/sync-shapes.js";
import * as field from "../../src/platform/fields/index.js";
import { WorkflowsUrl } from "../../src/platform/fields.js";
import { workflowsUrl } from "../http/options.js";
import { page, route } from "../http/route.js";
import { connectorProblems, namedConnector } from "./named.js";

/** The status of a connector's syncs: docs/interface.md, Connectors. */
export const getConnectorSyncStatus = route("get /api/admin/connectors/:name/sync-status", {
  for: page("integrations"),
  summary: "How the last sync of each type went, and whether one is under way",
  params: z.strictObject({ name: ConnectorName.describe("Name of the connector.") }),
  query: z.strictObject({ warehouse_id: field.WarehouseIdParam }),
  answers: {
    200: z.strictObject({
      connector: ConnectorName.describe("The connector, by its name."),
      warehouse_id: field.WarehouseId,
      sync_states: z.array(SyncState).describe("The sync types, each with how it stands."),
      workflows_url: WorkflowsUrl,
    }),
  },
  errors: connectorProblems,
  run: async ({ params: { name }, query: { warehouse_id }, by, options }) => {
    await namedConnector(name, warehouse_id, by);
    const sync_states = await syncStates(name, warehouse_id);
    return { connector: name, warehouse_id, sync_states, workflows_url: workflowsUrl(options) };
  },
});
