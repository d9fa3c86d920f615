import { bool, bytes, int } from "../../platform/db/columns.js";
import { db } from "../../platform/db/db.js";

/** The first row at which the hash chain of the audit log is broken. */
export interface Broken {
  seal_no: number;
  /** Null for a missing row. */
  log_id: number | null;
  why: "altered" | "missing" | "inserted" | "reordered";
}

export interface Verification {
  /** Where there are some: the rows up to this place are in files of the retention folder (verify-files.ts). */
  retired_to?: number;
  /** How many rows, from the first one on that is here, are unchanged. */
  verified: number;
  /** The hash of the last of them, in hex. A copy kept elsewhere also reveals a chain that was forged as a whole. */
  head: string;
  /** Rows that the sequencer has not sealed yet. */
  unsealed: number;
  broken?: Broken;
}

/** A position in the chain: the number of its row, and the row's hash. */
export interface Position {
  seal_no: number;
  row_hash: Buffer;
}

/** Before the first row. */
export const BEGINNING: Position = { seal_no: 0, row_hash: Buffer.alloc(0) };

const BATCH = 10_000;

/** The last row of the audit log that is in a file: the first one that is kept follows it. */
export async function retiredPosition(): Promise<Position> {
  const last = await db.row(
    { seal_no: int, row_hash: bytes },
    `select last_no as seal_no, head as row_hash from retired_files where table_name = 'audit_log'
     order by last_no desc limit 1`,
  );
  return last ?? BEGINNING;
}

const VerifyAuditLogRow = { end: int, head: bytes, unsealed: int, stray: int.nullable() };

/**
 * Verifies the whole chain that is in the database in order, in batches: every row must be as it was sealed, and none
 * missing or added. Rows that were retired meanwhile are not missing: then it is verified anew.
 */
export async function verifyAuditLog(): Promise<Verification> {
  for (;;) {
    const first = await firstRow();
    const found = await verifyOnce();
    if (!found.broken || (await firstRow()) === first) return found;
  }
}

async function firstRow(): Promise<number | null | undefined> {
  const sql = "select min(seal_no) as first from audit_seals where seal_no > 0";
  return (await db.row(FirstRow, sql))?.first;
}
const FirstRow = { first: int.nullable() };

async function verifyOnce(): Promise<Verification> {
  const retired = await retiredPosition();
  const kept = await db.row(
    VerifyAuditLogRow,
    `select last_no as end, head,
       (select count(*) from audit_log a where not exists (select from audit_seals s where s.log_id = a.log_id))
         as unsealed,
       (select min(seal_no) from audit_seals where seal_no < 1 or seal_no > last_no) as stray
     from sequencer_state where name = 'audit_seals'`,
  );
  if (!kept) throw new Error("sequencer_state has no row for the audit log");
  const left = await undeleted(retired);
  const from = left ?? retired;
  let { reached, broken }: Followed = await follow(from, retired.seal_no);
  if (!broken && !reached.row_hash.equals(retired.row_hash)) broken = await rowAt(reached.seal_no, "altered");
  if (!broken) ({ reached, broken } = await follow(retired, kept.end));
  const found = (broken?: Broken): Verification => ({
    ...(retired.seal_no > 0 && { retired_to: retired.seal_no }),
    verified: Math.max(0, Math.min(reached.seal_no, (broken?.seal_no ?? Infinity) - 1) - from.seal_no),
    head: reached.row_hash.toString("hex"),
    unsealed: kept.unsealed,
    ...(broken && { broken }),
  });
  if (broken) return found(broken);
  if (reached.seal_no < kept.end) return found({ seal_no: reached.seal_no + 1, log_id: null, why: "missing" });
  if (!reached.row_hash.equals(kept.head)) return found(await rowAt(reached.seal_no, "altered"));
  if (kept.stray !== null) return found(await rowAt(kept.stray, "inserted"));
  return found();
}

/** What comes before the oldest row that is in a file and not deleted yet; undefined where all are. */
function undeleted(retired: Position): Promise<Position | undefined> {
  return db.row(
    { seal_no: int, row_hash: bytes },
    `select seal_no - 1 as seal_no, prev_hash as row_hash from audit_seals where seal_no between 1 and $1
     order by seal_no limit 1`,
    [retired.seal_no],
  );
}

interface Followed {
  /** The last sound row. */
  reached: Position;
  broken?: Broken | undefined;
}

/** Follows the chain from a position to a place, in batches. */
export async function follow(from: Position, end: number): Promise<Followed> {
  let reached = from;
  for (let more = true; more; ) {
    const batch = await check(reached, end);
    if (batch.sound) reached = batch.sound;
    if (batch.broken) return { reached, broken: await diagnose(reached, batch.broken) };
    more = batch.full;
  }
  return { reached };
}

const CheckRow = { rows: int, broken: int.nullable(), sound: int.nullable(), row_hash: bytes.nullable() };

/** Checks the rows after a position: returns the last sound one and the first broken one. */
async function check(after: Position, end: number) {
  const batch = await db.row(
    CheckRow,
    `with checked as (
       select s.seal_no, s.row_hash,
         s.seal_no = lag(s.seal_no, 1, $1) over chain + 1 and s.prev_hash = lag(s.row_hash, 1, $2) over chain
           and s.row_hash = audit_link(null, s.prev_hash, audit_line(s.seal_no, a)) as sound
       from (select * from audit_seals where seal_no > $1 and seal_no <= $3 order by seal_no limit $4) s
         left join audit_log a using (log_id)
       window chain as (order by s.seal_no)
     )
     select rows, broken, last.seal_no as sound, row_hash
     from (select count(*) as rows, min(seal_no) filter (where sound is not true) as broken from checked) first
     left join lateral (select seal_no, row_hash from checked
                        where broken is null or seal_no < broken order by seal_no desc limit 1) last on true`,
    [after.seal_no, after.row_hash, end, BATCH],
  );
  if (!batch) throw new Error("no answer");
  const { rows, broken, sound, row_hash } = batch;
  return {
    full: rows === BATCH,
    broken,
    sound: sound === null || row_hash === null ? undefined : { seal_no: sound, row_hash },
  };
}

const DiagnoseRow = {
  ...{ lost: bool, follows: bool, untouched: bool, forks: bool },
  ...{ has_place: bool, follows_another: bool, has_rival: bool },
};

/** Finds out what happened at the first broken row; may search the whole log for the position that it belongs to. */
async function diagnose(before: Position, seal_no: number): Promise<Broken> {
  const due = before.seal_no + 1;
  if (seal_no > due) return { seal_no: due, log_id: null, why: "missing" };
  const seen = await db.row(
    DiagnoseRow,
    `select a.log_id is null as lost, s.prev_hash = $2 as follows,
       s.row_hash = audit_link(null, s.prev_hash, audit_line(s.seal_no, a)) as untouched,
       exists (select from audit_seals b where b.seal_no = s.seal_no - 1 and b.prev_hash = s.prev_hash) as forks,
       exists (select from audit_seals b where b.seal_no <> s.seal_no
               and b.row_hash = audit_link(null, b.prev_hash, audit_line(b.seal_no, a))) as has_place,
       exists (select from audit_seals b where b.row_hash = s.prev_hash) as follows_another,
       exists (select from audit_seals b where b.prev_hash = $2 and b.log_id <> s.log_id) as has_rival
     from audit_seals s left join audit_log a using (log_id) where s.seal_no = $1`,
    [seal_no, before.row_hash],
  );
  // Its seal is there, and it is not.
  if (seen?.lost) return { seal_no, log_id: null, why: "missing" };
  // The row itself is unchanged, so the row before it was altered.
  if (seen?.untouched && before.seal_no > 0) return rowAt(before.seal_no, "altered");
  // Both follow the same row: the first of the two was inserted.
  if (!seen?.follows && seen?.forks) return rowAt(before.seal_no, "inserted");
  if (seen?.has_place || (!seen?.follows && seen?.follows_another)) return rowAt(seal_no, "reordered");
  return rowAt(seal_no, seen?.has_rival ? "inserted" : "altered");
}

async function rowAt(seal_no: number, why: Broken["why"]): Promise<Broken> {
  const row = await db.row({ log_id: int }, "select log_id from audit_seals where seal_no = $1", [seal_no]);
  return { seal_no, log_id: row?.log_id ?? null, why };
}
