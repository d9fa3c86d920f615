import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { migrations } from "../../migrations/index.js";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { migrate } from "../../src/platform/db/migrate.js";
import { ArchivedPostgres, postgresPrograms } from "../support/archived-postgres.js";
import { db } from "../support/db.js";
import { differing, everything } from "../support/everything.js";
import { bin, item, stock, warehouse } from "../support/fixtures.js";
import { endRole } from "../support/roles.js";
import { until } from "../support/until.js";

const programs = postgresPrograms();

describe("the archive of docker-compose.yml", function () {
  this.timeout(60_000);
  let server: ArchivedPostgres;
  let archive: ChildProcess;
  before(async function () {
    if (!programs) {
      console.log(
        "    Not tested: no programs of Postgres 15 or later on this machine (Debian: apt-get install postgresql)",
      );
      return this.skip();
    }
    server = await ArchivedPostgres.make(programs);
    await migrate(server.url("warehouse"), migrations);
    connect(server.url("warehouse"), 2);
  });
  after(async () => {
    if (!server) return;
    await disconnect();
    await server.end("SIGKILL");
    server.remove();
  });

  const lines = () => readdirSync(server.archive).filter((name) => name.startsWith("2"));
  const basesOf = (line: string) => readdirSync(join(server.archive, line, "base"));
  const segmentsOf = (line: string) =>
    readdirSync(join(server.archive, line, "wal")).filter((name) => !name.endsWith(".history"));
  async function work(): Promise<void> {
    const warehouse_id = await warehouse();
    await stock(warehouse_id, await bin(warehouse_id), (await item()).item_id, 5);
  }
  /** Whatever comes next is in another segment of the WAL. */
  const switchWal = () => server.psql("postgres", "select pg_switch_wal()");
  /** Waits until the archive has confirmed all that is written. */
  async function archived(): Promise<void> {
    const written = await db.value("select pg_current_wal_flush_lsn()");
    const confirmed = "select restart_lsn >= $1::pg_lsn from pg_replication_slots where active";
    await until(async () => Boolean(await db.value(confirmed, [written])), 20_000);
  }
  /** What is in the database after a restore. */
  async function restored(...moment: string[]) {
    await server.restore(...moment);
    await server.start();
    connect(server.url("warehouse"), 2);
    return everything([]);
  }
  async function end(signal: "SIGINT" | "SIGKILL"): Promise<void> {
    await disconnect();
    await server.end(signal);
  }
  const old = (path: string, days: number) => {
    const moment = Date.now() / 1_000 - days * 86_400;
    utimesSync(join(server.archive, path), moment, moment);
  };

  type Everything = Awaited<ReturnType<typeof everything>>;
  /** What there was at a moment. */
  let noted: Everything;
  let moment: string;
  async function note(): Promise<void> {
    noted = await everything([]);
    moment = (await db.value<string>("select clock_timestamp()::text")) as string;
  }
  let last: Everything;

  it("is of a role that replicates and can nothing else", async () => {
    const role = "select to_jsonb(r) - '{oid,rolpassword}'::text[] from pg_roles r where rolname = 'archive'";
    const { rolreplication, rolcanlogin, ...rights } = (await db.value<Record<string, unknown>>(role)) ?? {};
    assert.deepEqual([rolreplication, rolcanlogin], [true, true]);
    assert.deepEqual(
      Object.entries(rights).filter(([name, value]) => value === true && name !== "rolinherit"),
      [],
    );
    await assert.rejects(new pg.Client(server.url("archive")).connect(), /pg_hba.conf rejects/);
  });

  it("has a base backup, and all that is written since, also while nobody works", async () => {
    assert.equal(await server.archives(), false);
    archive = server.startArchive();
    await until(() => server.archives(), 30_000);
    assert.equal(lines().length, 1);
  });

  it("is no way back while Postgres runs", async () => {
    await assert.rejects(server.restore(), /Postgres runs\. Nothing is restored/);
  });

  it("gives back a moment after Postgres was killed and its folder is lost", async () => {
    await work();
    await switchWal();
    await work();
    await note();
    await work();
    await switchWal();
    await work();
    last = await everything([]);
    await archived();
    const ended = once(archive, "exit");
    await end("SIGKILL");
    await ended;

    assert.deepEqual(differing(noted, await restored(moment)), []);
  });

  it("gives back all that was committed before the kill", async () => {
    await end("SIGINT");
    assert.deepEqual(differing(last, await restored()), []);
    // As the page says, before the service starts.
    await server.psql("warehouse", "select start_stream_epoch()");
    assert.equal((await db.rows("select from stream_epochs")).length, 2);
  });

  it("has no way back to a moment before its first base backup", async () => {
    await end("SIGINT");
    await assert.rejects(
      server.restore("2026-01-01 12:00"),
      /No base backup in .* was complete before 2026-01-01 12:00/,
    );
    await server.start();
    connect(server.url("warehouse"), 2);
  });

  it("begins anew with a server that was restored", async () => {
    archive = server.startArchive();
    await until(() => lines().length === 2, 30_000);
    await until(() => server.archives(), 30_000);
  });

  it("loses what is too old", async () => {
    await endRole(archive);
    const [first = "", second = ""] = lines();
    const [base = ""] = basesOf(second);
    const [segment = ""] = segmentsOf(second);
    for (const path of [first, join(second, "base", base)]) old(path, 9);
    await switchWal();
    archive = server.startArchive();
    await until(() => lines().join() === second, 30_000);
    assert.equal(basesOf(second).length, 1);
    assert.ok(!basesOf(second).includes(base));
    assert.ok(!segmentsOf(second).includes(segment), segment);
    await work();
    await note();
    await archived();
    await endRole(archive);
  });

  it("begins anew when it was away for too long", async () => {
    await end("SIGINT");
    await server.start("-cmax_slot_wal_keep_size=16MB");
    connect(server.url("warehouse"), 2);
    for (let i = 0; i < 4; i++) {
      await work();
      await switchWal();
    }
    await server.psql("postgres", "checkpoint");
    assert.equal(await db.value("select wal_status from pg_replication_slots"), "lost");
    archive = server.startArchive();
    await until(() => lines().length === 2, 30_000);
    await until(() => server.archives(), 30_000);
    await endRole(archive);
    await end("SIGINT");
  });

  it("goes back to what was before that, too", async () => {
    assert.deepEqual(differing(noted, await restored(moment)), []);
  });
});
