import assert from "node:assert/strict";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { slowDisk } from "../../simulate/faults/disk.js";
import { Line, type Loss } from "../../simulate/faults/line.js";
import { planFaults } from "../../simulate/faults/plan.js";
import { randomOf } from "../../simulate/random.js";
import { exitCodeOf, finalReport } from "../../simulate/report.js";
import { faultyDay } from "../../simulate/seeds.js";
import { freePort } from "../../src/launcher/free-port.js";
import { type PostgresServer, startPostgres } from "../../src/launcher/postgres.js";
import { TIME_FACTOR } from "../support/machine-speed.js";
import { testFolder } from "../support/test-folder.js";
import { until } from "../support/until.js";

describe("the faults of a day", () => {
  const plan = (seed: number, seconds = 30) => planFaults(randomOf(seed, "faults"), seconds);

  it("are repeated by a seed, and are others under another seed", () => {
    assert.deepEqual(plan(1), plan(1));
    assert.notDeepEqual(plan(1), plan(2));
  });

  it("are as many as the day is long, in the order of their times, and each kind comes before one comes twice", () => {
    const faults = plan(1, 72);
    assert.equal(faults.length, 24);
    assert.equal(new Set(faults.map(({ what, of }) => `${what} ${of}`)).size, 24);
    const times = faults.map(({ at }) => at);
    assert.deepEqual(times, [...times].sort());
    assert.ok(times.every((at) => at > 0 && at < 1));
    assert.equal(plan(1, 1).length, 4);
  });
});

describe("a line", () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    // Who hangs up does so before there is an answer.
    if (request.url !== "/patience") response.end("done");
  });
  let line: Line;
  before(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    line = await Line.open([(server.address() as AddressInfo).port]);
  });
  after(async () => {
    await line.close();
    server.close();
    server.closeAllConnections();
  });
  const get = (path: string) => fetch(`http://127.0.0.1:${line.port}${path}`).then((answer) => answer.text());

  it("hands on what is asked and answered", async () => {
    assert.equal(await get("/plain"), "done");
    assert.deepEqual(asked, ["/plain"]);
  });

  it("loses a request, or its answer, when it is told to", async () => {
    for (const loss of ["request", "answer", "patience"] as Loss[]) {
      line.loss = () => loss;
      await assert.rejects(get(`/${loss}`), TypeError);
    }
    line.loss = () => undefined;
    assert.equal(await get("/after"), "done");
    assert.deepEqual(asked, ["/plain", "/answer", "/patience", "/after"]);
  });

  it("holds everything back for a while", async () => {
    let isOver = false;
    const held = line.silence(200).then(() => {
      isOver = true;
    });
    assert.equal(await get("/held"), "done");
    assert.ok(isOver);
    await held;
  });
});

describe("a slow disk", function () {
  this.timeout(60_000);
  const folder = testFolder();
  let postgres: PostgresServer;
  before(async () => {
    postgres = await startPostgres({ folder, port: await freePort(), printLine: () => {} });
  });
  after(async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("lets a commit wait, and no longer than it lasts", async () => {
    const client = new pg.Client(postgres.url);
    await client.connect();
    const delay = async () => (await client.query("show commit_delay")).rows[0].commit_delay;
    const over = slowDisk(postgres.url, 90, 2_000);
    await until(async () => (await delay()) === "90000");
    const took: number[] = [];
    for (const name of ["a", "b", "c"]) {
      const begun = performance.now();
      await client.query(`create table ${name} ()`);
      took.push(performance.now() - begun);
    }
    // A busy machine takes longer. Where the server itself has begun a flush, a commit waits for the rest of that one.
    assert.ok(Math.max(...took) >= 90, `${took}`);
    await over;
    await until(async () => (await delay()) === "0");
    await client.end();
  });
});

describe("a day with faults", function () {
  this.timeout(240_000);

  it("ends as the answers said, whatever died and whatever was lost", async () => {
    const said: string[] = [];
    const day = await faultyDay({ seed: 4, speed: 120 / TIME_FACTOR, hours: 0.5 }, (line) => said.push(line));
    const report = [...said, finalReport(day)].join("\n");
    assert.equal(exitCodeOf(day), 0, report);
    assert.equal(day.invariants.length, 17, report);
    assert.ok(day.faults.length >= 4, report);
    assert.ok(day.figures.of("ordersIn") > 0, report);
  });
});
