import { type Connector, type SourceRecord, type SourceStock, sourceSystemOf } from "../../src/connectors/connector.js";
import { sameContent } from "../../src/connectors/content-version.js";
import type { SyncKey } from "../../src/connectors/sync.js";
import { canonicalTypes } from "../../src/inbound/columns.js";
import { StaleVersion } from "../../src/inbound/problems.js";
import { isStale } from "../../src/inbound/versions.js";
import { text } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import { passedOver } from "./passed-over.js";
import { type Done, writeSourceItems, writeSourceRecord } from "./records.js";
import {
  forgetRefusals,
  isStock,
  RecordUnreadable,
  recordKey,
  refusedAlone,
  rememberRefusal,
} from "./refused-records.js";
import { writeSourceStock } from "./stock.js";

type AnyRecord = SourceRecord | SourceStock;

/** How many transactions write at the same time: each is a command of a few round trips. */
const CONCURRENT = 8;
/** How many items are written in one transaction. */
const BATCH = 25;

export type Counts = Record<Done | "refused", number>;

/**
 * Writes the records of a page, several at a time, but those of one id one after the other. A refused record is kept
 * for the next run and does not stop the others. `onDone` is called after each record; `signal` ends the work between
 * two records.
 * @param again They were refused before, so even those whose version is stored are written again.
 */
export async function writePage(
  connector: Connector,
  key: SyncKey,
  records: AnyRecord[],
  signal: AbortSignal,
  onDone: () => void,
  again = false,
): Promise<Counts> {
  const counts: Counts = { written: 0, known: 0, refused: 0 };
  const here = again ? new Set<string>() : await versionsHere(connector, key, records);
  const undecided: SourceRecord[] = [];
  // A webhook may have told of a newer version since the page was read.
  const passed = await passedOver(key, records.filter((record) => !isStock(record)).map(recordKey));
  for (const record of records) {
    const newer = isStock(record) ? undefined : passed.get(record.external_id);
    if (!isStock(record) && newer !== undefined && isStale(connector.versions, record.external_version, newer))
      here.add(versionOf(record));
  }
  const groups = new Map<string, AnyRecord[]>();
  for (const record of records) groups.set(recordKey(record), [...(groups.get(recordKey(record)) ?? []), record]);
  const newItems: SourceRecord[] = [];
  for (const [id, [record, ...others]] of groups) {
    if (!record || others.length > 0 || !isBatched(record) || here.has(versionOf(record))) continue;
    newItems.push(record);
    groups.delete(id);
  }
  const settled: string[] = [];

  async function writeItems(items: SourceRecord[]): Promise<void> {
    signal.throwIfAborted();
    const done = await writeSourceItems(connector, key.warehouse_id, items);
    if (!done) {
      for (const item of items) await writeGroup(item.external_id, [item]);
      return;
    }
    for (const how of done) {
      counts[how]++;
      onDone();
    }
    settled.push(...items.map((item) => item.external_id));
  }

  async function writeGroup(id: string, group: AnyRecord[]): Promise<void> {
    let last: Settled = { done: "known", isSettled: false };
    for (const record of group) {
      signal.throwIfAborted();
      if (!here.has(versionOf(record))) last = await writeOne(connector, key, record);
      if (last.undecided && !isStock(record)) undecided.push(record);
      counts[last.done]++;
      onDone();
    }
    if (last.isSettled) settled.push(id);
  }

  const waiting = [
    ...inBatches(newItems).map((items) => () => writeItems(items)),
    ...[...groups].map(
      ([id, group]) =>
        () =>
          writeGroup(id, group),
    ),
  ].values();
  const writer = async () => {
    for (const write of waiting) await write();
  };
  await Promise.all(Array.from({ length: CONCURRENT }, writer));
  // Two items of a page may have exchanged their SKUs.
  for (const record of undecided) {
    signal.throwIfAborted();
    const { done, isSettled } = await writeOne(connector, key, record, true);
    if (done === "refused") continue;
    counts.refused--;
    counts[done]++;
    if (isSettled) settled.push(record.external_id);
  }
  if (settled.length > 0) await forgetRefusals(key, settled);
  return counts;
}

/**
 * Whether a record may be written in one transaction with others. Orders may not: each locks stock in its own order.
 */
const isBatched = (record: AnyRecord): record is SourceRecord =>
  !isStock(record) && record.resource === "items" && !record.onlyIfKnown && record.unreadable === undefined;

const inBatches = (items: SourceRecord[]): SourceRecord[][] =>
  Array.from({ length: Math.ceil(items.length / BATCH) }, (_, n) => items.slice(n * BATCH, (n + 1) * BATCH));

interface Settled {
  done: keyof Counts;
  /** Whether the earlier refusal of the record is settled. */
  isSettled: boolean;
  undecided?: boolean;
}

async function writeOne(connector: Connector, key: SyncKey, record: AnyRecord, again = false): Promise<Settled> {
  const { warehouse_id } = key;
  try {
    if (!isStock(record)) {
      if (record.unreadable !== undefined) throw RecordUnreadable({ why: record.unreadable });
      const { done, question, undecided = false } = await writeSourceRecord(connector, warehouse_id, record, again);
      if (question) await rememberRefusal(key, record, question);
      return { done: undecided ? "refused" : done, isSettled: !question, undecided };
    }
    return { done: await writeSourceStock(connector, warehouse_id, record), isSettled: true };
  } catch (error) {
    const refusal = refusedAlone(error, recordKey(record));
    // A webhook has stored a newer version.
    if (refusal.kind === StaleVersion.kind) return { done: "known", isSettled: true };
    await rememberRefusal(key, record, refusal);
    return { done: "refused", isSettled: false };
  }
}

const versionOf = (record: AnyRecord): string =>
  isStock(record) ? "" : JSON.stringify([record.resource, record.external_id, record.external_version]);

/**
 * SQL: joins to stored pushes `i` the current link of their id, so that pushes of a record that the id named before are
 * left out.
 */
const LINKED = `
  join cross_system_mappings m on m.source_system = i.source_system and m.source_type = $2
    and m.source_id = i.external_id and m.canonical_id = i.canonical_id`;

/** Which of these versions are stored already. In a second run these are most, so it costs one query a page. */
async function versionsHere(
  { name }: Connector,
  { warehouse_id }: SyncKey,
  records: AnyRecord[],
): Promise<Set<string>> {
  const here = new Set<string>();
  const versioned = records.filter((record) => !isStock(record)) as SourceRecord[];
  for (const resource of new Set(versioned.map((record) => record.resource))) {
    const sent = versioned.filter((record) => record.resource === resource);
    const rows = await db.rows(
      { external_id: text, external_version: text },
      `select external_id, external_version from inbound_${resource} i ${LINKED}
       where i.source_system = $1
         and (external_id, external_version) in (select * from unnest($3::text[], $4::text[]))`,
      [
        sourceSystemOf(name, warehouse_id),
        canonicalTypes[resource],
        sent.map(({ external_id }) => external_id),
        sent.map(({ external_version }) => external_version),
      ],
    );
    for (const row of rows) here.add(JSON.stringify([resource, row.external_id, row.external_version]));
    const byContent = sent.filter((record) => record.byContent);
    if (byContent.length === 0) continue;
    const newest = await newestVersions(sourceSystemOf(name, warehouse_id), resource, byContent);
    for (const record of byContent) {
      const version = newest.get(record.external_id);
      if (version !== undefined && sameContent(version, record.external_version)) here.add(versionOf(record));
    }
  }
  return here;
}

async function newestVersions(
  sourceSystem: string,
  resource: SourceRecord["resource"],
  records: SourceRecord[],
): Promise<Map<string, string>> {
  const rows = await db.rows(
    { external_id: text, external_version: text },
    `select external_id, external_version from inbound_${resource} i ${LINKED}
     where i.source_system = $1 and external_id = any($3) and status = 'applied'`,
    [sourceSystem, canonicalTypes[resource], records.map(({ external_id }) => external_id)],
  );
  return new Map(rows.map((row) => [row.external_id, row.external_version]));
}
