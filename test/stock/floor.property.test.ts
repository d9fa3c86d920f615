import assert from "node:assert/strict";
import fc from "fast-check";
import { sequenceAll } from "../../activities/outbound/sequencer.js";
import type { Actor } from "../../src/platform/actor.js";
import { connect, databaseUnavailable, disconnect } from "../../src/platform/db/db.js";
import { DomainError } from "../../src/platform/problem.js";
import type { Caller } from "../support/caller.js";
import { comesAsFar } from "../support/comes-as-far.js";
import { db } from "../support/db.js";
import { assertCauses } from "../support/floor/causes.js";
import { ask, type Operation, operationNames } from "../support/floor/operations.js";
import { openSite, type Site, type View, viewOf } from "../support/floor/site.js";
import type { Asked, Step } from "../support/floor/step.js";
import { assertHeld, assertInvariants, unexplainedUnits } from "../support/invariants.js";
import { assertOrders } from "../support/order-invariants.js";
import { type LossyProxy, type Moment, openProxy } from "../support/proxy.js";
import { SEED } from "../support/seed.js";
import { openService, type TestService } from "../support/service.js";
import { actor } from "../support/walk.js";

/** How many sequences; in every eighth, connections are lost. */
const SEQUENCES = Number(process.env.TEST_SEQUENCES ?? 100);
/** Sequences that run side by side, each in a warehouse of its own. */
const LANES = 8;

/**
 * What happens to a step on its way: it is asked once, again after its answer, three times at once, or its connection
 * is lost.
 */
type Fate = "once" | "twice" | "thrice at once" | Moment;
type FatedStep = Step & { does: Operation; fate: Fate };

const often = <T extends string>(weights: Partial<Record<T, number>>) =>
  fc.oneof(
    ...Object.entries<number | undefined>(weights).map(([value, weight = 0]) => ({
      weight,
      arbitrary: fc.constant(value as T),
    })),
  );
const any = fc.noBias(fc.nat(999));
const stepWith = (fates: Partial<Record<Fate, number>>): fc.Arbitrary<FatedStep> =>
  fc.record({
    does: often<Operation>({
      ...{ receive: 3, cancelReceipt: 1, carry: 3, adjust: 2, order: 2 },
      ...{ wave: 2, confirm: 2, short: 1, complete: 2, cancel: 1, release: 2, nextBatch: 2, giveBack: 1 },
      ...{ verify: 1, pack: 1, ship: 1, goOn: 24 },
      ...{ openParcel: 2, scanParcel: 2, closeParcel: 1, packRest: 1, voidParcel: 1, shipParcel: 2, voidShipment: 2 },
      ...{ count: 1, submitCount: 2, countExactly: 2, decide: 2 },
    }),
    ...{ user: fc.nat(2), a: any, b: any, c: any },
    quantity: fc.integer({ min: 1, max: 5 }),
    fate: often<Fate>(fates),
  });
/** Of so many sequences one begins with orders on their way: from an order to a parcel that is back it is far. */
const SEQUENCES_FOR_A_BEGUN_ONE = 3;
const STEPS_OF_A_BEGUN_ONE = 9;
const begun = fc.oneof(
  { weight: SEQUENCES_FOR_A_BEGUN_ONE - 1, arbitrary: fc.constant([]) },
  {
    weight: 1,
    arbitrary: fc.array(
      fc.record<FatedStep>({
        ...{ does: fc.constant("goOn"), fate: fc.constant("once"), user: fc.nat(2) },
        ...{ a: any, b: any, c: any, quantity: fc.constant(1) },
      }),
      { minLength: STEPS_OF_A_BEGUN_ONE, maxLength: STEPS_OF_A_BEGUN_ONE },
    ),
  },
);
/** A step that is left out makes a sequence shorter, so that a failing one shrinks to the few that matter. */
const sequenceOf = (step: fc.Arbitrary<FatedStep>) =>
  fc
    .tuple(begun, fc.array(fc.option(step, { freq: 50 }), { minLength: 12, maxLength: 20 }))
    .map(([first, steps]) => [...first, ...steps.filter((one) => one !== null)]);

describe("any sequence of floor operations", function () {
  this.timeout(120_000 + SEQUENCES * 1_000);
  let service: TestService;
  let users: Caller[];
  let proxy: LossyProxy | undefined;
  /** Operations that were done, rather than refused. */
  const done = new Set<string>();
  before(async () => {
    console.log(`    ${SEQUENCES} sequences, TEST_SEED=${SEED}`);
    service = await openService();
    await service.admin.ok("PUT", "/api/admin/settings", { settings: { allow_over_receiving: "false" } });
    users = [await service.user(), await service.user(), await service.user()];
    for (const table of ["audit_log", "integration_events", "pick_batches", "item_receipts", "bin_transfers"])
      await db.run(`create index on ${table} (warehouse_id)`);
  });
  after(async () => {
    await service.close();
    await proxy?.close();
  });

  it("conserves stock, promises no more than there is, and leaves a cause for everything, with requests repeated", () =>
    everySequence((SEQUENCES * 7) / 8, { once: 30, twice: 2, "thrice at once": 2 }));

  it("does so when connections are lost before and after commits", async () => {
    await disconnect();
    proxy = await openProxy(service.config.databaseUrl);
    connect(proxy.url);
    await everySequence(SEQUENCES / 8, { once: 10, "before commit": 1, "after commit": 1 });
  });

  it("comes as far as every operation, sooner or later", () =>
    comesAsFar(operationNames, done, (more) => everySequence(LANES, { once: 1 }, SEED + more * LANES)));

  async function everySequence(count: number, fates: Partial<Record<Fate, number>>, seed = SEED): Promise<void> {
    const lanes = Array.from({ length: LANES }, (_, lane) =>
      fc.assert(fc.asyncProperty(sequenceOf(stepWith(fates)), run), {
        numRuns: Math.ceil(count / LANES),
        seed: seed + lane,
      }),
    );
    // All of them to their end: a lane that shrinks its failure needs the service for a while.
    for (const lane of await Promise.allSettled(lanes)) if (lane.status === "rejected") throw lane.reason;
    await sequenceAll();
    const numbers = await db.row("select count(*) = max(event_id) as dense from integration_events");
    assert.deepEqual(numbers, { dense: true });
  }

  async function run(steps: FatedStep[]): Promise<void> {
    const site = await openSite();
    let view = await viewOf(site);
    for (const step of steps) view = await take(site, view, step);
    await assertInvariants(site.warehouse_id);
    await assertHeld(site.warehouse_id);
    await assertOrders(site.warehouse_id);
    assert.deepEqual(await unexplainedUnits(site.warehouse_id), site.units);
    await assertCauses(site.warehouse_id);
  }

  /** One step, held against what the model says of it; gives what the rows say afterwards. */
  async function take(site: Site, view: View, step: FatedStep): Promise<View> {
    const user = users[step.user] as Caller;
    const by = actor(user);
    const asked = await ask(site, view, step.does, step, user.userId);
    const outcome = await outcomeOf(asked, by, step.fate);
    const told = `${asked.does} ended as ${outcome}, expected ${asked.expected}`;
    assert.ok([asked.expected].flat().includes(outcome), told);
    if (outcome === "ok") done.add(asked.does);
    const after = await viewOf(site);
    if (outcome !== "ok") assert.deepEqual(after, view, `${told}, and changed something`);
    else
      for (const { item_id } of site.items)
        assert.equal(
          onHand(after, item_id) - onHand(view, item_id),
          0 + (asked.change.get(item_id) ?? 0),
          `${asked.does} changed units of ${item_id}`,
        );
    return after;
  }

  async function outcomeOf(asked: Asked, by: Actor, fate: Fate): Promise<string> {
    const lost = fate === "before commit" || fate === "after commit";
    // A refusal has no commit.
    if (lost && asked.expected === "ok") {
      proxy?.loseAt(by.commandId, fate);
      await assert.rejects(asked.run(by), databaseUnavailable);
    }
    const times = fate === "thrice at once" ? 3 : 1;
    const results = await Promise.all(Array.from({ length: times }, () => result(asked, by)));
    if (fate !== "once") results.push(await result(asked, by));
    const [first] = results as [Result];
    for (const other of results) assert.deepEqual(other, first, "a repeat ended otherwise");
    return first.outcome;
  }
});

interface Result {
  outcome: string;
  answer?: unknown;
}

async function result(asked: Asked, by: Actor): Promise<Result> {
  try {
    // As the caller gets it, and gets it again from the command log.
    const answer = JSON.parse(JSON.stringify((await asked.run(by)) ?? null));
    return { outcome: "ok", answer };
  } catch (error) {
    if (error instanceof DomainError) return { outcome: error.kind };
    throw error;
  }
}

const onHand = (view: View, itemId: number) =>
  view.stock.filter((row) => row.item_id === itemId).reduce((sum, row) => sum + row.on_hand, 0);
