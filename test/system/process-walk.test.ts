import assert from "node:assert/strict";
import { taskQueue, temporalClient } from "../../api/http/workflow-updates.js";
import { unfinishedCounts } from "../../src/counting/queries.js";
import { countWorkflowId } from "../../src/counting/workflow.js";
import { activeBatches } from "../../src/picking/queries.js";
import { waveWorkflowId } from "../../src/picking/wave.js";
import { openReturns } from "../../src/returns/queries.js";
import { returnWorkflowId } from "../../src/returns/workflow.js";
import { openTransfers } from "../../src/transfers/queries.js";
import { transferWorkflowId } from "../../src/transfers/workflow.js";
import { endWithTheirRows } from "../../workers/reconcile.js";
import { RunningWorkflows } from "../../workers/running-workflows.js";
import type { Caller } from "../support/caller.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import { assertInvariants, unexplainedUnits } from "../support/invariants.js";
import { deeds, openTwoHouses, type TwoHouses } from "../support/process-walk.js";
import { SEED } from "../support/seed.js";
import { openService, type TestService } from "../support/service.js";
import { until } from "../support/until.js";

const ROUNDS = Number(process.env.TEST_PROCESS_ROUNDS ?? 25);
/** Further rounds at most, in which one tries what was not done yet, and two what most of that needs. */
const MORE_ROUNDS = 400;
const toBePicked = ["receive", "order", "wave", "transfer", "startTransfer"];
const leadingOn = [...toBePicked, "confirm", "confirm", "confirm", "complete", "verify", "verify", "pack"];
const PEOPLE = 4;

/** Numbers that a seed repeats (mulberry32). */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

describe("everything that lasts, done by several at once", function () {
  this.timeout(120_000 + ROUNDS * 8_000);
  let service: TestService;
  let people: Caller[];
  let houses: TwoHouses;
  const done = new Set<string>();
  before(async () => {
    console.log(`    ${ROUNDS} rounds, TEST_SEED=${SEED}`);
    service = await openService({ worker: true });
    people = await Promise.all(Array.from({ length: PEOPLE }, () => service.user({ role: "ADMIN" })));
    houses = await openTwoHouses(seeded(SEED));
  });
  after(() => service.close());

  it("keeps every sum, and conserves the units of each warehouse", async () => {
    const { random, warehouses } = houses;
    const before = await Promise.all(warehouses.map(unexplainedUnits));
    const names = Object.keys(deeds);
    // On until every deed was done, but not for ever: some need what others leave.
    const goesOn = (round: number) => round < ROUNDS || (done.size < names.length && round < ROUNDS + MORE_ROUNDS);
    for (let round = 0; goesOn(round); round++) {
      const missing = names.filter((name) => !done.has(name));
      const asked = people.map((by, who) => {
        const among = (round >= ROUNDS && [missing, leadingOn, leadingOn][who]) || names;
        const name = among[random(among.length)] as string;
        const warehouse_id = warehouses[random(warehouses.length)] as number;
        return { name, answer: deeds[name]?.(by, { ...houses, warehouse_id }) };
      });
      for (const { name, answer } of asked) {
        const { status, body } = (await answer) ?? { status: 404, body: {} };
        // A busy machine answers 503 to what takes too long: it may be done or not, and the sums hold either way.
        assert.ok(status < 500 || status === 503, `${name}: ${status} ${JSON.stringify(body)}`);
        if (status < 300) done.add(name);
      }
      await assertInvariants();
      const told = `after ${asked.map(({ name }) => name)}`;
      assert.deepEqual(await Promise.all(warehouses.map(unexplainedUnits)), before, told);
    }
    await assertEventsMatchSchemas();
  });

  it("came as far as every deed", () => {
    assert.deepEqual(
      Object.keys(deeds).filter((name) => !done.has(name)),
      [],
    );
  });

  it("leaves exactly the workflows running that the rows wait for", async () => {
    const [batches, counts, returns, transfers] = await Promise.all([
      activeBatches(),
      unfinishedCounts(),
      openReturns(),
      openTransfers(),
    ]);
    const expected = [
      ...batches.map(({ id }) => waveWorkflowId(id)),
      ...counts.map(({ id }) => countWorkflowId(id)),
      ...returns.map(({ id }) => returnWorkflowId(id)),
      ...transfers.map(({ id }) => transferWorkflowId(id)),
    ].sort();
    const query = `TaskQueue = "${taskQueue}" and ExecutionStatus = "Running"`;
    const known = new RunningWorkflows();
    let running: string[] = [];
    // The list of Temporal is a little late.
    await until(async () => {
      await endWithTheirRows(temporalClient(), taskQueue, await known.now(temporalClient()), new Set(expected));
      running = [];
      for await (const { workflowId } of temporalClient().workflow.list({ query })) running.push(workflowId);
      return JSON.stringify(running.sort()) === JSON.stringify(expected);
    }).catch(() => assert.deepEqual(running, expected));
    const failed = temporalClient().workflow.list({
      query: `TaskQueue = "${taskQueue}" and ExecutionStatus in ("Failed", "TimedOut", "Terminated")`,
    });
    // What could not begin is refused; nothing else fails.
    for await (const { workflowId, typedSearchAttributes } of failed) {
      const outcome = typedSearchAttributes.getAll().find(({ key }) => key.name === "Outcome")?.value;
      assert.equal(outcome, "refused", workflowId);
    }
  });
});
