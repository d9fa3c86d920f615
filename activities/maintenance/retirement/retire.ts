import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { type Config, directUrl } from "../../../src/platform/config/config.js";
import type { RetentionDays } from "../../../src/platform/config/retention.js";
import { Client } from "../../../src/platform/db/client.js";
import { systemActor } from "../../../src/platform/system-actor.js";
import type { Done } from "../../../src/platform/temporal/maintenance.js";
import { follow, retiredPosition } from "../../../src/reports/audit/verify.js";
import { command } from "../../command.js";
import { SESSION } from "../backup/tables.js";
import { clearParts, writeMonth } from "./file.js";
import { noteFile } from "./noted.js";
import { retireOrders } from "./orders.js";
import { type RetiredTable, readersOf, removeSome, retiredTables } from "./tables.js";

/** So few rows that nobody waits long for what their deletion locks or writes. */
const BATCH = 2_000;
/** Who has just read how far rows are retired, and goes on to read them, still finds those of the next month. */
const SETTLED_MS = 10_000;
/** Advisory lock: one run at a time. */
const RETIRING_LOCK = 7_304;

type Settings = Pick<Config<"worker">, "databaseUrl" | "databaseDirectUrl" | "retentionFolder" | RetentionDays>;

/**
 * Retires the months of rows that are past their retention, the oldest first: writes each to a file of the retention
 * folder, notes the file, and then deletes its rows. Killed at any moment it goes on with the next run: a month whose
 * file is not noted is written anew, and of one that is noted the rest is deleted. Orders go their own way
 * (orders.ts). Returns how many rows of each table were deleted, and who still needs rows that are past it.
 */
export async function retireRows(settings: Settings, signal: AbortSignal, settledMs = SETTLED_MS): Promise<Done> {
  const { retentionFolder: folder, orderRetentionDays } = settings;
  const tables = retiredTables.filter(({ days }) => settings[days] !== undefined);
  if (!folder || (tables.length === 0 && orderRetentionDays === undefined)) return {};
  return alone(directUrl(settings), async (client) => {
    await clearParts(folder);
    const done: Done = {};
    for (const table of tables) {
      let removed = await removeAll(table, signal);
      for (;;) {
        const month = await nextMonth(client, table, settings[table.days] as number);
        if (!month) break;
        const readers = await readersOf(table, month.last_no);
        if (readers.length > 0) {
          done[`${table.name}_needed_by`] = readers;
          break;
        }
        await retireMonth(client, folder, table, month, signal);
        await pause(settledMs, undefined, { signal });
        removed += await removeAll(table, signal);
      }
      done[table.name] = removed;
    }
    if (orderRetentionDays !== undefined)
      Object.assign(done, await retireOrders(client, folder, orderRetentionDays, signal));
    return done;
  });
}

/** Over a connection that holds the lock, for reading: it is lost with the connection, and then reading fails. */
async function alone<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, application_name: "warehouse retention", keepAlive: true });
  // A connection that is lost fails the statement as well.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(SESSION);
    const { rows } = await client.query("select pg_try_advisory_lock($1) as locked", [RETIRING_LOCK]);
    if (!rows[0].locked) throw new Error("another worker retires rows");
    return await work(client);
  } finally {
    await client.end();
  }
}

interface Month {
  /** Its first day. */
  month: string;
  first_no: number;
  last_no: number;
}

/**
 * The next month of a table, if all of it is past the retention, and there are newer rows. Numbers decide, not times:
 * a row that was committed late is in the file of the next month.
 */
async function nextMonth(client: pg.Client, table: RetiredTable, days: number): Promise<Month | undefined> {
  const { name, rows: from = name, no, at } = table;
  const { rows } = await client.query<Month>(
    `with before as (
       select retired_to($1) as no, (select max(month) from retired_files where table_name = $1) as month
     ), next as (
       select greatest(date_trunc('month', first.at)::date, (before.month + interval '1 month')::date) as month, no
       from before, lateral (select ${at} as at from ${from} r where ${no} > before.no order by ${no} limit 1) first
     ), later as materialized (
       select month, next.no, newer.no as until
       from next, lateral (
         select ${no} as no from ${from} r where ${no} > next.no and ${at} >= next.month + interval '1 month'
         order by ${no} limit 1) newer
       where next.month + interval '1 month' <= now() - make_interval(days => $2)
     )
     select to_char(month, 'YYYY-MM-DD') as month, min(r.no) as first_no, max(r.no) as last_no
     from later, lateral (select ${no} as no from ${from} r where ${no} > later.no and ${no} < later.until) r
     group by month`,
    [name, days],
  );
  return rows[0];
}

async function retireMonth(
  client: pg.Client,
  folder: string,
  table: RetiredTable,
  month: Month,
  signal: AbortSignal,
): Promise<void> {
  const { name, rows: from = name, no } = table;
  const { first_no, last_no } = month;
  const head = name === "audit_log" ? await soundTo(last_no) : null;
  const rows = client.query(
    copyTo(
      `copy (select * from ${from} r where ${no} between ${first_no} and ${last_no} order by ${no})
       to stdout (format csv, header)`,
    ),
  );
  const file = await writeMonth(folder, name, month.month.slice(0, 7), rows, signal);
  // Without its lock this run may be one of two.
  await client.query("select 1");
  const noted = { table_name: name, ...month, ...file, row_count: rows.rowCount as number, head };
  await command("retention.retire", systemActor(randomUUID()), noted, (tx) => noteFile(tx, noted));
}

/** Checks the chain of the audit log from the last row that was retired to a place; returns the hash there, in hex. */
async function soundTo(last: number): Promise<string> {
  const { reached, broken } = await follow(await retiredPosition(), last);
  if (broken || reached.seal_no < last)
    throw new Error(
      `The audit log is not sound after place ${reached.seal_no} of its chain, so nothing of it is retired; ` +
        "audit:verify says more",
    );
  return reached.row_hash.toString("hex");
}

/** Deletes all rows that are in a file; between two batches it leaves the database as long to others as one took. */
async function removeAll(table: RetiredTable, signal: AbortSignal): Promise<number> {
  let total = 0;
  for (let after = 0; ; ) {
    const begun = performance.now();
    const { upto, removed } = await removeSome(table, after, BATCH);
    if (upto === null) return total;
    total += removed;
    after = upto;
    await pause(performance.now() - begun, undefined, { signal });
  }
}
