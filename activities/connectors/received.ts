import { setTimeout as pause } from "node:timers/promises";
import { keepable } from "../../src/connectors/alone.js";
import { type Connector, SourceError, type SourceRecord, sourceSystemOf } from "../../src/connectors/connector.js";
import type { SyncKey } from "../../src/connectors/sync.js";
import { canonicalTypes } from "../../src/inbound/columns.js";
import { LockHeld, StaleVersion } from "../../src/inbound/problems.js";
import { isStale } from "../../src/inbound/versions.js";
import { bool, text } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import { log } from "../../src/platform/log.js";
import { DatabaseBusy } from "../../src/platform/problem.js";
import { notePassedOver, passedOver } from "./passed-over.js";
import { writeSourceRecord } from "./records.js";
import { forgetRefusals, RecordUnreadable, recordKey, refusedAlone, rememberRefusal } from "./refused-records.js";
import { openSource, type SourceOptions } from "./source.js";
import { OVERLAP } from "./sync-state.js";

/** A sync, or another webhook, may be writing the same record: this is how often writing it is tried, with a pause. */
const TRIES = 5;
const PAUSE_MS = 100;
/** Sources give up a webhook that is not answered within five seconds. */
const COMPLETE_WITHIN_MS = 4_000;

/**
 * Writes the records of a verified webhook. Webhooks come late, twice and out of order, so a version that is stored
 * already, or is older than the stored one, is skipped. A refused record is kept for the next sync, which tries it
 * again. So only a failure of the database makes the webhook fail, and then the source may repeat it.
 */
export async function writeReceived(
  connector: Connector,
  warehouseId: number,
  records: SourceRecord[],
  options: SourceOptions,
): Promise<void> {
  for (const record of records.map(keepable)) {
    const sync_type = record.resource === "items" ? "items" : "orders";
    const key: SyncKey = { connector: connector.name, warehouse_id: warehouseId, sync_type };
    if (await isOutdated(connector, key, record)) continue;
    const whole = record.incomplete ? await completed(connector, warehouseId, record, options) : record;
    if (whole) await write(connector, key, whole);
  }
}

/**
 * The record, completed by what its webhook did not contain. Where the source does not answer soon, the next sync reads
 * it; so the version is not noted as stored.
 */
async function completed(
  connector: Connector,
  warehouseId: number,
  record: SourceRecord,
  options: SourceOptions,
): Promise<SourceRecord | undefined> {
  const signal = AbortSignal.timeout(COMPLETE_WITHIN_MS);
  try {
    const source = await openSource(connector, warehouseId, options, signal);
    return await connector.complete?.(source, record);
  } catch (error) {
    if (!(error instanceof SourceError) && !signal.aborted) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    log.warn({ connector: connector.name, warehouseId, reason }, "a webhook is left to the next sync");
    return undefined;
  }
}

async function write(connector: Connector, key: SyncKey, record: SourceRecord): Promise<void> {
  if (record.unreadable !== undefined)
    return rememberRefusal(key, record, RecordUnreadable({ why: record.unreadable }));
  for (let attempt = 1; ; attempt++) {
    try {
      const { question, passedOver = false } = await writeSourceRecord(connector, key.warehouse_id, record);
      if (passedOver) await notePassedOver(key, record.external_id, record.external_version);
      if (question) return await rememberRefusal(key, record, question);
      return await forgetRefusals(key, [record.external_id]);
    } catch (error) {
      const refusal = refusedAlone(error, record.external_id);
      if (refusal.kind === StaleVersion.kind) return;
      if (refusal.kind !== LockHeld.kind) return await rememberRefusal(key, record, refusal);
      if (attempt === TRIES) throw DatabaseBusy();
      await pause(PAUSE_MS * attempt);
    }
  }
}

const IsOutdatedRow = { refused: text.nullable(), read_until: text.nullable(), known: bool };

/**
 * Whether a version is outdated although no newer one is stored. A newer one may be among the refused records, or it
 * may have been skipped; or a sync has read beyond its time and the record is still unknown, as for an order that was
 * cancelled before it was ever read.
 */
async function isOutdated(connector: Connector, key: SyncKey, record: SourceRecord): Promise<boolean> {
  const { connector: name, warehouse_id, sync_type } = key;
  const seen = await db.row(
    IsOutdatedRow,
    `select (select external_version from connector_refusals
             where connector_name = :connector and warehouse_id = :warehouse_id and sync_type = :sync_type
               and external_id = :id) as refused,
            (select watermark - interval '${OVERLAP}' from sync_state
             where connector_name = :connector and warehouse_id = :warehouse_id
               and sync_type = :sync_type) as read_until,
            exists (select from cross_system_mappings
                    where source_system = :source_system and source_type = :source_type and source_id = :id) as known`,
    {
      ...{ connector: name, warehouse_id, sync_type, id: recordKey(record) },
      ...{ source_system: sourceSystemOf(name, warehouse_id), source_type: canonicalTypes[record.resource] },
    },
  );
  const { refused = null, read_until = null, known = false } = seen ?? {};
  const { versions } = connector;
  const passed = (await passedOver(key, [record.external_id])).get(record.external_id);
  if (passed !== undefined && isStale(versions, record.external_version, passed)) return true;
  if (refused !== null) return isStale(versions, record.external_version, refused);
  return !known && read_until !== null && versions === "iso_timestamp"
    ? isStale(versions, record.external_version, read_until)
    : false;
}
