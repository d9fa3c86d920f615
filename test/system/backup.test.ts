import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import { Client, Connection, WorkflowNotFoundError } from "@temporalio/client";
import pg from "pg";
import { backUp } from "../../activities/maintenance/backup/back-up.js";
import { BadBackup, readBackup, verifyBackup, writeBackup } from "../../activities/maintenance/backup/file.js";
import { NotRestored, type Restoration, restore } from "../../activities/maintenance/backup/restore.js";
import { migrations } from "../../migrations/index.js";
import { release030 } from "../../migrations/upgrade-0.3.0/index.js";
import { waveWorkflowId } from "../../src/picking/wave.js";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { migrate } from "../../src/platform/db/migrate.js";
import { eventTypes } from "../../src/platform/events/catalog.js";
import { verifyAuditLog } from "../../src/reports/audit/verify.js";
import { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { senderEnv, subscribe } from "../support/deliveries.js";
import { differing, everything } from "../support/everything.js";
import { bin, item, stock, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { pluck } from "../support/pluck.js";
import { happened } from "../support/polling.js";
import { fillAs030 } from "../support/release-030.js";
import { Scanner } from "../support/scanner.js";
import { onServer } from "../support/servers.js";
import { type Floor, openFloor, pickAll, signedIn, startWave, walk } from "../support/shift.js";
import { openSink, type Sink } from "../support/sink.js";
import { openStack, type Stack } from "../support/stack.js";
import { until } from "../support/until.js";

/** A database of a role that owns it and can nothing else, as on a server of one's own. */
async function ownDatabase(server: string) {
  const name = `t_${randomUUID().replaceAll("-", "")}`;
  const client = new pg.Client(server);
  await client.connect();
  await client.query(`create role ${name} login password 'own'`);
  await client.query(`create database ${name} owner ${name}`);
  await client.end();
  const url = new URL(server);
  Object.assign(url, { username: name, password: "own", pathname: `/${name}` });
  return { name, url: url.href };
}

/** A restore begins a new epoch of the stream of events, and says so in the audit log; all else is as it was. */
const OF_THE_EPOCH = ["audit_log", "audit_unsealed", "sequencer_state", "stream_epochs"];

describe("backup and restore of an installation", function () {
  this.timeout(240_000);
  const folder = mkdtempSync(join(tmpdir(), "warehouse-backup-"));
  let stack: Stack;
  let floor: Floor;
  let sink: Sink;
  before(async () => {
    stack = await openStack(senderEnv);
    connect(stack.databaseUrl, 4);
    floor = await openFloor(stack, 3);
    sink = await openSink();
    await subscribe(stack.admin, sink.url);
  });
  after(async () => {
    await disconnect();
    await stack?.close();
    await sink?.stop();
    rmSync(folder, { recursive: true });
  });

  /** Runs the command as an operator does, on the data folder of the installation unless a database is given. */
  const run = async (command: "backup" | "restore", args: string[], DATABASE_URL = "") => {
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, SERVICE_DATA_DIR: stack.folder, DATABASE_URL };
    return (await promisify(execFile)("node", [`dist/workers/${command}.js`, ...args], { env })).stdout;
  };

  async function running(workflowId: string): Promise<boolean> {
    const connection = await Connection.connect({ address: stack.temporalAddress });
    try {
      const { status } = await new Client({ connection }).workflow.getHandle(workflowId).describe();
      return status.name === "RUNNING";
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    } finally {
      await connection.close();
    }
  }

  it("takes all of it as of one moment, while people work", async () => {
    const file = join(folder, "at-work.gz");
    let working = true;
    const work = Promise.all(
      floor.scanners.map(async (scanner) => {
        do await walk(floor, scanner);
        while (working);
      }),
    );
    await until(() => floor.accepted("/api/picking/complete-batch").length > 0, 60_000);
    const said = await run("backup", [file]).finally(() => (working = false));
    await work;
    assert.match(said, /^Backed up \d+ tables with \d+ rows into .*at-work\.gz \(\d+\.\d MB\)\.$/m);
    assert.match(said, /^Not in it: .*encryption-key, .*token-pepper, .*Keep both, apart from the backup\.$/m);
    assert.equal(statSync(file).mode & 0o777, 0o600);

    const copy = await ownDatabase(stack.databaseUrl);
    assert.match(await run("restore", [file], copy.url), /^Restored \d+ tables with \d+ rows, as they were at 20/);
    await disconnect();
    connect(copy.url, 2);
    await assertInvariants();
    const { verified, broken } = await verifyAuditLog();
    assert.equal(broken, undefined);
    assert.ok(verified > 0);
    await disconnect();
    connect(stack.databaseUrl, 4);
  });

  it("gives back every row after everything was wiped, and the service goes on", async () => {
    const [scanner] = floor.scanners;
    assert.ok(scanner);
    const wave = await startWave(floor, scanner);
    const { pick_task_id, sku, quantity_to_pick } = await scanner.get(`/api/picking/batch/${wave.batch_id}/next`);
    await scanner.post("/api/picking/confirm", {
      pick_task_id,
      scanned_barcode: sku,
      quantity_picked: quantity_to_pick,
    });
    const startAgain = await stack.stop("API", "Worker", "Temporal");
    const before = await everything([]);
    const file = join(folder, "evening.gz");
    await run("backup", [file]);
    // Nobody is told in time that this one is lost; it was polled already.
    const [lost] = await happened(["ship.confirmed", floor.warehouse_id]);
    const known = await db.row<{ epoch: string }>("select epoch from stream_epochs");
    await disconnect();

    const startPostgres = await stack.stop("Postgres");
    rmSync(join(stack.folder, "postgres"), { recursive: true });
    const said = await run("restore", [file]);
    assert.match(said, /Temporal begins anew: open waves and counts get their processes back/);
    assert.equal(existsSync(join(stack.folder, "temporal.db")), false);
    await startPostgres();
    connect(stack.databaseUrl, 4);
    assert.deepEqual(differing(before, await everything([])).sort(), OF_THE_EPOCH);

    const sent = sink.received.length;
    await startAgain();
    await stack.ready();
    await until(() => running(waveWorkflowId(wave.batch_id)), 90_000);
    // A restore ends all sessions.
    const again = new Scanner(await signedIn(stack.admin, scanner.caller.username));
    await pickAll(again, wave);
    await again.post("/api/picking/complete-batch", wave);
    await walk(floor, again);
    await assertInvariants();
    const newest = () =>
      db.row<{ event_id: number }>(
        "select max(event_id) as event_id from integration_events where event_id is not null",
      );
    await until(async () => {
      const event = await newest();
      return sink.received.slice(sent).some(({ event_id }) => event_id === event?.event_id);
    }, 60_000);
    const { epoch } = JSON.parse(String(sink.received.at(-1)?.body));
    assert.notEqual(epoch, known?.epoch);
    const { token } = await again.caller.ok("POST", "/api/admin/tokens", {
      ...{ token_name: "poller", endpoints: ["events.poll"], event_types: eventTypes },
      warehouse_ids: [floor.warehouse_id],
    });
    const poller = new Caller(stack.admin.url, { "x-wms-token": token }, "poller", 0);
    const { status, body } = await poller.get(`/api/v1/events?after=${lost}`);
    assert.deepEqual([status, body.error, body.epoch], [400, "cursor_beyond_horizon", epoch]);
    const { events } = await poller.ok("GET", `/api/v1/events?after=${body.resume_after}`);
    assert.ok(events.length > 0 && events.every((event: { epoch: string }) => event.epoch === epoch));
  });
});

describe("a backup", () => {
  const { chain, last } = release030;
  const folder = mkdtempSync(join(tmpdir(), "warehouse-backup-"));
  const file = join(folder, "good.gz");
  const made: string[] = [];
  let source: string;
  const another = async () => {
    const { name, url } = await ownDatabase(process.env.TEST_DATABASE_URL as string);
    made.push(name);
    return url;
  };
  before(async () => {
    source = await another();
    await migrate(source, migrations);
    connect(source, 2);
    const warehouse_id = await warehouse();
    await stock(warehouse_id, await bin(warehouse_id), (await item({ sku: "Tab\there\\.\nand é" })).item_id, 5);
    await disconnect();
    await backUp(source, file, null);
  });
  afterEach(() => disconnect());
  after(async () => {
    for (const name of made) {
      await onServer(`drop database ${name}`);
      await onServer(`drop role ${name}`);
    }
    rmSync(folder, { recursive: true });
  });

  const put = async (url: string, path = file, more: Partial<Restoration> = {}) =>
    restore(await verifyBackup(path), { databaseUrl: url, migrations, replace: false, ...more });
  async function contents(url: string) {
    connect(url, 1);
    try {
      return await everything([]);
    } finally {
      await disconnect();
    }
  }

  it("is put into an empty database of a role that can nothing else, and comes out of it again", async () => {
    const target = await another();
    await put(target);
    const { manifest } = await verifyBackup(file);
    assert.deepEqual(differing(await contents(source), await contents(target)).sort(), OF_THE_EPOCH);
    const again = await backUp(target, join(folder, "again.gz"), null);
    const kept = ({ tables }: typeof manifest) => tables.filter(({ name }) => !OF_THE_EPOCH.includes(name));
    assert.deepEqual(kept(again), kept(manifest));
    const { audit_log_log_id_seq, ...sequences } = again.sequences;
    assert.deepEqual({ ...manifest.sequences, ...sequences }, manifest.sequences);
    connect(target, 1);
    await warehouse();
    await assert.rejects(db.run("delete from bins"), /foreign key/);
    await assert.rejects(db.run("truncate audit_log"), /append-only/);
  });

  it("of 0.3.0, or of a development from there, is brought to the newest schema", async () => {
    for (const further of [0, 3]) {
      const [old, target] = [await another(), await another()];
      const path = join(folder, `old-${further}.gz`);
      await migrate(old, chain.slice(0, chain.findIndex(({ name }) => name === last) + 1 + further));
      await backUp(old, path, null);
      await put(target, path);
      connect(target, 1);
      const ran = await db.rows<{ name: string }>("select name from knex_migrations order by id");
      assert.deepEqual(
        pluck(ran, "name"),
        migrations.map(({ name }) => name),
      );
      await disconnect();
    }
  });

  it("of 0.3.0 keeps its rows, and what the newest schema knows of them is added", async () => {
    const [old, target] = [await another(), await another()];
    const path = join(folder, "at-work.gz");
    const owner = new URL(process.env.TEST_DATABASE_URL as string);
    owner.pathname = new URL(old).pathname;
    await fillAs030(owner.href);
    const { tables } = await backUp(owner.href, path, null);
    await put(target, path);
    connect(target, 1);
    const changed = [...OF_THE_EPOCH, "knex_migrations", "wms_token_minutes"];
    for (const { name, rows } of tables.filter((table) => !changed.includes(table.name)))
      assert.equal((await db.rows(`select from ${name}`)).length, rows, name);
    await assertInvariants();
    await disconnect();
  });

  it("of a release before 0.3.0 is told to pass through that", async () => {
    const [old, target] = [await another(), await another()];
    const path = join(folder, "older.gz");
    await migrate(old, chain.slice(0, 3));
    await backUp(old, path, null);
    await assert.rejects(put(target, path), /the backup is of a release before 0\.3\.0\. Bring it to 0\.3\.0 first/);
  });

  it("of a newer release is refused", async () => {
    const last = migrations.at(-1)?.name as string;
    const old = put(await another(), file, { migrations: migrations.slice(0, -1) });
    await assert.rejects(old, new RegExp(`newer version of the service, .*: ${last} is unknown here`));
  });

  it("is not put into a database with tables, unless they may go", async () => {
    const target = await another();
    await migrate(target, migrations);
    connect(target, 1);
    await warehouse();
    await disconnect();
    await assert.rejects(put(target), /the database is not empty, it has \d+ tables.*--replace/s);
    await put(target, file, { replace: true });
    assert.deepEqual(differing(await contents(source), await contents(target)).sort(), OF_THE_EPOCH);
  });

  it("is not put into a database that somebody is connected to", async () => {
    const target = await another();
    const client = new pg.Client({ connectionString: target, application_name: "warehouse" });
    await client.connect();
    await assert.rejects(put(target), /others are connected to the database: warehouse \(role t_\w+\)\. Stop them/);
    await client.end();
  });

  it("that cannot be put in whole leaves the database as it was", async () => {
    const path = join(folder, "orphans.gz");
    // A sound file whose bins belong to no warehouse.
    const all: Record<string, Buffer> = {};
    const manifest = await readBackup(file, async ({ name }, rows) => {
      all[name] = await buffer(rows as AsyncIterable<never>);
    });
    all.warehouses = Buffer.alloc(0);
    const sha256 = createHash("sha256").digest("hex");
    const tables = manifest.tables.map((table) =>
      table.name === "warehouses" ? { ...table, rows: 0, bytes: 0, sha256 } : table,
    );
    const rows = tables.map(({ name }) => all[name] as Buffer);
    await writeBackup(path, Readable.from(rows), async () => ({ ...manifest, tables }));
    const [empty, full] = [await another(), await another()];
    const fails = (error: Error) =>
      error instanceof NotRestored && /the database is as it was: .*foreign key/.test(error.message);
    await assert.rejects(put(empty, path), fails);
    connect(empty, 1);
    assert.deepEqual(await db.rows("select relname from pg_class where relnamespace = 'public'::regnamespace"), []);
    await disconnect();
    // One that is cut off only after it was looked at.
    const cut = { ...(await verifyBackup(file)), path: join(folder, "cut.gz") };
    writeFileSync(cut.path, readFileSync(file).subarray(0, -200));
    await assert.rejects(
      restore(cut, { databaseUrl: empty, migrations, replace: false }),
      /^NotRestored: Not restored, the database is as it was: .*cut\.gz cannot be restored: unexpected end of file/,
    );
    connect(empty, 1);
    assert.deepEqual(await db.rows("select relname from pg_class where relnamespace = 'public'::regnamespace"), []);
    await disconnect();
    await put(full);
    await assert.rejects(put(full, path, { replace: true }), fails);
    assert.deepEqual(differing(await contents(source), await contents(full)).sort(), OF_THE_EPOCH);
  });

  describe("that is damaged is refused before anything is written:", () => {
    const good = () => readFileSync(file);
    const plain = () => gunzipSync(good()).toString("latin1");
    const packed = (text: string) => gzipSync(Buffer.from(text, "latin1"));
    const damaged: Record<string, [() => Buffer, RegExp]> = {
      "half of it": [() => good().subarray(0, good().length / 2), /unexpected end of file/],
      "all but its last bytes": [() => good().subarray(0, -9), /unexpected end of file/],
      "a bit that fell over": [() => flipped(good()), /incorrect|invalid/],
      "a row that was edited": [
        () => packed(plain().replace("Item Tab", "Item Tub")),
        /the rows of items were altered/,
      ],
      "a manifest that was edited": [
        () => packed(plain().replace('"version":"', '"version":"9')),
        /manifest was altered/,
      ],
      "rows that were taken away": [() => packed(plain().slice(0, -40)), /it is cut off|altered/],
      "rows that were added": [() => packed(`${plain()}1\t2\n`), /more in it than its manifest says/],
      "another gzip file": [() => packed("hello\nworld\n"), /no backup of this service/],
      "an empty file": [() => Buffer.alloc(0), /unexpected end of file|no backup/],
      "no gzip file": [() => Buffer.from("hello"), /incorrect header/],
      "a later format": [() => packed(plain().replace("warehouse-backup 1", "warehouse-backup 2")), /its format is/],
    };
    for (const [what, [bytes, why]] of Object.entries(damaged))
      it(what, async () => {
        const path = join(folder, "bad.gz");
        writeFileSync(path, bytes());
        await assert.rejects(verifyBackup(path), (error) => error instanceof BadBackup && why.test(error.message));
      });
  });
});

function flipped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const middle = Math.floor(copy.length / 2);
  copy[middle] = (copy[middle] as number) ^ 4;
  return copy;
}
