import assert from "node:assert/strict";
import fc from "fast-check";
import { createReturn, receiveReturn, voidReturn } from "../../activities/returns/index.js";
import { cancelSalesOrder } from "../../activities/sales-orders/cancel.js";
import type { Actor } from "../../src/actor.js";
import { db } from "../../src/db/db.js";
import { DomainError } from "../../src/problem.js";
import { takeOrderId } from "../../src/returns/queries.js";
import type { Caller } from "../support/caller.js";
import { type CounterLine, refundOf, saleOf, shipFromFloor, tillFor } from "../support/counter.js";
import * as fixtures from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { openService, type TestService } from "../support/service.js";
import { codeOfBin, codeOfWarehouse } from "../support/till.js";
import { actor } from "../support/walk.js";

const SEQUENCES = Number(process.env.TEST_COUNTER_SEQUENCES ?? 16);
const SEED = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);
const UNITS = 12;

interface Site {
  warehouse_id: number;
  items: { item_id: number; sku: string; bin_id: number; line: Omit<CounterLine, "quantity"> }[];
  tills: Caller[];
  /** What tills asked for, and the first answer that came; it must stay the only one. */
  asked: Map<string, { path: string; body: object; number?: string }>;
}
interface Order {
  so_id: number;
  so_number: string;
  order_type: string;
  status: string;
  item_ids: number[];
}
/** What happens to a request of a till on its way. */
const fates = ["once", "twice", "thrice at once", "aborted"] as const;
interface Step {
  does: Operation;
  till: number;
  a: number;
  b: number;
  quantity: number;
  fate: (typeof fates)[number];
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
    await shipFromFloor(caller, warehouse_id, order.so_id);
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

class Refused extends Error {}

const any = fc.noBias(fc.nat(999));
const steps = fc.array(
  fc.record({
    does: fc.oneof(
      { weight: 3, arbitrary: fc.constant<Operation>("sell") },
      { weight: 4, arbitrary: fc.constantFrom<Operation>("refundAll", "refundPart") },
      { weight: 6, arbitrary: fc.constantFrom(...operations) },
    ),
    ...{ till: fc.nat(2), a: any, b: any },
    quantity: fc.integer({ min: 1, max: 4 }),
    fate: fc.constantFrom(...fates),
    meanwhile: fc.boolean(),
  }),
  { minLength: 12, maxLength: 24 },
);

function sale(site: Site, step: Step, more: object = {}) {
  const lines = [lineAt(site, step.a, step.quantity), ...(step.b % 3 ? [] : [lineAt(site, step.a + 1, 1)])];
  return ask(site, step, "/api/v1/pos/checkout", saleOf(lines, more));
}

/** Of any sale, so that one which was refunded or cancelled is tried too. */
function refund(site: Site, orders: Order[], step: Step, more: object) {
  const sales = orders.filter(({ so_number }) => /^POS-\d+(-EXCHANGE(-\d+)?)?$/.test(so_number));
  const body = refundOf(at(sales, step.a)?.so_number ?? "POS-0", more);
  return ask(site, step, "/api/v1/pos/refund", body);
}

/** Asks as the fate of the step says. Whatever was accepted is the same in each answer. */
async function ask(site: Site, { till, fate }: Step, path: string, body: { idempotency_key: string }) {
  const { url, headers } = at(site.tills, till) as Caller;
  const send = async (signal?: AbortSignal) => {
    const answer = await fetch(url + path, {
      ...{ method: "POST", headers: { "content-type": "application/json", ...headers } },
      ...{ body: JSON.stringify(body), ...(signal && { signal }) },
    });
    const { status } = answer;
    const said = (await answer.json()) as { refund_so_id?: string; so_number?: string; error_kind?: string };
    assert.ok(status < 500 || said.error_kind === "lock_contention", `${path}: ${status} ${JSON.stringify(said)}`);
    return status === 200 ? (said.refund_so_id ?? said.so_number) : undefined;
  };
  const request: { path: string; body: object; number?: string } = { path, body };
  site.asked.set(body.idempotency_key, request);
  if (fate === "aborted") await send(AbortSignal.timeout(till * 4 + 1)).catch(() => undefined);
  const numbers =
    fate === "thrice at once"
      ? await Promise.all([send(), send(), send()])
      : [await send(), ...(fate === "twice" ? [await send()] : [])];
  const given = [...new Set(numbers.filter((number) => number !== undefined))];
  assert.ok(given.length <= 1, `one key made ${given}`);
  if (given[0] === undefined) throw new Refused();
  request.number = given[0];
}

describe("any sequence of what tills do", function () {
  this.timeout(60_000 + SEQUENCES * 5_000);
  let service: TestService;
  const done = new Set<string>();
  before(async () => {
    console.log(`    ${SEQUENCES} sequences, TEST_SEED=${SEED}`);
    service = await openService();
  });
  after(() => service.close());

  it("conserves units, refunds no more than was sold, and does everything once", () =>
    fc.assert(fc.asyncProperty(steps, run), { numRuns: SEQUENCES, seed: SEED }));

  it("comes as far as every operation, sooner or later", async () => {
    const missing = () => operations.filter((name) => !done.has(name));
    for (let more = 1; missing().length > 0 && more <= 10; more++)
      await fc.assert(fc.asyncProperty(steps, run), { numRuns: SEQUENCES, seed: SEED + more });
    assert.deepEqual(missing(), []);
  });

  async function run(sequence: Step[]): Promise<void> {
    const site = await openSite(service);
    const units = await unitsOf(site);
    for (let i = 0; i < sequence.length; i++) {
      const orders = await ordersOf(site);
      const now = [sequence[i] as Step];
      while (now.at(-1)?.meanwhile && now.length < 3 && sequence[i + 1]) now.push(sequence[++i] as Step);
      await Promise.all(now.map((step) => attempt(site, orders, step)));
      const what = now.map((step) => step.does).join(" and ");
      await assertInvariants(site.warehouse_id);
      assert.deepEqual(await unitsOf(site), units, `${what} made or lost units`);
      assert.deepEqual(await wronglyRefunded(site), [], what);
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
      const late = step.does === "ship" && error instanceof assert.AssertionError && /\b4\d\d\b/.test(error.message);
      if (!(error instanceof DomainError || error instanceof Refused || late)) throw error;
    }
  }
});

/** A shop with two items, a bin for each, and three tills; what waits for stock waits there. */
async function openSite(service: TestService): Promise<Site> {
  const warehouse_id = await fixtures.warehouse();
  const code = await codeOfWarehouse(warehouse_id);
  const items = [];
  for (let n = 0; n < 2; n++) {
    const item = await fixtures.item();
    const bin_id = await fixtures.bin(warehouse_id);
    await fixtures.stock(warehouse_id, bin_id, item.item_id, UNITS);
    const line = { sku: item.sku, warehouse_id: code, bin_id: await codeOfBin(bin_id) };
    items.push({ ...item, bin_id, line });
  }
  await service.admin.ok("PUT", "/api/admin/settings", { settings: { BACKORDER_WAREHOUSE_CODE: code } });
  const tills = [];
  for (let n = 0; n < 3; n++) tills.push(await tillFor(service, warehouse_id));
  return { warehouse_id, items, tills, asked: new Map() };
}

const ordersOf = ({ warehouse_id }: Site) =>
  db.rows<Order>(
    `select so_id, so_number, order_type, status,
       (select coalesce(json_agg(item_id), '[]') from sales_order_lines l where l.so_id = so.so_id) as item_ids
     from sales_orders so where warehouse_id = $1 order by so_id`,
    [warehouse_id],
  );

/** Of each item: what lies there and what was taken for orders, less what came back and what was found. */
const unitsOf = ({ warehouse_id }: Site) =>
  db.rows<{ item_id: number; units: number }>(
    `select item_id, sum(units)::int as units from (
       select item_id, quantity_on_hand as units from inventory where warehouse_id = $1
       union all select item_id, case order_type when 'refund' then quantity_ordered
                                   when 'return' then -quantity_received else quantity_picked end
         from sales_orders join sales_order_lines using (so_id) where warehouse_id = $1
       union all select item_id, -quantity_change from inventory_adjustments where warehouse_id = $1
     ) u group by item_id order by item_id`,
    [warehouse_id],
  );

/** Sales whose status does not say what came back of them: REFUNDED is one whose units are all back. */
const wronglyRefunded = ({ warehouse_id }: Site) =>
  db.rows(
    `select so_number, item_id, status, shipped, refunded, received from (
       select so_id, so_number, o.status, o.refund_so_id, item_id, sum(quantity_shipped) as shipped
       from sales_orders o join sales_order_lines using (so_id)
       where warehouse_id = $1 and order_type not in ('refund', 'return')
       group by so_id, so_number, o.status, item_id) sale
     cross join lateral (
       select coalesce(sum(-quantity_ordered) filter (where order_type = 'refund'), 0) as refunded,
         coalesce(sum(quantity_received) filter (where order_type = 'return'), 0) as received
       from sales_orders c join sales_order_lines l using (so_id)
       where c.parent_so_id = sale.so_id and l.item_id = sale.item_id) back
     where refunded + received > shipped
       or (status = 'REFUNDED') <> (refund_so_id is not null)
       or (status = 'REFUNDED' and refunded + received < shipped)`,
    [warehouse_id],
  );

/** Keys under which more than one order was made, or another one than the till was told of. */
async function madeTwice({ asked }: Site) {
  const made = await db.rows<{ key: string; numbers: string[] }>(
    `select details->>'idempotency_key' as key, array_agg(details->>'so_number') as numbers from audit_log
     where action_type in ('POS_CHECKOUT', 'POS_REFUND') and details->>'idempotency_key' = any($1) group by 1`,
    [[...asked.keys()]],
  );
  return made.filter(({ key, numbers: [number, ...more] }) => {
    const told = asked.get(key)?.number ?? number;
    return more.length > 0 || told !== number;
  });
}
