import {
  CursorScopeViolation,
  InvalidCursor,
  SnapshotExpired,
  SnapshotInFlight,
  SnapshotNotFound,
} from "../../src/outbound/problems.js";
import { type Snapshot, SnapshotRow } from "../../src/outbound/snapshot/shapes.js";
import { keyedMutex } from "../../src/platform/concurrency/keyed-mutex.js";
import { bool, int, text } from "../../src/platform/db/columns.js";
import { db, type Sql, transaction, WITHOUT_LIMITS } from "../../src/platform/db/db.js";
import type { DomainError } from "../../src/platform/problem.js";
import { NUMBER_WAITING, NUMBERING_LOCK, sequenceAll } from "./sequencer.js";

/**
 * Scans of a warehouse's inventory (docs/interface.md, Snapshot). All rows are copied by one statement when a scan
 * begins, and its pages are read from the copy: they are of one moment, and nothing is held between them.
 */

/** A token and the warehouse that it scans. */
export interface ScanOwner {
  token_id: number;
  warehouse_id: number;
}

/** A scan expires this long after its last page. */
const IDLE = "interval '300 seconds'";
/** Rows of ended scans are kept this long. */
const KEPT = "interval '7 days'";

/**
 * Begins a scan and gives its id; a token has one at a time. The statement that copies the rows also numbers the events
 * that wait, under the sequencer's lock. So both see the same state of the database, and the rows hold what the events
 * up to `snapshot_event_id` did, and nothing of later ones.
 */
export function beginScan({ token_id, warehouse_id }: ScanOwner): Promise<string> {
  return oneBeginning("scan", async () => {
    // Events that wait already are numbered before the lock is taken, so that others wait for it less.
    await sequenceAll();
    return transaction(async (tx) => {
      tx.later.run(WITHOUT_LIMITS);
      const [, scan] = await Promise.all([
        expireScans(tx, token_id),
        tx.row(
          { scan_id: text },
          `insert into snapshot_scans (created_by_token_id, warehouse_id, snapshot_event_id, row_count)
            values ($1, $2, 0, 0)
           on conflict (created_by_token_id) where status = 'active' do nothing returning scan_id`,
          [token_id, warehouse_id],
        ),
      ]);
      if (!scan) throw SnapshotInFlight({}, { message: IN_FLIGHT }).after(await secondsToIdle(tx, token_id));
      await tx.run("select pg_advisory_xact_lock($1)", [NUMBERING_LOCK]);
      // A statement of its own: it sees all that was committed before the lock was taken.
      await tx.run(COPY, [null, scan.scan_id, warehouse_id]);
      return scan.scan_id;
    });
  });
}

/**
 * One at a time in this process: each that waits for the lock holds a connection, and many would hold all of them.
 */
const oneBeginning = keyedMutex<"scan">();

const IN_FLIGHT =
  "This token is in the middle of a scan: follow its next_cursor, abandon it with DELETE /api/v1/snapshot/inventory, " +
  "or wait until it is 300 s idle";

/** Copies the inventory, with the external ids that events have too, each looked up once. */
const COPY = `
  with ${NUMBER_WAITING}, named as materialized (
    select item_id, coalesce(
      (select source_id from cross_system_mappings m where m.canonical_id = i.external_id order by mapping_id limit 1),
      external_id::text) as external_id
    from items i where item_id in (select item_id from inventory where warehouse_id = $3)
  ), copied as (
    insert into snapshot_rows (scan_id, place, item_external_id, bin_external_id, quantity_on_hand, quantity_allocated,
      lot_number)
    select $2, row_number() over (order by v.item_id, v.bin_id, v.inventory_id),
           named.external_id, b.external_id::text, v.quantity_on_hand, v.quantity_allocated, v.lot_number
    from inventory v join named using (item_id) join bins b on b.bin_id = v.bin_id
    where v.warehouse_id = $3
    returning place
  )
  update snapshot_scans
  set snapshot_event_id = newest.last_no, row_count = (select count(*) from copied)
  from newest where scan_id = $2`;

export type ScanPage = Omit<Snapshot, "next_cursor">;

/**
 * The rows of a scan after a place. A page that is shorter than `limit` is the last one, and ends the scan; it may be
 * read again until the scan expires.
 */
export async function readScan(
  scanId: string,
  after: number,
  limit: number,
  { token_id, warehouse_id }: ScanOwner,
): Promise<ScanPage> {
  const [scan, rows] = await transaction((tx) =>
    Promise.all([
      tx.row(
        { snapshot_event_id: int, row_count: int, epoch: text },
        `update snapshot_scans
         set last_accessed_at = now(),
             status = case when row_count - :after::int < :limit::int then 'done' else status end
         where scan_id = :scanId and created_by_token_id = :token_id and warehouse_id = :warehouse_id
           and :after <= row_count
           and status in ('active', 'done') and last_accessed_at > now() - ${IDLE}
         returning snapshot_event_id, row_count,
                   current_epoch() as epoch`,
        { scanId, after, limit, token_id, warehouse_id },
      ),
      tx.rows(
        SnapshotRow,
        `select item_external_id, $4::int as warehouse_id, bin_external_id, quantity_on_hand, quantity_allocated,
                quantity_on_hand - quantity_allocated as quantity_available, lot_number, null as serial_number
         from snapshot_rows where scan_id = $1 and place > $2 order by place limit $3`,
        [scanId, after, limit, warehouse_id],
      ),
    ]),
  );
  if (!scan) throw await whyNot(scanId, after, { token_id, warehouse_id });
  const { snapshot_event_id, row_count, epoch } = scan;
  // The table is unlogged: a crash of the database empties it.
  if (rows.length < Math.min(limit, row_count - after)) throw SnapshotExpired();
  return { snapshot_event_id, epoch, rows };
}

/**
 * Ends the scan that a token is in the middle of and deletes its rows, so that the token may begin another one; says
 * whether there was one. With `scanId`, only if it is that one, which has to be the token's own.
 */
export function abandonScan(tokenId: number, scanId: string | null): Promise<boolean> {
  return transaction(async (tx) => {
    tx.later.run(WITHOUT_LIMITS);
    const scan = await tx.row(
      { scan_id: text },
      `update snapshot_scans set status = 'expired'
       where created_by_token_id = $1 and status = 'active' and ($2::uuid is null or scan_id = $2)
       returning scan_id`,
      [tokenId, scanId],
    );
    if (scan) await tx.run("delete from snapshot_rows where scan_id = $1", [scan.scan_id]);
    else if (scanId && !(await isOwnScan(tx, tokenId, scanId))) throw SnapshotNotFound();
    return scan !== undefined;
  });
}

const isOwnScan = (tx: Sql, tokenId: number, scanId: string) =>
  tx.row({}, "select from snapshot_scans where scan_id = $1 and created_by_token_id = $2", [scanId, tokenId]);

async function whyNot(scanId: string, after: number, { token_id, warehouse_id }: ScanOwner): Promise<DomainError> {
  const scan = await db.row(
    { own: bool, beyond: bool },
    `select created_by_token_id = $2 and warehouse_id = $3 as own, row_count < $4 as beyond
     from snapshot_scans where scan_id = $1`,
    [scanId, token_id, warehouse_id, after],
  );
  if (!scan) return SnapshotExpired();
  if (!scan.own) return CursorScopeViolation();
  return scan.beyond ? InvalidCursor() : SnapshotExpired();
}

/** The seconds until the running scan of a token expires. */
async function secondsToIdle(tx: Sql, tokenId: number): Promise<number> {
  const running = await tx.row(
    { seconds: int },
    `select ceil(extract(epoch from last_accessed_at + ${IDLE} - now()))::int as seconds
     from snapshot_scans where created_by_token_id = $1 and status = 'active'`,
    [tokenId],
  );
  return running?.seconds ?? 1;
}

/** Expires scans that are idle, or whose rows were lost in a crash; of one token, or of all. */
function expireScans(tx: Sql, tokenId: number | null): Promise<number> {
  return tx.run(
    `update snapshot_scans s set status = 'expired'
     where status = 'active' and ($1::bigint is null or created_by_token_id = $1)
       and (last_accessed_at <= now() - ${IDLE}
            or row_count > 0 and not exists (select from snapshot_rows r where r.scan_id = s.scan_id and place = 1))`,
    [tokenId],
  );
}

/** Deletes the rows of ended scans, and scans that ended long ago; gives the number of rows. */
export async function clearScans(): Promise<number> {
  await expireScans(db, null);
  await db.run(`delete from snapshot_scans where status <> 'active' and last_accessed_at < now() - ${KEPT}`);
  return transaction((tx) => {
    tx.later.run(WITHOUT_LIMITS);
    return tx.run(
      `delete from snapshot_rows where scan_id not in (
         select scan_id from snapshot_scans
         where status = 'active' or status = 'done' and last_accessed_at > now() - ${IDLE})`,
    );
  });
}
