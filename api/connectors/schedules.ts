import { z } from "zod";
import { putSchedule } from "../../activities/connectors/schedules.js";
import { syncTypes } from "../../src/connectors/connector.js";
import { installed } from "../../src/connectors/registry.js";
import { applySyncSchedule, type ScheduleTimes, scheduleTimes } from "../../src/connectors/schedules.js";
import { ConnectorName } from "../../src/connectors/shapes.js";
import type { SyncKey } from "../../src/connectors/sync.js";
import { type ScheduleRow, schedulesOf } from "../../src/connectors/sync-queries.js";
import { NewSyncSchedule, SyncSchedule } from "../../src/connectors/sync-shapes.js";
import * as field from "../../src/platform/fields/index.js";
import { page, route } from "../http/route.js";
import { temporally } from "../http/row-schedules.js";
import { taskQueue, temporalClient } from "../http/workflow-updates.js";
import { connectorProblems, namedConnector } from "./named.js";

/** Schedules of syncs: docs/interface.md, Connectors. */

const params = z.strictObject({ name: ConnectorName.describe("Name of the connector.") });

export const getSyncSchedule = route("get /api/admin/connectors/:name/schedule", {
  for: page("integrations"),
  summary: "How often each type of records is synced by itself, and when next",
  params,
  query: z.strictObject({ warehouse_id: field.WarehouseIdParam }),
  answers: {
    200: z.strictObject({
      connector: ConnectorName.describe("The connector, by its name."),
      warehouse_id: field.WarehouseId,
      schedule: z.array(SyncSchedule).describe("How often each type is synced, one row for each."),
    }),
  },
  errors: connectorProblems,
  run: async ({ params: { name }, query: { warehouse_id }, by }) => {
    const { name: connector } = await namedConnector(name, warehouse_id, by);
    const rows = await schedulesOf(connector, warehouse_id);
    const schedule = syncTypes.map(async (sync_type) => {
      const row = rows.find((one) => one.sync_type === sync_type);
      return shown({ connector, warehouse_id, sync_type }, row);
    });
    return { connector, warehouse_id, schedule: await Promise.all(schedule) };
  },
});

export const setSyncSchedule = route("put /api/admin/connectors/:name/schedule", {
  for: page("integrations"),
  summary: "Sets how often a type of records is synced by itself; null for never",
  params,
  body: NewSyncSchedule,
  answers: { 200: SyncSchedule },
  errors: connectorProblems,
  run: async ({ params: { name }, body, by, options }) => {
    const row = await putSchedule(installed(name).name, body, by);
    const settings = { temporalTaskQueue: taskQueue, connectorRetryDelayMs: options.connectorRetryDelayMs };
    await temporally(named(row), () => applySyncSchedule(temporalClient(), row, settings, "changed"));
    return shown(row, row);
  },
});

async function shown(key: SyncKey, row: ScheduleRow | undefined): Promise<SyncSchedule> {
  const { sync_type } = key;
  const { interval_minutes = null, enabled = false } = row ?? {};
  const none: ScheduleTimes = { paused: false, last_run_at: null, next_run_at: null };
  const times =
    interval_minutes === null
      ? none
      : ((await temporally(named(key), () => scheduleTimes(temporalClient(), key))) ?? none);
  const { paused, last_run_at, next_run_at } = times;
  return { sync_type, interval_minutes, enabled: enabled && !paused, last_run_at, next_run_at };
}

/** A row without what the log need not know. */
const named = ({ connector, warehouse_id, sync_type }: SyncKey) => ({ connector, warehouse_id, sync_type });
