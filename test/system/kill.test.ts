import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { Client, Connection, type WorkflowClient } from "@temporalio/client";
import { connect, db, disconnect } from "../../src/db/db.js";
import { assertCauses } from "../support/floor/causes.js";
import { assertInvariants, unexplainedUnits } from "../support/invariants.js";
import { ledgerOf } from "../support/ledger.js";
import type { Scanner } from "../support/scanner.js";
import { type Floor, openFloor, pickAll, startWave, type Wave, walk } from "../support/shift.js";
import { openStack, type Part, type Stack } from "../support/stack.js";
import { until } from "../support/until.js";

/** How often each process is killed, and how long the engine stays away; `npm run test:long` asks for more. */
const ROUNDS = Number(process.env.TEST_KILL_ROUNDS ?? 1);
const OUTAGE_MS = Number(process.env.TEST_OUTAGE_SECONDS ?? 5) * 1_000;
const SCANNERS = 6;
const HEALED_WITHIN_MS = 120_000;

describe("the whole service, as its processes are killed under load", function () {
  this.timeout(300_000 + OUTAGE_MS + ROUNDS * 60_000);
  let stack: Stack;
  let floor: Floor;
  let connection: Connection;
  let workflows: WorkflowClient;
  let kills = 0;
  before(async () => {
    stack = await openStack();
    connect(stack.databaseUrl, 4);
    floor = await openFloor(stack, SCANNERS);
    connection = await Connection.connect({ address: stack.temporalAddress });
    workflows = new Client({ connection }).workflow;
  });
  after(async () => {
    await connection?.close();
    await disconnect();
    await stack?.close();
  });

  const everyone = <T>(work: (scanner: Scanner) => Promise<T>) => Promise.all(floor.scanners.map(work));
  /** Waits until so many more requests of a route were accepted. */
  async function more(path: string, count: number): Promise<void> {
    const before = floor.accepted(path).length;
    await until(() => floor.accepted(path).length >= before + count, HEALED_WITHIN_MS);
  }
  async function takeAway(part: "Temporal" | "Postgres") {
    kills++;
    return stack.takeAway(part);
  }

  it("goes on, whichever of them dies", async () => {
    let dying = true;
    const walks = everyone(async (scanner) => {
      do await walk(floor, scanner);
      while (dying);
    });
    const parts: Part[] = ["API", "Worker", "Temporal", "Postgres"];
    const fire = async () => {
      for (const part of Array(ROUNDS).fill(parts).flat()) {
        await more("/api/picking/confirm", SCANNERS);
        await stack.kill(part);
        kills++;
        await more("/api/picking/complete-batch", 1);
      }
    };
    try {
      await Promise.race([fire(), walks]);
    } finally {
      dying = false;
    }
    await walks;
  });

  it("scans on while the workflow engine is away, says so, and heals", async () => {
    const [scanner] = floor.scanners as [Scanner];
    const wave = await startWave(floor, scanner);
    const bringBack = await takeAway("Temporal");
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

  it("gives every open wave and count its process back when the engine's whole store is gone", async () => {
    const [scanner] = floor.scanners as [Scanner];
    const waves = new Map<Scanner, Wave>();
    await everyone(async (who) => waves.set(who, await startWave(floor, who)));
    const [bin] = floor.bins;
    const { counts } = await scanner.post("/api/inventory/cycle-count/create", {
      warehouse_id: floor.warehouse_id,
      bin_ids: [bin],
    });
    const [{ count_id }] = counts;
    const bringBack = await takeAway("Temporal");
    stack.forgetProcesses();
    await bringBack();
    await until(async () => (await running()) === SCANNERS + 1, HEALED_WITHIN_MS);

    const lines = await db.rows(
      `select count_line_id, expected_quantity as counted_quantity, false as unexpected
       from cycle_count_lines where count_id = $1`,
      [count_id],
    );
    await scanner.post("/api/inventory/cycle-count/submit", {
      count_id,
      lines,
    });
    await everyone(async (who) => {
      const wave = waves.get(who) as Wave;
      await pickAll(who, wave);
      await who.post("/api/picking/complete-batch", wave);
    });
  });

  it("answers 503 while Postgres is away, says so, and heals", async () => {
    const [scanner] = floor.scanners as [Scanner];
    const bringBack = await takeAway("Postgres");
    const { status, body, headers } = await scanner.caller.get("/api/picking/active-batch");
    assert.deepEqual([status, body, headers.get("retry-after")], [503, { error: "database_unavailable" }, "1"]);
    assert.ok((await stack.missing())?.includes("postgres"));
    await bringBack();
    await stack.ready();
    await walk(floor, scanner);
  });

  it("has lost nothing, done nothing twice and left nothing behind", async () => {
    const ledger = await ledgerOf(floor);
    const { accepted, lost, doubled } = ledger;
    console.log(`    ${kills} kills, ${accepted} requests accepted, lost ${lost}, doubled ${doubled}`);
    assert.deepEqual([lost, doubled], [0, 0]);
    await until(async () => (await running()) === 0, HEALED_WITHIN_MS);
    assert.deepEqual(await unfinished(), []);

    await everyone(async (scanner) => {
      for (const request of scanner.accepted) assert.deepEqual(await scanner.repeat(request), request.answer);
    });
    assert.deepEqual(await ledgerOf(floor), ledger, "a repeat did something");
    await assertInvariants();
    assert.deepEqual(await unexplainedUnits(), []);
    await assertCauses(floor.warehouse_id);
    await until(async () => (await unnumbered()).waiting === 0);
    assert.deepEqual(await unnumbered(), { waiting: 0, dense: true });
  });

  /** How many processes of the floor there are. */
  async function running(): Promise<number> {
    const query = `WorkflowType in ('pickWave', 'cycleCount') and ExecutionStatus = 'Running'`;
    const counted = await workflows.count(query).catch(() => undefined);
    return counted?.count ?? -1;
  }
});

/** Waves and orders that stand where nobody left them. */
function unfinished() {
  return db.rows(
    `select batch_number as what, status from pick_batches where status <> 'COMPLETED'
     union all select so_number, status from sales_orders where status not in ('PICKED', 'SHIPPED')`,
  );
}

/** Events that wait for their number, and whether those given are 1, 2, 3 … without a gap. */
async function unnumbered() {
  return (await db.row<{ waiting: number; dense: boolean }>(
    `select count(*) - count(event_id) as waiting, count(event_id) = max(event_id) as dense from integration_events`,
  )) as { waiting: number; dense: boolean };
}
