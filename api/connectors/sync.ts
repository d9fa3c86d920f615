import { z } from "zod";
import * as activities from "../../activities/connectors/sync-state.js";
import { type Connector, type SyncType, syncTypes } from "../../src/connectors/connector.js";
import { NotConfigured, SyncNotSupported, SyncRunning, UnknownSyncType } from "../../src/connectors/problems.js";
import { installed } from "../../src/connectors/registry.js";
import { ConnectorName } from "../../src/connectors/shapes.js";
import { checkConfigured } from "../../src/connectors/stored-config.js";
import { syncWorkflowId } from "../../src/connectors/sync.js";
import { refusedRecords, syncRuns } from "../../src/connectors/sync-queries.js";
import {
  RefusedRecord,
  refusedList,
  StartedSync,
  SyncReset,
  SyncRunRecord,
  SyncRunStatus,
  SyncTypeName,
  syncRunList,
} from "../../src/connectors/sync-shapes.js";
import { connectorQueue } from "../../src/connectors/task-queue.js";
import * as field from "../../src/platform/fields/index.js";
import { listed, paged, Text } from "../../src/platform/fields.js";
import { validationError, WorkflowEngineUnavailable } from "../../src/platform/problem.js";
import type { connectorSync, started } from "../../workflows/connector-sync.js";
import { page, route } from "../http/route.js";
import { startWithUpdate, taskQueue } from "../http/workflow-updates.js";
import { connectorProblems, namedConnector } from "./named.js";
import { signalReset } from "./signal-reset.js";

/** Syncs that a person starts: docs/interface.md, Connectors. */

const params = z.strictObject({ name: ConnectorName.describe("Name of the connector.") });

export const startSync = route("post /api/admin/connectors/:name/sync/:sync_type", {
  for: page("integrations"),
  perMinute: 20,
  summary: "Starts a sync, which goes on by itself; `fulfillment` only asks the source whether it answers",
  params: params.extend({ sync_type: listed(Text(32, "orders"), syncTypes).describe("What is synced.") }),
  query: z.strictObject({ warehouse_id: field.WarehouseIdParam.optional() }),
  body: z.strictObject({ warehouse_id: field.WarehouseId.optional() }),
  answers: { 202: StartedSync },
  errors: [
    ...connectorProblems,
    UnknownSyncType,
    SyncNotSupported,
    NotConfigured,
    SyncRunning,
    WorkflowEngineUnavailable,
  ],
  run: async ({ params: { name, ...params }, query, body, by, res, options }) => {
    const connector = installed(name);
    const sync_type = syncTypes.find((type) => type === params.sync_type);
    if (!sync_type) throw UnknownSyncType();
    const warehouse_id = body.warehouse_id ?? query.warehouse_id;
    if (warehouse_id === undefined)
      throw validationError([{ type: "missing", loc: ["body", "warehouse_id"], msg: "Field required" }]);
    if (!syncs(connector, sync_type)) throw SyncNotSupported({ connector: name, sync_type });
    const key = { connector: name, warehouse_id, sync_type };
    await checkConfigured(await namedConnector(name, warehouse_id, by), warehouse_id, sync_type, options, key);
    const task_id = syncWorkflowId(key);
    await startWithUpdate<typeof connectorSync, typeof started>(
      { by, res },
      "connectorSync",
      task_id,
      {
        args: [{ ...key, begun: "request", retry_delay_ms: options.connectorRetryDelayMs }],
        taskQueue: connectorQueue(taskQueue),
        warehouseId: warehouse_id,
        staticSummary: `${sync_type} of ${name} for warehouse ${warehouse_id}, asked for by ${by.username}`,
      },
      "started",
      [by],
    );
    return { message: "Sync started", task_id, ...key };
  },
});

/** Whether a connector syncs a type; the sync of fulfilments only tests whether the source answers. */
const syncs = ({ syncOrders, syncItems, syncInventory }: Connector, type: SyncType): boolean =>
  type === "fulfillment" || Boolean({ orders: syncOrders, items: syncItems, inventory: syncInventory }[type]);

export const resetSyncs = route("post /api/admin/connectors/:name/sync-reset", {
  for: page("integrations"),
  perMinute: 10,
  summary: "Ends syncs that hang, of one type or of all; what they wrote stays",
  params,
  body: z.strictObject({
    warehouse_id: field.WarehouseId,
    sync_type: SyncTypeName.nullish(),
    full: z
      .boolean()
      .optional()
      .meta({
        description: "Whether the next syncs read everything, not only what changed since the last one.",
        examples: [true],
      }),
  }),
  answers: { 200: SyncReset },
  errors: connectorProblems,
  run: async ({ params: { name }, body: { warehouse_id, sync_type = null, full = false }, by }) => {
    const key = { connector: installed(name).name, warehouse_id, sync_type };
    const { workflow_ids } = await activities.resetSyncs(key, full, by);
    await Promise.all(workflow_ids.map(signalReset));
    const rows_reset = workflow_ids.length;
    return { message: `Reset ${rows_reset} sync(s)`, ...key, rows_reset };
  },
});

export const listRefusedRecords = route("get /api/admin/connectors/:name/refused-records", {
  for: page("integrations"),
  summary: "Records that syncs and webhooks of a connector could not write, the newest first",
  params,
  query: z.strictObject({
    ...refusedList.parameters,
    warehouse_id: field.WarehouseIdParam,
    sync_type: SyncTypeName.optional(),
  }),
  answers: { 200: paged("refused_records", RefusedRecord, "Records that could not be written, the newest first.") },
  errors: connectorProblems,
  run: async ({ params: { name }, query, by }) => {
    const { name: connector } = await namedConnector(name, query.warehouse_id, by);
    return refusedRecords({ ...query, connector });
  },
});

export const listSyncRuns = route("get /api/admin/connectors/:name/sync-runs", {
  for: page("integrations"),
  summary: "The runs of a connector's syncs, the newest first: how far they are, or how they ended",
  params,
  query: z.strictObject({
    ...syncRunList.parameters,
    warehouse_id: field.WarehouseIdParam,
    sync_type: SyncTypeName.optional(),
    status: SyncRunStatus.optional(),
  }),
  answers: { 200: paged("sync_runs", SyncRunRecord, "The runs, the newest first.") },
  errors: connectorProblems,
  run: async ({ params: { name }, query, by }) => {
    const { name: connector } = await namedConnector(name, query.warehouse_id, by);
    return syncRuns({ ...query, connector });
  },
});
