import type { SyncKey } from "../../src/connectors/sync.js";
import { text } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";

/**
 * Versions of records that were ended in the shop (cancelled, deleted) before they were ever written here, as webhooks
 * arrive out of order.
 */

const KEY = "connector_name = :connector and warehouse_id = :warehouse_id and sync_type = :sync_type";

export const notePassedOver = (key: SyncKey, id: string, version: string): Promise<number> =>
  db.run(
    `insert into connector_passed_over (connector_name, warehouse_id, sync_type, external_id, external_version)
     values (:connector, :warehouse_id, :sync_type, :id, :version)
     on conflict (connector_name, warehouse_id, sync_type, external_id) do update
     set external_version = excluded.external_version, passed_at = now()`,
    { ...key, id, version },
  );

/** The versions of these ids that were passed over. */
export async function passedOver(key: SyncKey, ids: string[]): Promise<Map<string, string>> {
  const rows = await db.rows(
    { external_id: text, external_version: text },
    `select external_id, external_version from connector_passed_over where ${KEY} and external_id = any(:ids)`,
    { ...key, ids },
  );
  return new Map(rows.map((row) => [row.external_id, row.external_version]));
}

export const forgetPassedOver = (days: number): Promise<number> =>
  db.run("delete from connector_passed_over where passed_at < now() - make_interval(days => $1)", [days]);
