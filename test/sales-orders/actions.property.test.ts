import assert from "node:assert/strict";
import fc from "fast-check";
import { planWave } from "../../activities/picking/create-wave.js";
import { cancelWave, completeWave } from "../../activities/picking/index.js";
import { confirmPick, shortPick } from "../../activities/picking/scan.js";
import { adminPick } from "../../activities/sales-orders/admin-pick.js";
import { adminShip } from "../../activities/sales-orders/admin-ship.js";
import { cancelSalesOrder } from "../../activities/sales-orders/cancel.js";
import { createSalesOrder } from "../../activities/sales-orders/create.js";
import { revertStatus } from "../../activities/sales-orders/revert.js";
import { completePacking, verifyItem } from "../../activities/shipping/packing.js";
import { takeBatchId } from "../../src/picking/queries.js";
import type { Actor } from "../../src/platform/actor.js";
import { DomainError } from "../../src/platform/problem.js";
import type { Caller } from "../support/caller.js";
import { comesAsFar } from "../support/comes-as-far.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { assertInvariants, unexplainedUnits } from "../support/invariants.js";
import { assertOrders } from "../support/order-invariants.js";
import { SEED } from "../support/seed.js";
import { openService, type TestService } from "../support/service.js";
import { actor } from "../support/walk.js";

const SEQUENCES = Number(process.env.TEST_ACTION_SEQUENCES ?? 60);
const LANES = 4;
const UNITS = 12;

interface Site {
  warehouse_id: number;
  items: { item_id: number; sku: string }[];
  bins: number[];
}
interface Order {
  so_id: number;
  status: string;
  lines: { so_line_id: number; item_id: number; left: number }[];
  picks: number[];
}
interface View {
  orders: Order[];
  pending: { pick_task_id: number; sku: string; units: number }[];
  batches: number[];
}
interface Step {
  does: Operation;
  a: number;
  b: number;
  c: number;
  quantity: number;
  /** Asked in the same moment as the next one. */
  meanwhile: boolean;
}
type Deed = (site: Site, view: View, step: Step, by: Actor) => Promise<unknown>;

const nothing = { so_id: 0, status: "", lines: [], picks: [] };
const at = <T>(things: T[], place: number) => things[place % things.length];
const orderAt = ({ orders }: View, { a }: Step): Order => at(orders, a) ?? nothing;
let made = 0;

/** What the floor and the desk do to orders; a step that names nothing that is there is refused. */
const deeds = {
  order: ({ warehouse_id, items }, _, { a, b, quantity }, by) =>
    createSalesOrder(
      {
        ...{ so_number: `P-${process.pid}-${++made}`, warehouse_id },
        lines: [at(items, a), ...(b % 2 ? [at(items, a + 1)] : [])].map((item) => ({
          item_id: item?.item_id ?? 0,
          quantity_ordered: quantity,
        })),
      },
      by,
    ),
  wave: async ({ warehouse_id }, { orders }, { a, b, c }, by) => {
    const open = orders.filter(({ status }) => status === "OPEN");
    const soIds = [at(open, a), at(open, b)].map((order) => order?.so_id ?? 0);
    return planWave(
      {
        ...{ batchId: await takeBatchId(), warehouseId: warehouse_id },
        ...{ soIds: [...new Set(soIds)], excludeSoIds: [] },
        combine: c % 3 > 0,
      },
      by,
    );
  },
  confirm: (_, { pending }, { a }, by) => {
    const task = at(pending, a);
    return confirmPick(
      { pick_task_id: task?.pick_task_id ?? 0, scanned_barcode: task?.sku ?? "", quantity_picked: task?.units ?? 1 },
      by,
    );
  },
  short: (_, { pending }, { a, b }, by) => {
    const { pick_task_id, units } = at(pending, a) ?? { pick_task_id: 0, units: 1 };
    return shortPick({ pick_task_id, quantity_available: b % units }, by);
  },
  complete: (_, { batches }, { a }, by) => completeWave(at(batches, a) ?? 0, by),
  giveUp: (_, { batches }, { a }, by) => cancelWave(at(batches, a) ?? 0, by),
  pack: async ({ items }, view, step, by) => {
    const { so_id, status } = orderAt(view, step);
    if (status === "PICKED")
      for (const { sku } of items)
        for (let scans = 0; scans < 2 * UNITS; scans++)
          await verifyItem(
            { so_id, scanned_barcode: sku, quantity: 1 },
            { ...by, commandId: `${by.commandId}:${sku}:${scans}` },
          ).catch(() => undefined);
    return completePacking({ so_id }, by);
  },
  adminPick: ({ bins }, view, step, by) => {
    const { so_id, lines } = orderAt(view, step);
    const { b, c, quantity } = step;
    const picks = lines.map(({ so_line_id, left }, i) => ({
      ...{ so_line_id, bin_id: at(bins, b + i) ?? 0 },
      quantity: c % 2 ? left : Math.min(quantity, left),
    }));
    return adminPick({ so_id, lines: picks.filter((pick) => pick.quantity > 0) }, by);
  },
  adminShip: (_, view, step, by) => adminShip({ so_id: orderAt(view, step).so_id, acknowledge_shortfall: true }, by),
  revert: (_, view, step, by) => {
    const { so_id, picks } = orderAt(view, step);
    return revertStatus(
      {
        so_id,
        new_status: at(["OPEN", "OPEN", "PICKED", "PACKED"], step.b) ?? "",
        release_pick_task_ids: picks.filter((_, i) => step.c % 4 || i % 2),
      },
      by,
    );
  },
  cancel: (_, view, step, by) => cancelSalesOrder({ so_id: orderAt(view, step).so_id }, by),
} satisfies Record<string, Deed>;
type Operation = keyof typeof deeds;
const operations = Object.keys(deeds) as Operation[];

const any = fc.noBias(fc.nat(999));
const weights: Partial<Record<Operation, number>> = {
  ...{ order: 3, wave: 3, confirm: 5, complete: 3, adminPick: 4, revert: 4 },
};
const steps = fc.array(
  fc.record({
    does: fc.oneof(...operations.map((name) => ({ weight: weights[name] ?? 2, arbitrary: fc.constant(name) }))),
    ...{ a: any, b: any, c: any },
    quantity: fc.integer({ min: 1, max: 5 }),
    meanwhile: fc.boolean(),
  }),
  { minLength: 15, maxLength: 30 },
);

describe("any sequence of what is done to orders", function () {
  this.timeout(60_000 + SEQUENCES * 2_000);
  let service: TestService;
  let people: Caller[];
  const done = new Set<string>();
  before(async () => {
    console.log(`    ${SEQUENCES} sequences, TEST_SEED=${SEED}`);
    service = await openService();
    people = [await service.user(), await service.user()];
  });
  after(() => service.close());

  it("conserves stock and keeps orders, batches and stock consistent, also with two actions at once", async () => {
    const lanes = Array.from({ length: LANES }, (_, lane) =>
      fc.assert(fc.asyncProperty(steps, run), { numRuns: Math.ceil(SEQUENCES / LANES), seed: SEED + lane }),
    );
    for (const lane of await Promise.allSettled(lanes)) if (lane.status === "rejected") throw lane.reason;
  });

  it("comes as far as every operation, sooner or later", () =>
    comesAsFar(operations, done, (more) =>
      fc.assert(fc.asyncProperty(steps, run), { numRuns: 2, seed: SEED + LANES + more }),
    ));

  async function run(sequence: Step[]): Promise<void> {
    const site = await openSite();
    const units = await unexplainedUnits(site.warehouse_id);
    for (const step of sequence.slice(0, 3)) await ask(site, await viewOf(site), { ...step, does: "order" }, 0);
    for (let i = 0; i < sequence.length; i++) {
      const view = await viewOf(site);
      const now = [sequence[i] as Step];
      if (now[0]?.meanwhile && sequence[i + 1]) now.push(sequence[++i] as Step);
      await Promise.all(now.map((step, who) => ask(site, view, step, who)));
      await assertInvariants(site.warehouse_id);
      assert.deepEqual(
        await unexplainedUnits(site.warehouse_id),
        units,
        `${now.map((step) => step.does)} made or lost units`,
      );
      await assertOrders(site.warehouse_id);
    }
  }

  async function ask(site: Site, view: View, step: Step, who: number) {
    try {
      await deeds[step.does](site, view, step, actor(people[who] as Caller));
      done.add(step.does);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }
});

/** A warehouse with two items, in two bins each, and a place where goods arrive. */
async function openSite(): Promise<Site> {
  const warehouse_id = await fixtures.warehouse();
  const items = [await fixtures.item(), await fixtures.item()];
  const bins = [await fixtures.bin(warehouse_id), await fixtures.bin(warehouse_id, { pick_sequence: 200 })];
  await fixtures.bin(warehouse_id, { type: "Staging" });
  for (const { item_id } of items)
    for (const bin_id of bins)
      for (const lot of [null, "A"]) await fixtures.stock(warehouse_id, bin_id, item_id, UNITS / 4, lot);
  return { warehouse_id, items, bins };
}

async function viewOf({ warehouse_id }: Site): Promise<View> {
  const view = await db.row<View>(
    `select
       (select coalesce(json_agg(json_build_object('so_id', so_id, 'status', status,
          'lines', (select json_agg(json_build_object('so_line_id', so_line_id, 'item_id', item_id,
                      'left', quantity_ordered - quantity_picked) order by so_line_id)
                    from sales_order_lines l where l.so_id = o.so_id),
          'picks', (select coalesce(json_agg(distinct pick_task_id), '[]')
                    from wave_pick_breakdown w join pick_tasks t using (pick_task_id)
                    where w.so_id = o.so_id and t.status = 'PICKED')) order by so_id), '[]')
        from sales_orders o where warehouse_id = $1) as orders,
       (select coalesce(json_agg(json_build_object('pick_task_id', pick_task_id, 'sku', sku, 'units',
         quantity_to_pick)), '[]')
        from pick_tasks t join items using (item_id) join pick_batches p using (batch_id)
        where p.warehouse_id = $1 and t.status = 'PENDING') as pending,
       (select coalesce(json_agg(batch_id), '[]') from pick_batches
        where warehouse_id = $1 and status in ('OPEN', 'IN_PROGRESS')) as batches`,
    [warehouse_id],
  );
  return view as View;
}
