import { randomUUID } from "node:crypto";
import { z } from "zod";
import { textOf } from "../../src/connectors/alone.js";
import type { SourceRecord, SourceStock } from "../../src/connectors/connector.js";
import type { SyncKey } from "../../src/connectors/sync.js";
import { db } from "../../src/platform/db/db.js";
import { log } from "../../src/platform/log.js";
import { DomainError, problem } from "../../src/platform/problem.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { storable } from "../../src/platform/values.js";
import { command, type Tx } from "../command.js";

/** Records of a source that could not be written: each run of their sync tries them again. */

export const isStock = (record: SourceRecord | SourceStock): record is SourceStock => !("resource" in record);

/** What a refused record is found by. */
export const recordKey = (record: SourceRecord | SourceStock): string =>
  isStock(record) ? textOf(`${record.item} in ${record.bin_code}`, 128) : record.external_id;

/** The source sent something that differs from its documentation; only syncs and webhooks meet this. */
export const RecordUnreadable = problem("unreadable_record", 422, "{why}");
const RecordFailed = problem("internal_error", 500, "It could not be written, by a fault of this service: {why}");

/**
 * The refusal for an error that was thrown while a record was written; rethrows errors that are not about the record.
 */
export function refusedAlone(error: unknown, id: string): DomainError {
  if (error instanceof DomainError) return error;
  // The database is unavailable or fails, or the run is being ended.
  if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
  log.error({ err: error, id }, "a record of a source could not be written");
  return RecordFailed({ why: error.message });
}

/** Stores a refused record in place of an earlier version of it. */
export async function rememberRefusal(
  key: SyncKey,
  record: SourceRecord | SourceStock,
  problem: DomainError,
): Promise<void> {
  const named = { id: recordKey(record), version: versionOf(record) };
  await command("connectors.rememberRefusal", systemActor(randomUUID()), named, (tx) =>
    noteRefusal(tx, key, record, problem),
  );
}

const versionOf = (record: SourceRecord | SourceStock): string =>
  isStock(record) ? `${record.quantity}` : record.external_version;

/** The same within the transaction of the caller. */
export async function noteRefusal(
  tx: Tx,
  { connector, warehouse_id, sync_type }: SyncKey,
  record: SourceRecord | SourceStock,
  { kind, message, body }: DomainError,
): Promise<void> {
  await tx.run(
    `insert into connector_refusals (connector_name, warehouse_id, sync_type, external_id, external_version, record,
                                     error_kind, error_message)
     values (:connector, :warehouse_id, :sync_type, :id, :version, :record, :kind, :message)
     on conflict (connector_name, warehouse_id, sync_type, external_id) do update
     set external_version = excluded.external_version, record = excluded.record, error_kind = excluded.error_kind,
         error_message = excluded.error_message, attempts = connector_refusals.attempts + 1, last_refused_at = now()`,
    {
      ...{ connector, warehouse_id, sync_type, id: recordKey(record), version: versionOf(record), kind },
      record: JSON.stringify(record, storable),
      message: textOf(String(body.message ?? message), 500),
    },
  );
}

/**
 * SQL: whether the stored order of the refused record differs from what its shop wants; then the row stays until a
 * person decides.
 */
const STILL_DIFFERS = `exists (
  select from cross_system_mappings m join sales_orders so on so.external_id = m.canonical_id
  where m.source_system = connector_name || '-' || connector_refusals.warehouse_id and m.source_type = 'sales_order'
    and m.source_id = connector_refusals.external_id and shop_difference is not null)`;

/** Deletes the refusals of records that are written now. There are rarely any, so it reads before it writes. */
export async function forgetRefusals({ connector, warehouse_id, sync_type }: SyncKey, ids: string[]): Promise<void> {
  const values = [connector, warehouse_id, sync_type, ids];
  const which = `connector_name = $1 and warehouse_id = $2 and sync_type = $3 and external_id = any($4)
    and not ${STILL_DIFFERS}`;
  if (!(await db.row({}, `select from connector_refusals where ${which} limit 1`, values))) return;
  await command("connectors.forgetRefusals", systemActor(randomUUID()), ids, async (tx) => {
    await tx.run(`delete from connector_refusals where ${which}`, values);
  });
}

const RefusedRecordsRow = { record: z.custom<SourceRecord | SourceStock>() };

/** At most `limit` refused records, the longest refused first: either those that can be read, or those that cannot. */
export async function refusedRecords(
  { connector, warehouse_id, sync_type }: SyncKey,
  limit: number,
  which: "readable" | "unreadable" = "readable",
): Promise<(SourceRecord | SourceStock)[]> {
  const rows = await db.rows(
    RefusedRecordsRow,
    `select record from connector_refusals
     where connector_name = $1 and warehouse_id = $2 and sync_type = $3 and (record ? 'unreadable') = $4
     order by last_refused_at limit ${limit}`,
    [connector, warehouse_id, sync_type, which === "unreadable"],
  );
  return rows.map(({ record }) => record);
}
