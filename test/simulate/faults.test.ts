import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Line, type Loss } from "../../simulate/faults/line.js";
import { planFaults } from "../../simulate/faults/plan.js";
import { randomOf } from "../../simulate/random.js";
import { exitCodeOf, finalReport } from "../../simulate/report.js";
import { faultyDay } from "../../simulate/seeds.js";
import { TIME_FACTOR } from "../support/machine-speed.js";

describe("the faults of a day", () => {
  const plan = (seed: number, seconds = 30) => planFaults(randomOf(seed, "faults"), seconds);

  it("are repeated by a seed, and are others under another seed", () => {
    assert.deepEqual(plan(1), plan(1));
    assert.notDeepEqual(plan(1), plan(2));
  });

  it("are as many as the day is long, in the order of their times, and each kind comes before one comes twice", () => {
    const faults = plan(1, 69);
    assert.equal(faults.length, 23);
    assert.equal(new Set(faults.map(({ what, of }) => `${what} ${of}`)).size, 23);
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

describe("a day with faults", function () {
  this.timeout(240_000);

  it("ends as the answers said, whatever died and whatever was lost", async () => {
    const said: string[] = [];
    const day = await faultyDay({ seed: 4, speed: 120 / TIME_FACTOR, hours: 0.5 }, (line) => said.push(line));
    const report = [...said, finalReport(day)].join("\n");
    assert.equal(exitCodeOf(day), 0, report);
    assert.equal(day.invariants.length, 16, report);
    assert.ok(day.faults.length >= 4, report);
    assert.ok(day.figures.of("ordersIn") > 0, report);
  });
});
