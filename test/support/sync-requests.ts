import { db } from "../../src/db/db.js";
import type { Change, Floor } from "./change.js";
import { connectorWarehouse } from "./connectors.js";
import { until } from "./until.js";

/** How syncs of connectors are asked for twice. */

const on =
  (path: string, fields: object, changed: object) =>
  async ({ by }: Floor): Promise<Change> => {
    const body = { warehouse_id: await connectorWarehouse(), ...fields };
    return { by, path: `/api/admin/connectors/example/${path}`, body, other: { ...body, ...changed } };
  };

export const syncChanges: Record<string, (at: Floor) => Promise<Change>> = {
  "post /api/admin/connectors/:name/sync/:sync_type": async (at) => {
    const change = await on("sync/orders", {}, {})(at);
    const { warehouse_id } = change.body as { warehouse_id: number };
    const running = () =>
      db.row("select from sync_state where warehouse_id = $1 and sync_status = 'running'", [warehouse_id]);
    return {
      ...change,
      other: { warehouse_id: await connectorWarehouse() },
      settled: () => until(async () => (await running()) === undefined),
    };
  },
  "post /api/admin/connectors/:name/sync-reset": on("sync-reset", { sync_type: "orders" }, { sync_type: "items" }),
  "put /api/admin/connectors/:name/schedule": on(
    "schedule",
    { sync_type: "orders", interval_minutes: 60 },
    { interval_minutes: 30 },
  ),
};
