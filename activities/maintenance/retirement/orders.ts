import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { int, time } from "../../../src/platform/db/columns.js";
import { db } from "../../../src/platform/db/db.js";
import { systemActor } from "../../../src/platform/system-actor.js";
import type { Done } from "../../../src/platform/temporal/maintenance.js";
import { command, type Tx } from "../../command.js";
import { writeMonth } from "./file.js";
import { type NotedFile, noteFile } from "./noted.js";
import { type OrderKind, orderKinds } from "./order-kinds.js";

/** So few orders that nobody waits long for what they lock. */
const BATCH = 100;

/**
 * Retires orders that ended, with all that belongs to them alone, a month after the other. An order ends in another
 * month than it began, and with orders that it is related to; so its rows go by its end. Each transaction takes some
 * orders out of their tables into `leaving_rows`, and one more writes off a month of these once its files are there. So
 * each row is in its table, in `leaving_rows` or in a noted file, in one of them alone, whenever it is killed. What was
 * held back in one month leaves with a later one. Returns how many orders of each table left.
 */
export async function retireOrders(
  client: pg.Client,
  folder: string,
  days: number,
  signal: AbortSignal,
): Promise<Done> {
  const done = Object.fromEntries(orderKinds.map(({ table }) => [table, 0]));
  for (const month of await monthsPast(client, days)) {
    for (const kind of orderKinds)
      done[kind.table] = (done[kind.table] ?? 0) + (await leaveTables(kind, month, signal));
    await writeFiles(client, folder, month, signal);
  }
  return done;
}

interface Month {
  /** Its first day. */
  month: string;
  /** The first moment after it. */
  before: string;
}

/** The months that are past the retention and have no files yet. */
async function monthsPast(client: pg.Client, days: number): Promise<Month[]> {
  const oldest = orderKinds.map(({ table }) => `(select min(updated_at) from ${table})`);
  const { rows } = await client.query<Month>(
    `select to_char(month, 'YYYY-MM-DD') as month,
       to_char(month + interval '1 month', 'YYYY-MM-DD') || 'T00:00Z' as before
     from generate_series(
       coalesce((select min(month) from leaving_rows),
         greatest(date_trunc('month', least(${oldest})), (
           select max(month) + interval '1 month' from retired_files where table_name = any($2)))),
       date_trunc('month', now() - make_interval(days => $1)) - interval '1 month', interval '1 month') as month`,
    [days, orderKinds.map(({ table }) => table)],
  );
  return rows;
}

const NextRow = { id: int, updated_at: time };

/** Takes all orders out of their table that ended before the end of a month; gives how many. */
async function leaveTables(kind: OrderKind, month: Month, signal: AbortSignal): Promise<number> {
  const { table, key, ended } = kind;
  let total = 0;
  let last = { id: 0, updated_at: "-infinity" };
  for (;;) {
    const begun = performance.now();
    const next = await db.rows(
      NextRow,
      `select ${key} as id, updated_at from ${table}
       where updated_at < :before and (updated_at, ${key}) > (:updated_at, :id) and ${ended}
       order by updated_at, ${key} limit ${BATCH}`,
      { ...last, ...month },
    );
    if (next.length === 0) return total;
    total += await leave(
      kind,
      next.map(({ id }) => id),
      month,
    );
    last = next.at(-1) as typeof last;
    await pause(performance.now() - begun, undefined, { signal });
  }
}

const Id = { id: int };
const Batch = { batch_id: int };

/** Takes those of some orders that may leave, and the orders that they are related to, out of their tables. */
function leave(kind: OrderKind, ids: number[], month: Month): Promise<number> {
  const { table, key, leaving, batches, first, parts, kept } = kind;
  const input = { table, ids, month: month.month };
  return command("retention.leave", systemActor(randomUUID()), input, async (tx) => {
    const among = async (some: number[]) =>
      (await tx.rows(Id, leaving, { ids: some, before: month.before })).map(({ id }) => id);
    const seen = await among(ids);
    if (seen.length === 0) return 0;
    const walks = (await tx.rows(Batch, batches, { ids: seen })).map(({ batch_id }) => batch_id);
    const [, , left] = await tx.inOrder([
      tx.run("select from pick_batches where batch_id = any($1) order by batch_id for update", [walks]),
      tx.run(`select from ${table} where ${key} = any($1) order by ${key} for update`, [seen]),
      among(seen),
    ]);
    const which = { ids: left, batches: walks, month: month.month };
    await tx.inOrder([
      ...(first ? [tx.run(first, which)] : []),
      ...parts.map((part) => tx.run(part.stays ? reduced(part.name, part) : taken(part.name, part), which)),
      tx.run(taken(table, { no: key, which: `t.${key} = any(:ids)`, kept: kept && { ...kept, key } }), which),
    ]);
    return left.length;
  });
}

interface Taken {
  no: string;
  which: string;
  kept?: (OrderKind["kept"] & { key: string }) | undefined;
}

const HELD = (table: string, no: string) =>
  `insert into leaving_rows (table_name, month, row_no, row)
   select '${table}', :month, ${no}, to_jsonb(gone) from gone`;

/** SQL: deletes rows of a table and holds them for the file of their month. */
const taken = (table: string, { no, which, kept }: Taken): string => `
  with gone as (
    delete from ${table} t where ${which} returning t.*
  )${
    kept
      ? `, kept as (
    insert into retired_orders (kind, number, order_id, external_id, warehouse_id, month)
    select '${kept.kind}', ${kept.number}, ${kept.key}, external_id, warehouse_id, :month from gone
  )`
      : ""
  }
  ${HELD(table, no)}`;

/** SQL: reduces rows of a table to what is kept of them, and holds them as they were. */
const reduced = (table: string, { no, which, stays }: { no: string; which: string; stays?: string }): string => `
  with gone as (
    select t.* from ${table} t where ${which}
  ), stayed as (
    update ${table} t set ${stays} from gone where t.${no} = gone.${no}
  )
  ${HELD(table, no)}`;

interface HeldTable {
  table_name: string;
  row_count: number;
  first_no: number;
  last_no: number;
}

/** Writes the rows of a month that left their tables to a file for each table; notes and forgets them at once. */
async function writeFiles(client: pg.Client, folder: string, { month }: Month, signal: AbortSignal): Promise<void> {
  const { rows: held } = await client.query<HeldTable>(
    `select table_name, count(*)::int as row_count, min(row_no)::int as first_no, max(row_no)::int as last_no
     from leaving_rows where month = $1 group by table_name order by table_name`,
    [month],
  );
  if (held.length === 0) return;
  const files: NotedFile[] = [];
  for (const table of held) {
    const rows = client.query(
      copyTo(
        `copy (select r.* from leaving_rows l
                 cross join lateral jsonb_populate_record(null::${table.table_name}, row) r
               where l.table_name = '${table.table_name}' and month = '${month}' order by row_no, leaving_no)
         to stdout (format csv, header)`,
      ),
    );
    const file = await writeMonth(folder, table.table_name, month.slice(0, 7), rows, signal);
    files.push({ ...table, month, ...file, head: null });
  }
  // Without its lock this run may be one of two.
  await client.query("select 1");
  await command("retention.retire", systemActor(randomUUID()), files, async (tx) => {
    for (const file of files) {
      await noteFile(tx, file);
      await forget(tx, file);
    }
  });
}

/** Deletes the held rows of a file that was noted. */
async function forget(tx: Tx, { month, table_name, row_count }: NotedFile): Promise<void> {
  const gone = await tx.run("delete from leaving_rows where month = $1 and table_name = $2", [month, table_name]);
  if (gone !== row_count) throw new Error(`${gone} rows of ${table_name} leave, but ${row_count} are in their file`);
}
