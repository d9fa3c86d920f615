import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { command } from "../../activities/command.js";
import { sealAll } from "../../activities/outbound/sequencer.js";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { type Broken, verifyAuditLog } from "../../src/reports/audit/verify.js";
import { runSequencer } from "../../workers/sequencer.js";
import { db } from "../support/db.js";
import { tamper } from "../support/retention.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

const ROWS = 20;

const write = (details: Record<string, unknown>) =>
  command("test.write", systemActor(randomUUID()), {}, async (tx) =>
    tx.audit({ action: "PICK", entity: "SO", entityId: 7, details }),
  );

/** Puts a row in at a place of the chain, whose rows from there on move up. */
const squeezeIn = (place: number, sound: boolean) => [
  `update audit_seals set seal_no = -seal_no where seal_no >= ${place}`,
  "update audit_seals set seal_no = 1 - seal_no where seal_no < 0",
  "insert into audit_log (log_id, action_type, entity_type, entity_id) values (777, 'PICK', 'SO', 7)",
  `insert into audit_seals (log_id, seal_no, prev_hash, row_hash)
   select 777, ${place}, row_hash, '' from audit_seals where seal_no = ${place - 1}`,
  ...(sound ? [rehash(777)] : []),
];

const swap = (table: string, columns: string[], one: number, other: number) =>
  `update ${table} a set ${columns.map((column) => `${column} = b.${column}`)}
   from ${table} b where (a.log_id, b.log_id) in ((${one}, ${other}), (${other}, ${one}))`;

const rehash = (log_id: number) =>
  `update audit_seals s set row_hash = audit_link(null, s.prev_hash, audit_line(s.seal_no, a))
   from audit_log a where a.log_id = s.log_id and s.log_id = ${log_id}`;

/** What was done to rows 1 to 20, and what must be told of it. log_id and place in the chain are the same here. */
const deeds: [what: string, statements: string[], found: Broken][] = [
  ...[
    "action_type = 'PACK'",
    "entity_type = 'PO'",
    "entity_id = 8",
    "user_id = 'eve'",
    "user_id = null",
    "device_id = ''",
    "warehouse_id = 0",
    "created_at = created_at + interval '1 microsecond'",
    "details = jsonb_set(details, '{quantity}', '5.0')",
    "details = details || '{\"note\": null}'",
    "details = null",
  ].map((set): [string, string[], Broken] => [
    `set ${set}`,
    [`update audit_log set ${set} where log_id = 5`],
    { seal_no: 5, log_id: 5, why: "altered" },
  ]),
  ...["prev_hash", "row_hash"].map((hash): [string, string[], Broken] => [
    `set ${hash} of a seal`,
    [`update audit_seals set ${hash} = sha256('') where log_id = 5`],
    { seal_no: 5, log_id: 5, why: "altered" },
  ]),
  ...["audit_log", "audit_seals"].map((table): [string, string[], Broken] => [
    `set log_id = 900 in ${table}`,
    [`update ${table} set log_id = 900 where log_id = 5`],
    { seal_no: 5, log_id: null, why: "missing" },
  ]),
  [
    "the seal of another row",
    ["update audit_seals set log_id = 900 where log_id = 6", "update audit_seals set log_id = 6 where log_id = 5"],
    { seal_no: 5, log_id: 6, why: "reordered" },
  ],
  [
    "a row altered and hashed anew",
    ["update audit_log set user_id = 'eve' where log_id = 5", rehash(5)],
    { seal_no: 5, log_id: 5, why: "altered" },
  ],
  [
    "the newest row altered and hashed anew",
    ["update audit_log set user_id = 'eve' where log_id = 20", rehash(20)],
    { seal_no: 20, log_id: 20, why: "altered" },
  ],
  [
    "the first of two altered rows",
    ["update audit_log set user_id = 'eve' where log_id in (12, 4)"],
    { seal_no: 4, log_id: 4, why: "altered" },
  ],
  ...[1, 9, ROWS].map((place): [string, string[], Broken] => [
    `row ${place} deleted`,
    [`delete from audit_log where log_id = ${place}`],
    { seal_no: place, log_id: null, why: "missing" },
  ]),
  [
    "the newest rows deleted",
    ["delete from audit_log where log_id > 16"],
    { seal_no: 17, log_id: null, why: "missing" },
  ],
  ["every row deleted", ["truncate audit_log"], { seal_no: 1, log_id: null, why: "missing" }],
  [
    "a row deleted with its seal",
    ["delete from audit_log where log_id = 9", "delete from audit_seals where log_id = 9"],
    { seal_no: 9, log_id: null, why: "missing" },
  ],
  ...[1, 9, ROWS].map((place): [string, string[], Broken] => [
    `seal ${place} taken off`,
    [`delete from audit_seals where log_id = ${place}`],
    { seal_no: place, log_id: null, why: "missing" },
  ]),
  ["every seal taken off", ["truncate audit_seals"], { seal_no: 1, log_id: null, why: "missing" }],
  ["a row put between, with a sound hash", squeezeIn(9, true), { seal_no: 9, log_id: 777, why: "inserted" }],
  ["a row put between, without", squeezeIn(9, false), { seal_no: 9, log_id: 777, why: "inserted" }],
  ["a row put behind the newest", squeezeIn(ROWS + 1, true), { seal_no: ROWS + 1, log_id: 777, why: "inserted" }],
  [
    "two places swapped",
    [
      "update audit_seals set seal_no = case seal_no when 4 then -11 else -4 end where seal_no in (4, 11)",
      "update audit_seals set seal_no = -seal_no where seal_no < 0",
    ],
    { seal_no: 4, log_id: 11, why: "reordered" },
  ],
  [
    "two neighbours swapped, with their seals",
    [
      "alter table audit_seals drop constraint audit_seals_pkey",
      swap("audit_seals", ["seal_no", "prev_hash", "row_hash"], 4, 5),
    ],
    { seal_no: 4, log_id: 5, why: "reordered" },
  ],
  [
    "the content of two rows swapped",
    [swap("audit_log", ["details", "created_at"], 4, 5)],
    { seal_no: 4, log_id: 4, why: "altered" },
  ],
];

describe("the seal of the audit log", () => {
  const service = testService();
  before(async () => {
    await disconnect();
    connect(service.config.databaseUrl, 40);
  });
  beforeEach(async () => {
    await tamper("truncate audit_log, audit_seals, audit_unsealed restart identity");
    await db.run("update sequencer_state set last_no = 0, head = '' where name = 'audit_seals'");
    await db.run("alter table audit_seals drop constraint if exists audit_seals_pkey, add primary key (seal_no)");
    for (let n = 1; n <= ROWS; n++) await write({ n, quantity: 5 });
    assert.equal(await sealAll(), ROWS);
  });

  for (const [what, statements, found] of deeds) {
    it(`breaks at ${what}`, async () => {
      await tamper(...statements);
      const { broken, verified } = await verifyAuditLog();
      assert.deepEqual(broken, found);
      assert.equal(verified, found.seal_no - 1);
    });
  }

  it("is sound when nothing was done, and waits for rows that are not sealed yet", async () => {
    await write({ late: true });
    const { head, ...rest } = await verifyAuditLog();
    assert.deepEqual(rest, { verified: ROWS, unsealed: 1 });
    assert.match(head, /^[0-9a-f]{64}$/);
    assert.equal(await sealAll(), 1);
    assert.equal(await sealAll(), 0);
    const after = await verifyAuditLog();
    assert.deepEqual([after.verified, after.unsealed], [ROWS + 1, 0]);
    assert.notEqual(after.head, head);
  });

  it("goes on after the newest rows were deleted, so that they stay missing", async () => {
    await tamper("delete from audit_log where log_id > 18", "delete from audit_seals where log_id > 18");
    await write({ later: true });
    await sealAll();
    assert.deepEqual((await verifyAuditLog()).broken, { seal_no: 19, log_id: null, why: "missing" });
  });

  it("holds for backslashes, quotes and every script, whatever the session's settings", async () => {
    const texts = ["\\", "\\\\x00", "\\n'\"", "Größe 日本 🧺", "\u2028\t\n"];
    for (const text of texts) await write({ [text]: text, nested: [text] });
    await sealAll();
    assert.equal((await verifyAuditLog()).broken, undefined);
    const line = await db.row<{ line: string }>(
      "select audit_line(s.seal_no, a) as line from audit_log a join audit_seals s using (log_id) where log_id = $1",
      [ROWS + 1],
    );
    const [, , , , , , , , details, at] = JSON.parse(line?.line ?? "");
    assert.deepEqual(JSON.parse(details), { "\\": "\\", nested: ["\\"] });
    assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
    await disconnect();
    const url = new URL(service.config.databaseUrl);
    const name = url.pathname.slice(1);
    connect(url.href, 40);
    for (const setting of ["timezone = 'Asia/Kolkata'", "datestyle = 'SQL, DMY'", "bytea_output = 'escape'"])
      await db.run(`alter database ${name} set ${setting}`);
    await disconnect();
    connect(url.href, 40);
    assert.equal((await verifyAuditLog()).broken, undefined);
  });

  it("is one sound chain after 32 writers at once and two sequencers", async () => {
    const sequencers = [runSequencer(), runSequencer()];
    await Promise.all(
      Array.from({ length: 32 }, async (_, writer) => {
        for (let n = 0; n < 20; n++) {
          await write({ writer, n });
          if (n % 5 === 0) await sealAll();
        }
      }),
    );
    await Promise.all(sequencers.map((sequencer) => sequencer.stop()));
    await sealAll();
    const { verified, unsealed, broken } = await verifyAuditLog();
    assert.deepEqual([verified, unsealed, broken], [ROWS + 640, 0, undefined]);
  });

  it("holds over many batches, and breaks in the last of them", async () => {
    await db.run(
      `insert into audit_log (action_type, entity_type, entity_id, details)
       select 'PICK', 'SO', n, jsonb_build_object('n', n) from generate_series(1, 25000) n`,
    );
    assert.equal(await sealAll(), 25_000);
    assert.equal((await verifyAuditLog()).verified, 25_000 + ROWS);
    await tamper("update audit_log set entity_id = 0 where log_id = 25001");
    assert.equal((await verifyAuditLog()).broken?.log_id, 25_001);
  });

  it("tells of a row that was put in and waits for no seal", async () => {
    await tamper("insert into audit_log (action_type, entity_type, entity_id) values ('PICK', 'SO', 7)");
    assert.equal(await sealAll(), 0);
    const { verified, unsealed, broken } = await verifyAuditLog();
    assert.deepEqual([verified, unsealed, broken], [ROWS, 1, undefined]);
  });

  it("is whole after its sequencer was killed in the middle of a batch", async () => {
    await db.run(
      `insert into audit_log (action_type, entity_type, entity_id, details)
       select 'PICK', 'SO', n, jsonb_build_object('n', n) from generate_series(1, 2500) n`,
    );
    const client = new pg.Client(service.config.databaseUrl);
    await client.connect();
    try {
      // A batch has taken and sealed its rows when it waits for this one, which it writes at its end.
      await client.query("begin; select from sequencer_state where name = 'audit_seals' for update");
      const killed = assert.rejects(sealAll());
      const kill = `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query ~ 'insert into audit_seals'`;
      // By another connection: within a transaction the view stays as it was first read.
      await until(async () => (await db.rows(kill)).length > 0);
      await killed;
      await client.query("rollback");
    } finally {
      await client.end();
    }
    assert.equal((await verifyAuditLog()).unsealed, 2500);
    assert.equal(await sealAll(), 2500);
    const { verified, unsealed, broken } = await verifyAuditLog();
    assert.deepEqual([verified, unsealed, broken], [ROWS + 2500, 0, undefined]);
  });

  it("leaves the rows where they are: a change would write every index of theirs anew", async () => {
    await write({ late: true });
    const places = () => db.column("select row(ctid, xmin)::text from audit_log order by log_id");
    const before = await places();
    assert.equal(await sealAll(), 1);
    assert.deepEqual(await places(), before);
  });

  it("costs a row two entries of indexes, and its wait none", async () => {
    const indexes = (table: string) =>
      db.column("select indexrelid::regclass::text from pg_index where indrelid = $1::regclass order by 1", [table]);
    assert.deepEqual(await indexes("audit_seals"), ["audit_seals_once", "audit_seals_pkey"]);
    assert.deepEqual(await indexes("audit_unsealed"), []);
    const ofSeals = "pg_get_indexdef(indexrelid) ~ '(seal_no|row_hash)' and indrelid = 'audit_log'::regclass";
    const partial = await db.column(`select pg_get_expr(indpred, indrelid) from pg_index where ${ofSeals} order by 1`);
    // Those of 0.3.0, in which no row is that is written now.
    assert.deepEqual(partial, ["(row_hash IS NULL)", "(seal_no IS NOT NULL)"]);
  });

  it("is checked by a command that says what it found", async () => {
    const run = () =>
      promisify(execFile)(
        process.execPath,
        [fileURLToPath(new URL("../../workers/audit-verify.js", import.meta.url))],
        { env: { ...process.env, DATABASE_URL: service.config.databaseUrl } },
      );
    const { stdout } = await run();
    const { head } = await verifyAuditLog();
    assert.equal(stdout, `Audit log: ${ROWS} rows are sound, 0 not sealed yet.\nHead: ${head}\n`);
    await tamper("update audit_log set user_id = 'eve' where log_id = 5");
    await assert.rejects(run(), {
      code: 1,
      stderr:
        "Audit log: log_id 5 is altered, at place 5 of the chain; 4 rows before it are sound, 0 not sealed yet.\n",
    });
  });

  for (const statement of [
    "update audit_log set user_id = 'eve' where log_id = 5",
    "update audit_log set row_hash = row_hash where log_id = 5",
    "delete from audit_log where log_id = 5",
    "truncate audit_log",
    "update audit_seals set row_hash = '' where log_id = 5",
    "delete from audit_seals where log_id = 5",
    "truncate audit_seals",
  ]) {
    it(`does not even let through: ${statement}`, () => assert.rejects(db.run(statement), { code: "42501" }));
  }
});
