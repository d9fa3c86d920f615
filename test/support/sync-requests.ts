import type { Change, Floor } from "./change.js";
import { connectorWarehouse } from "./connectors.js";
import { db } from "./db.js";
import { until } from "./until.js";

/** How syncs of connectors are asked for twice. */

const on =
  (path: string, fields: object, changed: object) =>
  async ({ by, warehouse_id }: Floor): Promise<Change> => {
    const body = { warehouse_id, ...fields };
    return { by, path: `/api/admin/connectors/example/${path}`, body, other: { ...body, ...changed } };
  };

export const syncChanges: Record<string, (at: Floor) => Promise<Change>> = {
  "post /api/admin/connectors/:name/sync/:sync_type": async (at) => {
    const { warehouse_id } = at;
    const running = () =>
      db.row("select from sync_state where warehouse_id = $1 and sync_status = 'running'", [warehouse_id]);
    return {
      ...(await on("sync/orders", {}, { warehouse_id: await connectorWarehouse() })(at)),
      // Longer than Temporal takes to give out twice what got lost: an activity after 10 s without a heartbeat.
      settled: () => until(async () => (await running()) === undefined, 30_000),
    };
  },
  "post /api/admin/connectors/:name/sync-reset": on("sync-reset", { sync_type: "orders" }, { sync_type: "items" }),
  "put /api/admin/connectors/:name/schedule": on(
    "schedule",
    { sync_type: "orders", interval_minutes: 60 },
    { interval_minutes: 30 },
  ),
};
