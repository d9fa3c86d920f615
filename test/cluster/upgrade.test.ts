import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Client, Connection } from "@temporalio/client";
import { freePort } from "../../src/launcher/free-port.js";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { expectedWorkflows } from "../../workers/reconcile.js";
import { Caller } from "../support/caller.js";
import { proxyFor, proxyProgram } from "../support/cluster-proxy.js";
import { commandOf } from "../support/compose.js";
import { db } from "../support/db.js";
import { earlierRelease } from "../support/earlier-release.js";
import { assertInvariants, unexplainedUnits } from "../support/invariants.js";
import { repeatAll, type Work } from "../support/kills/kills.js";
import { returnsOf } from "../support/kills/returns.js";
import { transfersOf } from "../support/kills/transfers.js";
import { wavesOf } from "../support/kills/waves.js";
import { PASSWORD } from "../support/people.js";
import { endRole, killRoles, roleEnv, startRole } from "../support/roles.js";
import { databaseUrl, onServer } from "../support/servers.js";
import { countBatchesApart } from "../support/service.js";
import { signedIn } from "../support/shift.js";
import { beginDay, type SimulatedDay } from "../support/simulated-day.js";
import { until } from "../support/until.js";

const STDERR = 2;
const SIDE_BY_SIDE = 2;
const PEOPLE = 2;
/** Of each of the items that are transferred. */
const UNITS = 100_000;
const GOES_ON_WITHIN_MS = 120_000;

type Release = "earlier" | "this";

describe("an upgrade from the release before, and the way back, while people work", function () {
  this.timeout(40 * 60_000);
  const name = `t_${randomUUID().replaceAll("-", "")}`;
  let env: NodeJS.ProcessEnv;
  const running: Record<"api" | "worker", ChildProcess[]> = { api: [], worker: [] };
  let folder: string;
  let ports: number[];
  let day: SimulatedDay;
  /** What other people begin and leave. */
  let left: Work[];
  let engine: Client;

  before(async function () {
    const proxy = proxyProgram();
    const earlier = proxy && earlierRelease();
    if (!earlier) return this.skip();
    folder = earlier;
    env = roleEnv(databaseUrl(name), {
      ...{ TEMPORAL_TASK_QUEUE: name, RATE_LIMIT_PER_MINUTE: "0", SERVICE_ADMIN_PASSWORD: PASSWORD },
    });
    await onServer(`create database ${name}`);
    await migrate("earlier");
    connect(databaseUrl(name), 4);
    await countBatchesApart();
    engine = new Client({ connection: await Connection.connect({ address: env.TEMPORAL_ADDRESS as string }) });
    ports = await Promise.all(Array.from({ length: SIDE_BY_SIDE }, freePort));
    for (let i = 0; i < SIDE_BY_SIDE; i++) {
      start("worker", "earlier", i);
      start("api", "earlier", i);
    }
    await Promise.all(ports.map((port) => lives(`http://127.0.0.1:${port}`)));
    const { url, begin } = await proxyFor(
      proxy,
      ports.map((port) => `127.0.0.1:${port}`),
    );
    begin();
    await lives(url);
    const admin = await signedIn(new Caller(url, {}, "", 0), "admin");
    left = [await wavesOf({ admin }, PEOPLE), await transfersOf({ admin }, UNITS), await returnsOf({ admin })];
    day = await beginDay(url, () => lives(url), true);
    await day.goesOn();
  });
  after(async () => {
    day?.breakOff();
    killRoles();
    await disconnect();
    await engine?.connection.close();
    await onServer(`drop database if exists ${name} with (force)`);
  });

  /** The command of the compose file, in this folder or in that of the release before. */
  const command = (role: "api" | "worker" | "migrate", release: Release) =>
    commandOf(role).map((word) => (release === "earlier" ? word.replace(/^dist/, `${folder}/dist`) : word));
  async function migrate(release: Release): Promise<void> {
    const [code] = await once(startRole(command("migrate", release), env, STDERR), "exit");
    assert.equal(code, 0, "migrate says why");
  }
  function start(role: "api" | "worker", release: Release, i: number): void {
    running[role][i] = startRole(command(role, release), { ...env, PORT: `${ports[i]}` });
  }
  const lives = (address: string) =>
    until(
      () =>
        fetch(`${address}/api/health`).then(
          ({ ok }) => ok,
          () => false,
        ),
      60_000,
    );
  /** Ends one after the other in order, and starts one of this release at its place. */
  async function replace(role: "api" | "worker", release: Release): Promise<void> {
    for (let i = 0; i < SIDE_BY_SIDE; i++) {
      await endRole(running[role][i] as ChildProcess);
      start(role, release, i);
      if (role === "api") await lives(`http://127.0.0.1:${ports[i]}`);
      await day.goesOn();
    }
  }
  let open: { end: () => Promise<void> }[] = [];
  const leaveOpen = async () => {
    open = await Promise.all(left.map((work) => work.leaveOpen()));
  };
  const endOpen = () => Promise.all(open.map(({ end }) => end()));

  it("migrates while the release before works", async () => {
    await leaveOpen();
    await migrate("this");
    await day.goesOn();
  });

  it("replaces workers, then APIs, one by one, and what was begun before is ended", async () => {
    await replace("worker", "this");
    await replace("api", "this");
    await endOpen();
    await day.goesOn();
  });

  it("goes back", async () => {
    await leaveOpen();
    await replace("api", "earlier");
    await replace("worker", "earlier");
    await endOpen();
    await day.goesOn();
  });

  it("and forward again", async () => {
    await replace("worker", "this");
    await replace("api", "this");
    await day.goesOn();
  });

  it("has lost nothing, done nothing twice and left no process behind", async () => {
    await day.end();
    await until(async () => (await leftBehind()).length === 0, GOES_ON_WITHIN_MS).catch(async () =>
      assert.deepEqual(await leftBehind(), []),
    );
    const scanners = left.flatMap((work) => work.scanners);
    const done = () => Promise.all(left.map((work) => work.done()));
    const before = await done();
    await repeatAll(scanners, true);
    assert.deepEqual(await done(), before, "a repeat did something");
    await assertInvariants();
    // The goods of transfers were put straight into the rows; the day itself has counted what tills sold.
    const sold = await db.rows<{ item_id: number }>("select distinct item_id from counter_sale_units");
    const byTills = new Set(sold.map(({ item_id }) => item_id));
    const unexplained = (await unexplainedUnits()).filter(({ item_id }) => !byTills.has(item_id));
    assert.deepEqual(new Set(unexplained.map(({ units }) => units)), new Set([UNITS]));
    assert.deepEqual(
      await db.rows("select batch_id, status from pick_batches where status not in ('COMPLETED', 'CANCELLED')"),
      [],
    );
  });

  /** What runs on our task queue although its rows have ended. Returns of the day that have not come yet go on. */
  async function leftBehind(): Promise<string[]> {
    const settings = { temporalTaskQueue: name, dispatcherEnabled: true, connectorRetryDelayMs: 0 };
    const wanted = new Set((await expectedWorkflows(settings)).map(({ workflowId }) => workflowId));
    const left: string[] = [];
    const query = `TaskQueue = '${name}' and ExecutionStatus = 'Running'`;
    for await (const { workflowId } of engine.workflow.list({ query }))
      if (!wanted.has(workflowId)) left.push(workflowId);
    return left;
  }
});
