import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { Client, Connection, type WorkflowClient } from "@temporalio/client";
import { waveWorkflowId } from "../../src/picking/wave.js";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { db } from "../support/db.js";
import { assertInvariants, unexplainedUnits } from "../support/invariants.js";
import { inspectionsOf } from "../support/kills/inspections.js";
import { HEALED_WITHIN_MS, repeatAll, throughKills, type Work } from "../support/kills/kills.js";
import { programmesOf } from "../support/kills/programmes.js";
import { recallsOf } from "../support/kills/recalls.js";
import { releasesOf } from "../support/kills/releases.js";
import { replenishmentsOf } from "../support/kills/replenishments.js";
import { returnsOf } from "../support/kills/returns.js";
import { serialsOf } from "../support/kills/serials.js";
import { transfersOf } from "../support/kills/transfers.js";
import { wavesOf } from "../support/kills/waves.js";
import type { Scanner } from "../support/scanner.js";
import { type Floor, pickAll, startWave, walk } from "../support/shift.js";
import { openStack, type Stack } from "../support/stack.js";
import type { TwoHouses } from "../support/transfer-walks.js";
import { until } from "../support/until.js";

/** How often each process is killed, and how long the engine stays away; `npm run test:long` asks for more. */
const ROUNDS = Number(process.env.TEST_KILL_ROUNDS ?? 1);
const OUTAGE_MS = Number(process.env.TEST_OUTAGE_SECONDS ?? 5) * 1_000;
const PICKERS = 4;
/** Of each of the items that are transferred. */
const UNITS = 100_000;

describe("waves, releases, counts, transfers, returns and more, as the service is killed", function () {
  this.timeout(300_000 + OUTAGE_MS + ROUNDS * 120_000);
  let stack: Stack;
  let floor: Floor;
  let houses: TwoHouses;
  let works: Work[];
  let scanner: Scanner;
  let connection: Connection;
  let workflows: WorkflowClient;
  before(async () => {
    stack = await openStack();
    connect(stack.databaseUrl, 4);
    const waves = await wavesOf(stack, PICKERS);
    const transfers = await transfersOf(stack, UNITS);
    works = [waves, transfers, await returnsOf(stack), await inspectionsOf(stack)];
    works.push(await recallsOf(stack), await serialsOf(stack), await releasesOf(stack));
    const tell = (workflowId: string) => workflows.getHandle(workflowId).signal("changed");
    works.push(await programmesOf(stack), await replenishmentsOf(stack, tell));
    ({ floor } = waves);
    ({ houses } = transfers);
    [scanner] = waves.scanners as [Scanner];
    connection = await Connection.connect({ address: stack.temporalAddress });
    workflows = new Client({ connection }).workflow;
  });
  after(async () => {
    await connection?.close();
    await disconnect();
    await stack?.close();
  });

  it("go on, whichever of them dies", () => throughKills(stack, works, ROUNDS));

  it("complete with another worker when the one that had them is killed, without a 503", async () => {
    const { scanners } = floor;
    const waves = await Promise.all(
      scanners.map(async (scanner) => {
        const wave = await startWave(floor, scanner);
        await pickAll(scanner, wave);
        return { scanner, wave };
      }),
    );
    const killOther = await stack.addWorker();
    const bringBack = await stack.takeAway("Worker");
    // As the last scans: Temporal gives them to the worker that had the wave.
    await Promise.all(
      waves.map(({ wave }) => workflows.getHandle(waveWorkflowId(wave.batch_id)).signal("scanned", [])),
    );
    const asked = () => scanners.map((scanner) => scanner.asked);
    const before = asked();
    await Promise.all(waves.map(({ scanner, wave }) => scanner.post("/api/picking/complete-batch", wave)));
    assert.deepEqual(
      asked(),
      before.map((requests) => requests + 1),
    );
    await bringBack();
    killOther();
  });

  it("are scanned on while the workflow engine is away, which the service says, and heals", async () => {
    const wave = await startWave(floor, scanner);
    const bringBack = await stack.takeAway("Temporal");
    const back = Date.now() + OUTAGE_MS;
    await until(async () => (await stack.missing())?.includes("temporal") === true);
    const refused = scanner.caller.post("/api/picking/complete-batch", wave);
    await pickAll(scanner, wave);
    const { status, body, headers } = await refused;
    assert.deepEqual([status, body, headers.get("retry-after")], [503, { error: "workflow_engine_unavailable" }, "1"]);
    const ended = scanner.post("/api/picking/complete-batch", wave);
    await pause(Math.max(0, back - Date.now()));
    await bringBack();
    await ended;
    await stack.ready();
    await walk(floor, scanner);
  });

  it("get their workflows back when the engine's whole store is gone, and go on to their ends", async () => {
    const open = await Promise.all(works.map((work) => work.leaveOpen()));
    const bringBack = await stack.takeAway("Temporal");
    stack.forgetProcesses();
    await bringBack();
    const waiting = open.reduce((sum, one) => sum + one.waiting, 0);
    await until(async () => (await running()) === waiting, HEALED_WITHIN_MS);
    await Promise.all(open.map(({ end }) => end()));
  });

  it("are answered 503 while Postgres is away, which the service says, and heals", async () => {
    const bringBack = await stack.takeAway("Postgres");
    const { status, body, headers } = await scanner.caller.get("/api/picking/active-batch");
    assert.deepEqual([status, body, headers.get("retry-after")], [503, { error: "database_unavailable" }, "1"]);
    assert.ok((await stack.missing())?.includes("postgres"));
    await bringBack();
    await stack.ready();
    await walk(floor, scanner);
  });

  it("have lost nothing, done nothing twice and left nothing behind", async () => {
    const done = () => Promise.all(works.map((work) => work.done()));
    await until(async () => (await running()) === 0, HEALED_WITHIN_MS);
    const before = await done();
    assert.deepEqual(await unfinished(), []);

    await repeatAll(works.flatMap(({ scanners }) => scanners));
    assert.deepEqual(await done(), before, "a repeat did something");
    await assertInvariants();
    // The goods of transfers were put straight into the rows.
    const put = houses.goods.map(({ item_id }) => ({ item_id, units: UNITS }));
    assert.deepEqual(await unexplainedUnits(), put);
    await until(async () => (await unnumbered()).waiting === 0);
    assert.deepEqual(await unnumbered(), { waiting: 0, dense: true });
  });

  /** How many workflows of the floor there are. */
  async function running(): Promise<number> {
    const types = "'pickWave', 'cycleCount', 'transferOrder', 'rma', 'inspection', 'recall', 'replenishment'";
    const query = `WorkflowType in (${types}) and ExecutionStatus = 'Running'`;
    const counted = await workflows.count(query).catch(() => undefined);
    return counted?.count ?? -1;
  }
});

/** What stands where nobody left it. */
function unfinished() {
  return db.rows(
    `select batch_number as what, status from pick_batches where status <> 'COMPLETED'
     union all select to_number, status from transfer_orders where status not in ('CLOSED', 'CANCELLED')
     union all select so_number, status from sales_orders
       where status not in ('PICKED', 'SHIPPED', 'RECEIVED') and voided_at is null`,
  );
}

/** Events that wait for their number, and whether those given are 1, 2, 3 … without a gap. */
async function unnumbered() {
  return (await db.row<{ waiting: number; dense: boolean }>(
    `select count(*) - count(event_id) as waiting, count(event_id) = max(event_id) as dense from integration_events`,
  )) as { waiting: number; dense: boolean };
}
