import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import type { Knex } from "knex";
import pg from "pg";
import { sealAll } from "../../activities/outbound/sequencer.js";
import { migrations } from "../../migrations/index.js";
import { release030 } from "../../migrations/upgrade-0.3.0/index.js";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { migrate } from "../../src/platform/db/migrate.js";
import { auditSeal } from "../../src/reports/audit/entry.js";
import { verifyAuditLog } from "../../src/reports/audit/verify.js";
import { schemaText } from "../support/schema/text.js";
import { databaseUrl, onServer } from "../support/servers.js";
import { until } from "../support/until.js";

const { chain, last } = release030;

/** How that release seals rows, a batch of a thousand. */
const SEAL_OF_030 = `
  with waiting as (
    select log_id, head, seal_no, audit_line(seal_no, a) as line
    from (select a, log_id, head, last_no + row_number() over (order by log_id) as seal_no
          from (select a, log_id from audit_log a where row_hash is null order by log_id limit 1000) w,
               sequencer_state where name = 'audit') w
  ), chained as (
    select log_id, head, seal_no, audit_chain(head, line) over (order by seal_no) as row_hash from waiting
  ), linked as (
    select log_id, seal_no, row_hash, lag(row_hash, 1, head) over (order by seal_no) as prev_hash from chained
  ), sealed as (
    update audit_log a set seal_no = l.seal_no, prev_hash = l.prev_hash, row_hash = l.row_hash
    from linked l where a.log_id = l.log_id returning a.seal_no, a.row_hash
  )
  update sequencer_state set last_no = newest.seal_no, head = newest.row_hash
  from (select seal_no, row_hash, count(*) over () from sealed order by seal_no desc limit 1) newest
  where name = 'audit' returning newest.count`;

describe("a database of 0.3.0", () => {
  const made: { name: string; client: pg.Client }[] = [];
  after(async () => {
    for (const { name, client } of made) {
      await client.end();
      await onServer(`drop database ${name}`);
    }
  });

  /** A database as the migrations up to one of that release, or of what came after it, had it. */
  async function databaseUpTo(newest: string) {
    const name = `upgrade_${randomUUID().replaceAll("-", "")}`;
    await onServer(`create database ${name}`);
    const url = databaseUrl(name);
    await migrate(url, chain.slice(0, chain.findIndex((one) => one.name === newest) + 1));
    const client = new pg.Client(url);
    await client.connect();
    made.push({ name, client });
    return { url, client };
  }
  const ranIn = async (client: pg.Client) =>
    (await client.query<{ name: string }>("select name from knex_migrations order by id")).rows.map(({ name }) => name);
  const names = migrations.map(({ name }) => name);

  it("gets the schema of a new one", async () => {
    const { url, client } = await databaseUpTo(last);
    await migrate(url, migrations);
    assert.deepEqual(await ranIn(client), names);
    const fresh = await databaseUpTo("none");
    await migrate(fresh.url, migrations);
    assert.equal(await schemaText(client), await schemaText(fresh.client));
    assert.deepEqual(await migrate(url, migrations), []);
  });

  it("keeps the functions and columns of that release, which works on beside this one", async () => {
    const { url, client } = await databaseUpTo(last);
    const known = async () =>
      (
        await client.query<{ name: string }>(
          `select oid::regprocedure::text as name from pg_proc where pronamespace = 'public'::regnamespace
           union all select table_name || '.' || column_name from information_schema.columns
           where table_schema = 'public'`,
        )
      ).rows.map(({ name }) => name);
    const before = await known();
    await migrate(url, migrations);
    const after = new Set(await known());
    const gone = before.filter((name) => !after.has(name)).map((name) => name.split(/[.(]/)[0] as string);
    // What that release kept for the one before it.
    assert.deepEqual(new Set(gone), new Set(["wms_token_minutes", "with_source_ids", "event_envelope"]));
  });

  it("goes on also where it has some of what came after it, and after a kill behind the last step", async () => {
    for (const newest of ["0064_lacking", "0116_facts", chain.at(-1)?.name as string]) {
      const { url, client } = await databaseUpTo(newest);
      const before = (await ranIn(client)).length;
      assert.equal((await migrate(url, migrations)).length, chain.length - before + migrations.length - 1);
      assert.deepEqual(await ranIn(client), names);
    }
  });

  it("is upgraded once, whoever asks for it at the same time", async () => {
    const { url } = await databaseUpTo(last);
    const runs = await Promise.all([1, 2, 3].map(() => migrate(url, migrations)));
    assert.equal(runs.filter((ran) => ran.length > 0).length, 1);
  });

  it("gets a migration also where it waits in a circle with those who work", async () => {
    const { url, client } = await databaseUpTo("none");
    await client.query("create table scanned (); create table counted ()");
    // The migration finds the deadlock, so it is the one that Postgres ends.
    await client.query("begin; set local deadlock_timeout = '1h'; lock table counted");
    let tries = 0;
    let worked: Promise<unknown> | undefined;
    const up = async (tx: Knex) => {
      tries++;
      await tx.raw("lock table scanned");
      worked ??= client.query("lock table scanned").then(() => client.query("commit"));
      const waits = "select from pg_locks join pg_stat_activity using (pid) where not granted and datname = ?";
      const isWaiting = async () => (await tx.raw(waits, [new URL(url).pathname.slice(1)])).rows.length > 0;
      if (tries === 1) await until(isWaiting);
      await tx.raw("lock table counted");
    };
    await migrate(url, [{ name: "locks", migration: { up } }]);
    await worked;
    assert.equal(tries, 2);
    assert.deepEqual(await ranIn(client), ["locks"]);
  });

  it("is needed first: an older one is refused, and stays as it is", async () => {
    const { url, client } = await databaseUpTo("0053_order_updates");
    const before = await ranIn(client);
    const env = { PATH: process.env.PATH, DATABASE_URL: url };
    await assert.rejects(promisify(execFile)("node", ["dist/workers/prepare.js"], { env }), {
      code: 1,
      stderr:
        "The database is of a release before 0.3.0. Bring it to 0.3.0 first, then to this one " +
        "(docs/operations.md, Upgrades)\n",
    });
    assert.deepEqual(await ranIn(client), before);
  });

  it("keeps its chain of audit rows, which goes on while that release tries to seal too", async () => {
    const { url, client } = await databaseUpTo(last);
    const write = (rows: number) =>
      client.query(
        `insert into audit_log (action_type, entity_type, entity_id, user_id, warehouse_id, details)
         select 'PICK', 'SO', n, 'ann', 1, jsonb_build_object('n', n) from generate_series(1, $1::int) n`,
        [rows],
      );
    await client.query("insert into sequencer_state (name) values ('events'), ('audit')");
    await write(3);
    assert.equal((await client.query(SEAL_OF_030)).rowCount, 1);
    await write(2);
    await migrate(url, migrations);
    await write(4);
    assert.equal((await client.query(SEAL_OF_030)).rowCount, 0);
    await disconnect();
    connect(url, 2);
    try {
      const { seal_no, unsealed: waiting } = await auditSeal();
      assert.deepEqual([seal_no, waiting], [3, 6]);
      assert.equal(await sealAll(), 6);
      await write(1);
      assert.equal((await client.query(SEAL_OF_030)).rowCount, 0);
      assert.equal(await sealAll(), 1);
      const { verified, unsealed, broken } = await verifyAuditLog();
      assert.deepEqual([verified, unsealed, broken], [10, 0, undefined]);
    } finally {
      await disconnect();
    }
    // What that release verifies is as it left it.
    const { rows } = await client.query(
      `select last_no::int, head = row_hash as ends, (select max(seal_no)::int from audit_log) as newest
       from sequencer_state join audit_log on seal_no = last_no where name = 'audit'`,
    );
    assert.deepEqual(rows, [{ last_no: 3, ends: true, newest: 3 }]);
  });

  it("books what tills sold from the audit log, also what the release before books meanwhile", async () => {
    const { url, client } = await databaseUpTo("0105_line_properties");
    await client.query(
      `insert into warehouses (warehouse_id, warehouse_code, warehouse_name) overriding system value
       values (900, 'P', 'P')`,
    );
    const sell = async (number: string) => {
      const details = {
        ...{ terminal_id: "T1", token: "till", payment_method: "card", total_cents: 900 },
        tenders: [{ type: "card", amount_cents: 900 }],
        lines: [
          {
            ...{ item_id: 5, warehouse_id: "P", bin_id: "A-1", quantity: 3 },
            lots: [
              { lot_number: "L1", expiry_date: "2027-01-01", bin_id: 4, quantity: 2 },
              { lot_number: null, expiry_date: null, bin_id: 4, quantity: 1 },
            ],
          },
          { item_id: 6, warehouse_id: "P", bin_id: "A-2", quantity: 7 },
          { item_id: 7, warehouse_id: "P", bin_id: "", quantity: 1 },
        ],
      };
      await client.query(
        `with sold as (
           insert into sales_orders (so_number, warehouse_id, order_date, order_source)
           values ($1, 900, current_date, 'pos') returning so_id)
         insert into audit_log (action_type, entity_type, entity_id, user_id, warehouse_id, details)
         select 'POS_CHECKOUT', 'SO', so_id, 'ann', 900, $2 from sold`,
        [number, JSON.stringify(details)],
      );
    };
    await sell("POS-1");
    await migrate(url, migrations);
    await sell("POS-2");
    for (const number of ["POS-1", "POS-2"]) {
      const { rows } = await client.query(
        `select is_refund, cashier_id, terminal_id, token, payment_method, total_cents::int, tenders,
           (select json_agg(json_build_array(item_id, bin_code, bin_id, lot_number, quantity) order by place)
            from counter_sale_units u where u.so_id = b.so_id) as units
         from counter_bookings b join sales_orders using (so_id) where so_number = $1`,
        [number],
      );
      assert.deepEqual(rows, [
        {
          ...{ is_refund: false, cashier_id: "ann", terminal_id: "T1", token: "till", payment_method: "card" },
          ...{ total_cents: 900, tenders: [{ type: "card", amount_cents: 900 }] },
          units: [
            [5, "A-1", 4, "L1", 2],
            [5, "A-1", 4, null, 1],
            [6, "A-2", null, null, 7],
          ],
        },
      ]);
    }
  });
});
