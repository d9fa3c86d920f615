import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { command } from "../activities/command.js";
import { backUp } from "../activities/maintenance/backup/back-up.js";
import { verifyBackup } from "../activities/maintenance/backup/file.js";
import { restore } from "../activities/maintenance/backup/restore.js";
import { migrations } from "../migrations/index.js";
import { startPostgres } from "../src/launcher/postgres.js";
import { int } from "../src/platform/db/columns.js";
import { connect, db, disconnect } from "../src/platform/db/db.js";
import { migrate } from "../src/platform/db/migrate.js";
import { systemActor } from "../src/platform/system-actor.js";
import { verifyAuditLog } from "../src/reports/audit/verify.js";
import { verifyFiles } from "../src/reports/audit/verify-files.js";
import { cpuSecondsFrom } from "./cpu.js";
import { databaseUrlOn } from "./database-url.js";
import { timesOf } from "./measure.js";
import { fillOrders, openWarehouse, orderTables } from "./retention-orders.js";
import { rounded } from "./rounded.js";

/**
 * `npm run bench:retention -- --orders 10000 --months 12`: fills months with the audit log and the events of so many
 * orders a day, and with the orders themselves, as the service would have written them, and says how large they are,
 * and how long it takes to back them up, to restore them, to retire them, and to verify both files and database; and
 * what a write takes meanwhile.
 */
const { values } = parseArgs({
  options: {
    orders: { type: "string", default: "10000" },
    months: { type: "string", default: "1" },
  },
});
const DAYS = 30;
/** Rows of an order of two lines: received, reserved, picked, packed and shipped. */
const PER_ORDER = { audit: 12, events: 5 };

const home = mkdtempSync(join(tmpdir(), "warehouse-retention-"));
process.once("exit", () => rmSync(home, { recursive: true, force: true, maxRetries: 10 }));
const postgres = await startPostgres({ folder: join(home, "data"), printLine: console.error });
await migrate(postgres.url, migrations);
connect(postgres.url, 4, "UTC", "");
const [orders, months] = [Number(values.orders), Number(values.months)];
const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
  const [begun, cpu] = [performance.now(), cpuSecondsFrom(process.pid)];
  const done = await work();
  const seconds = rounded((performance.now() - begun) / 1_000);
  console.log(`${what}: ${seconds} s, ${rounded(cpuSecondsFrom(process.pid) - cpu)} s of processor time`);
  return done;
};

console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`);
console.log(
  `${months} months of ${orders} orders a day, ${PER_ORDER.audit} audit rows and ${PER_ORDER.events} events each`,
);
await timed("filled", async () => {
  await openWarehouse();
  for (let ago = months + 4; ago > 4; ago--)
    for (let day = 0; day < DAYS; day++) {
      await fillDay(ago, day);
      // Orders stay for a year.
      await fillOrders(orders, dayAt(ago + 9, day));
    }
  await fillDay(0, 0);
  await fillOrders(orders, dayAt(0, 0));
  await db.run(`vacuum analyze ${orderTables}, cross_system_mappings`);
  await db.run("select setval('audit_log_log_id_seq', (select max(log_id) from audit_log))");
  await db.run("truncate audit_unsealed");
  await db.run("vacuum analyze audit_log, audit_seals, integration_events");
  await db.run("update notification_progress set event_id = (select max(event_id) from integration_events)");
  await db.run("update fulfillment_push_progress set event_id = (select max(event_id) from integration_events)");
});
console.log(await sizes());
console.log(await sizeOfOrders());
const backup = join(home, "backup.gz");
await timed("backed up", () => backUp(postgres.url, backup, null));
console.log(`the backup: ${Math.round(statSync(backup).size / 1_000_000)} MB`);
await timed("restored into an empty database", restoreBackup);
console.log("a write before:", await writes(() => pause(10_000)));
const folder = join(home, "files");
mkdirSync(folder);
await timed("retired", async () => {
  console.log("a write meanwhile:", await writes(() => retire()));
});
console.log(await files());
await timed("orders retired", async () => {
  console.log("a write meanwhile:", await writes(() => retire("orders")));
});
console.log(await files());
await db.run(`vacuum ${orderTables}`);
console.log(await sizeOfOrders());
console.log(await timed("files verified", () => verifyFiles(folder)));
console.log(await timed("database verified", verifyAuditLog));
await db.run("vacuum audit_log, audit_seals, integration_events");
console.log(await sizes());
await disconnect();
await postgres.stop();

/** As `npm run restore` does; the database is gone afterwards. */
async function restoreBackup(): Promise<void> {
  const name = "restored";
  await db.run(`create database ${name}`);
  const databaseUrl = databaseUrlOn(postgres.url, name);
  await restore(await verifyBackup(backup), { databaseUrl, migrations, replace: false });
  await db.run(`drop database ${name}`);
}

/** In a process of its own, as a worker would. */
async function retire(...what: "orders"[]): Promise<void> {
  const program = fileURLToPath(new URL("../test/support/retire-rows.js", import.meta.url));
  const run = spawn(process.execPath, [program, postgres.url, folder, ...what], { stdio: "inherit" });
  const [code] = await once(run, "exit");
  if (code !== 0) throw new Error(`retiring ended with ${code}`);
}

/** How long writes of an audit row take, one after the other, while something runs; in ms. */
async function writes(work: () => Promise<unknown>) {
  const times: number[] = [];
  let over = false;
  const done = work().finally(() => (over = true));
  while (!over) {
    const begun = performance.now();
    await command("bench.write", systemActor(randomUUID()), {}, async (tx) =>
      tx.audit({ action: "PICK", entity: "SO", entityId: 1 }),
    );
    times.push(performance.now() - begun);
    await pause(5);
  }
  await done;
  const { p50, p99 } = timesOf(times);
  return { writes: times.length, p50: rounded(p50), p99: rounded(p99), max: rounded(Math.max(...times)) };
}

/** All that was retired so far. */
function files() {
  return db.rows(
    { files: int, mb: int, rows: int },
    "select count(*) as files, sum(byte_count) / 1000000 as mb, sum(row_count)::bigint as rows from retired_files",
  );
}

/** What orders take with all that hangs on them, and rows of the tables that are there. */
async function sizeOfOrders() {
  const [size] = await db.rows(
    { mb: int, rows: int, orders: int },
    `select sum(pg_total_relation_size(name::regclass))::bigint / 1000000 as mb,
       sum((select reltuples from pg_class where oid = name::regclass))::bigint as rows,
       (select count(*) from sales_orders) as orders
     from unnest($1::text[]) name`,
    [orderTables],
  );
  return { of: "orders", ...size };
}

async function sizes(): Promise<string> {
  const tables = ["audit_log", "audit_seals", "integration_events"];
  const rows = await db.rows(
    { mb: int, heap: int, rows: int },
    `select pg_total_relation_size(name::regclass) / 1000000 as mb, pg_relation_size(name::regclass) / 1000000 as heap,
       (select reltuples::bigint from pg_class where oid = name::regclass) as rows
     from unnest($1::text[]) with ordinality t(name, place) order by place`,
    [tables],
  );
  return rows
    .map(({ mb, heap, rows }, i) => `${tables[i]}: ${rows} rows, ${mb} MB, ${heap} without indexes`)
    .join("; ");
}

/** SQL: the beginning of a day of a month so many months ago. */
function dayAt(ago: number, day: number): string {
  return `date_trunc('month', now()) - interval '${ago} months' + interval '${day} days'`;
}

/** A day of a month so many months ago: rows that are numbered and sealed already. */
async function fillDay(ago: number, day: number): Promise<void> {
  const at = dayAt(ago, day);
  await db.run(
    `with made as (
       select last_no + n as no, head,
         row(last_no + n, (array['PICK', 'PACK', 'SHIP', 'CREATE'])[1 + n % 4], 'SO', last_no / 12 + n / 12,
           'scanner-' || n % 40, 'device-' || n % 40, 1,
           jsonb_build_object('so_number', 'SO-' || n / 12, 'sku', 'SKU-' || n % 2000, 'item_id', n % 2000,
             'bin_id', n % 200, 'quantity', n % 9, 'batch_id', n / 100),
           ${at} + n * (interval '20 hours' / $1::int), null, null, null)::audit_log as entry
       from sequencer_state, generate_series(1, $1::int) n where name = 'audit_seals'
     ), chained as (
       select no, head, entry, audit_chain(head, audit_line(no, entry)) over (order by no) as row_hash from made
     ), written as (
       insert into audit_log select (entry).* from made
     ), sealed as (
       insert into audit_seals
       select no, (entry).log_id, lag(row_hash, 1, head) over (order by no), row_hash from chained
     )
     update sequencer_state
     set last_no = last_no + $1::int, head = (select row_hash from chained order by no desc limit 1)
     where name = 'audit_seals'`,
    [orders * PER_ORDER.audit],
  );
  await db.run(
    `with written as (
       insert into integration_events (event_id, event_type, event_timestamp, aggregate_type, aggregate_external_id,
         entity_type, entity_id, warehouse_id, source_txn_id, visible_at, created_at, envelope)
       select last_no + n, 'pick.confirmed', ${at}, 'sales_order', gen_random_uuid(), 'sales_order', n / 5, 1,
         gen_random_uuid(), ${at} + n * (interval '20 hours' / $1::int), ${at},
         json_build_object('event_id', last_no + n, 'event_type', 'pick.confirmed', 'aggregate_id', gen_random_uuid(),
           'source_txn_id', gen_random_uuid(), 'data',
           json_build_object('so_number', 'SO-' || n, 'lines', json_build_array(
             json_build_object('sku', 'SKU-' || n % 2000, 'item_external_id', gen_random_uuid(), 'quantity', 2),
             json_build_object('sku', 'SKU-' || n % 1999, 'item_external_id', gen_random_uuid(), 'quantity', 1))))
       from sequencer_state, generate_series(1, $1::int) n where name = 'events' returning 1
     )
     update sequencer_state set last_no = last_no + $1::int where name = 'events'`,
    [orders * PER_ORDER.events],
  );
}
