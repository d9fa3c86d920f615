import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { createReturn, receiveReturn, voidReturn } from "../../activities/returns/index.js";
import { cancelSalesOrder } from "../../activities/sales-orders/cancel.js";
import type { Actor } from "../../src/platform/actor.js";
import { DomainError } from "../../src/platform/problem.js";
import { takeOrderId } from "../../src/returns/queries.js";
import { startApi } from "../support/api-process.js";
import type { Caller } from "../support/caller.js";
import { comesAsFar } from "../support/comes-as-far.js";
import { type CounterLine, packOnFloor, refundOf, saleOf } from "../support/counter.js";
import {
  ask,
  type Fate,
  fates,
  madeTwice,
  type Order,
  openSite,
  ordersOf,
  Refused,
  type Site,
  unitsOf,
  wronglyRefunded,
} from "../support/counter-site.js";
import { assertInvariants } from "../support/invariants.js";
import { endRole, killRoles } from "../support/roles.js";
import { SEED } from "../support/seed.js";
import { openService, type TestService } from "../support/service.js";
import { until } from "../support/until.js";
import { actor } from "../support/walk.js";

const SEQUENCES = Number(process.env.TEST_COUNTER_SEQUENCES ?? 8);
/** How often the API is killed, each time after so many answers. */
const KILLS = Number(process.env.TEST_KILL_ROUNDS ?? 1);
const ANSWERS_BEFORE_KILL = 12;
interface Step {
  does: Operation;
  till: number;
  a: number;
  b: number;
  quantity: number;
  fate: Fate;
  /** Asked in the same moment as the next one. */
  meanwhile: boolean;
}
type Deed = (site: Site, orders: Order[], step: Step, by: Actor & { caller: Caller }) => Promise<unknown>;

const at = <T>(things: T[], place: number) => things[place % things.length];
const lineAt = ({ items }: Site, place: number, quantity: number): CounterLine => {
  const { line } = at(items, place) as Site["items"][number];
  return { ...line, quantity };
};
const orderAt = (orders: Order[], { a }: Step, ...statuses: string[]) =>
  at(
    orders.filter((one) => statuses.includes(one.status) && !["return", "refund"].includes(one.order_type)),
    a,
  );
const returnAt = (orders: Order[], { a }: Step) =>
  at(
    orders.filter((one) => one.order_type === "return"),
    a,
  );

/** What tills, the desk and the floor do. */
const deeds = {
  sell: (site, _, step) => sale(site, step),
  phoneOrder: (site, _, step) => sale(site, step, { is_phone_order: true }),
  backorder: (site, _, step) => sale(site, step, { backorder: true }),
  exchange: (site, orders, step) => {
    const original = orderAt(orders, step, "SHIPPED");
    const returned = { sku: lineAt(site, step.b, 1).sku, quantity: 1 };
    const parent = { order_type: "exchange", parent_so_number: original?.so_number ?? "POS-0" };
    return sale(site, step, { ...parent, returned_items: [returned] });
  },
  refundAll: (site, orders, step) => refund(site, orders, step, {}),
  refundPart: (site, orders, step) => refund(site, orders, step, { lines: [lineAt(site, step.b, step.quantity)] }),
  sendBack: async ({ items }, orders, step, by) => {
    const original_so_id = orderAt(orders, step, "SHIPPED")?.so_id ?? 0;
    const lines = [{ item_id: at(items, step.b)?.item_id ?? 0, quantity: step.quantity }];
    return createReturn(await takeOrderId(), { original_so_id, lines }, by);
  },
  takeBack: ({ warehouse_id, items }, orders, step, by) => {
    const rma = returnAt(orders, step);
    const item_id = at(rma?.item_ids ?? [0], step.b) as number;
    const bin_id = at(items, step.b)?.bin_id as number;
    return receiveReturn({ so_id: rma?.so_id ?? 0, item_id, quantity: 1, warehouse_id, bin_id }, by);
  },
  voidReturn: (_, orders, step, by) => voidReturn({ so_id: returnAt(orders, step)?.so_id ?? 0 }, by),
  cancel: (_, orders, step, by) =>
    cancelSalesOrder({ so_id: orderAt(orders, step, "OPEN", "WAITING_STOCK")?.so_id ?? 0 }, by),
  ship: async ({ warehouse_id }, orders, step, { caller }) => {
    const order = orderAt(orders, step, "OPEN");
    if (!order) throw new Refused();
    await packOnFloor(caller, warehouse_id, order.so_id);
    await caller.ok("POST", "/api/shipping/fulfill", { so_id: order.so_id, carrier: "UPS", tracking_number: "1Z999" });
  },
  shipAtStation: async (site, orders, step, { caller }) => {
    const order = orderAt(orders, step, "OPEN", "PACKED");
    if (!order) throw new Refused();
    if (order.status === "OPEN") await packOnFloor(caller, site.warehouse_id, order.so_id);
    await atStation(site, step, order, "ship", { tracking: "1Z998", carrier: "UPS" });
  },
  voidAtStation: async (site, orders, step) => {
    const order = at(
      orders.filter((one) => one.in_parcel),
      step.a,
    );
    if (!order) throw new Refused();
    await atStation(site, step, order, "void-ship", { reason: "wrong label" });
  },
  arrive: ({ warehouse_id, items }, _, { a, quantity }, { caller }) => {
    const item = at(items, a);
    return caller.ok("POST", "/api/admin/adjustments/direct", {
      ...{ item_id: item?.item_id, bin_id: item?.bin_id, warehouse_id },
      ...{ adjustment_type: "ADD", quantity, reason: "found" },
    });
  },
} satisfies Record<string, Deed>;
type Operation = keyof typeof deeds;
const operations = Object.keys(deeds) as Operation[];

const onlyRefused = (error: unknown) => {
  if (!(error instanceof Refused)) throw error;
};

const any = fc.noBias(fc.nat(999));
const step: fc.Arbitrary<Step> = fc.record({
  does: fc.oneof(
    { weight: 3, arbitrary: fc.constant<Operation>("sell") },
    { weight: 4, arbitrary: fc.constantFrom<Operation>("refundAll", "refundPart") },
    { weight: 4, arbitrary: fc.constantFrom<Operation>("phoneOrder", "shipAtStation", "voidAtStation") },
    { weight: 4, arbitrary: fc.constantFrom<Operation>("sendBack", "takeBack", "voidReturn", "cancel") },
    { weight: 6, arbitrary: fc.constantFrom(...operations) },
  ),
  ...{ till: fc.nat(2), a: any, b: any },
  quantity: fc.integer({ min: 1, max: 4 }),
  fate: fc.constantFrom(...fates),
  meanwhile: fc.boolean(),
});
const steps = fc.array(step, { minLength: 12, maxLength: 24 });

function sale(site: Site, step: Step, more: object = {}) {
  const lines = [lineAt(site, step.a, step.quantity), ...(step.b % 3 ? [] : [lineAt(site, step.a + 1, 1)])];
  return ask(site, step, { path: "/api/v1/pos/checkout", body: saleOf(lines, more) });
}

/** Of any sale, so that one which was refunded or cancelled is tried too. */
function refund(site: Site, orders: Order[], step: Step, more: object) {
  const sales = orders.filter(({ so_number }) => /^POS-\d+(-EXCHANGE(-\d+)?)?$/.test(so_number));
  const body = refundOf(at(sales, step.a)?.so_number ?? "POS-0", more);
  return ask(site, step, { path: "/api/v1/pos/refund", body });
}

/** What a packing bench does with an order. */
function atStation(site: Site, step: Step, { so_number: of }: Order, action: string, more: object) {
  const body = { ...more, operator_username: "admin", idempotency_key: randomUUID() };
  return ask(site, step, { path: `/api/v1/station/orders/${of}/${action}`, body, of });
}

/** What must hold after any step: whatever is sold, taken back or shipped, the units are the same. */
async function assertHolds(site: Site, units: Awaited<ReturnType<typeof unitsOf>>, after: string): Promise<void> {
  await assertInvariants(site.warehouse_id);
  assert.deepEqual(await unitsOf(site), units, `${after} made or lost units`);
  assert.deepEqual(await wronglyRefunded(site), [], after);
}

describe("any sequence of what tills do", function () {
  this.timeout(60_000 + SEQUENCES * 5_000);
  let service: TestService;
  const done = new Set<string>();
  before(async () => {
    console.log(`    ${SEQUENCES} sequences, TEST_SEED=${SEED}`);
    service = await openService();
  });
  after(async () => {
    killRoles();
    await service.close();
  });

  it("conserves units, refunds no more than was sold, and does everything once", () =>
    fc.assert(fc.asyncProperty(steps, run), { numRuns: SEQUENCES, seed: SEED }));

  it("comes as far as every operation, sooner or later", () =>
    comesAsFar(operations, done, (more) => fc.assert(fc.asyncProperty(steps, run), { numRuns: 2, seed: SEED + more })));

  it("does so when the API is killed meanwhile, and all without an answer is asked again", async () => {
    const site = await openSite(service);
    const units = await unitsOf(site);
    const ofTills = ["sell", "phoneOrder", "backorder", "refundPart", "refundAll", "shipAtStation", "voidAtStation"];
    for (let kill = 1; kill <= KILLS; kill++) {
      const { databaseUrl, tokenPepper } = service.config;
      const { caller, api } = await startApi(databaseUrl, tokenPepper, { RATE_LIMIT_PER_MINUTE: "0" });
      const there = { ...site, tills: site.tills.map(({ headers }) => caller.with(headers)) };
      let came = 0;
      const tillsGoOn = site.tills.map(async (_, till) => {
        while (api.exitCode === null && api.signalCode === null) {
          const [drawn] = fc.sample(
            step.filter(({ does }) => ofTills.includes(does)),
            1,
          );
          await attempt(there, await ordersOf(site), { ...(drawn as Step), till, fate: "once" }).catch((error) =>
            assert.match(`${error.message}`, /fetch failed|terminated/),
          );
          came++;
        }
      });
      await until(() => came >= ANSWERS_BEFORE_KILL);
      await endRole(api, "SIGKILL");
      await Promise.all(tillsGoOn);
      for (const asking of site.asked.values())
        if (asking.number === undefined) await ask(site, { till: 0, fate: "once" }, asking).catch(onlyRefused);
      await assertHolds(site, units, "a kill");
    }
    assert.deepEqual(await madeTwice(site), []);
  });

  async function run(sequence: Step[]): Promise<void> {
    const site = await openSite(service);
    const units = await unitsOf(site);
    for (let i = 0; i < sequence.length; i++) {
      const orders = await ordersOf(site);
      const now = [sequence[i] as Step];
      while (now.at(-1)?.meanwhile && now.length < 3 && sequence[i + 1]) now.push(sequence[++i] as Step);
      await Promise.all(now.map((step) => attempt(site, orders, step)));
      await assertHolds(site, units, now.map((step) => step.does).join(" and "));
    }
    assert.deepEqual(await madeTwice(site), []);
  }

  async function attempt(site: Site, orders: Order[], step: Step) {
    const caller = service.admin;
    try {
      await deeds[step.does](site, orders, step, { ...actor(caller), caller });
      done.add(step.does);
    } catch (error) {
      // Another step was faster: the scanner hears 4xx.
      const late = step.does.startsWith("ship") && error instanceof Error && /answered 4\d\d/.test(error.message);
      if (!(error instanceof DomainError || error instanceof Refused || late)) throw error;
    }
  }
});
