import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expireStock } from "../../activities/lots/expire.js";
import { holdLot, releaseLot } from "../../activities/lots/lots.js";
import { planWave } from "../../activities/picking/create-wave.js";
import { completeWave } from "../../activities/picking/index.js";
import { confirmPick } from "../../activities/picking/scan.js";
import { receive } from "../../activities/receiving/receive.js";
import { createSalesOrder } from "../../activities/sales-orders/create.js";
import { moveBetweenBins } from "../../activities/stock/transfers.js";
import { takeBatchId } from "../../src/picking/queries.js";
import { DomainError } from "../../src/platform/problem.js";
import { systemActor } from "../../src/platform/system-actor.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, item, purchaseOrder, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { testService } from "../support/service.js";
import { unique } from "../support/unique.js";
import { actor } from "../support/walk.js";

const SEQUENCES = Number(process.env.TEST_SEQUENCES ?? 24);
const SEED = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);
const LOTS = ["A", "B"];

describe("any sequence of receipts, moves, orders, picks, holds, releases and last days", function () {
  this.timeout(300_000);
  const service = testService();

  /** A warehouse with three bins, an item that is expected, and a user who picks. */
  async function openSite() {
    const warehouse_id = await warehouse();
    const bins = [await bin(warehouse_id), await bin(warehouse_id), await bin(warehouse_id, { type: "Staging" })];
    const { item_id, sku } = await item();
    const { po_id } = await purchaseOrder(warehouse_id, [{ item_id, quantity: 1_000 }]);
    return { warehouse_id, bins, item_id, sku, po_id, picker: await service.user({ role: "ADMIN" }) };
  }
  type Site = Awaited<ReturnType<typeof openSite>>;

  const place = ({ bins }: Site, n: number) => bins[n % bins.length] as number;
  const lotNumber = (n: number) => LOTS[n % LOTS.length] as string;
  const lotId = ({ item_id }: Site, n: number) =>
    db.value<number>("select lot_id from lots where item_id = $1 and lot_number = $2", [item_id, lotNumber(n)]);
  const pendingTask = ({ warehouse_id }: Site) =>
    db.row<{ pick_task_id: number; quantity_to_pick: number }>(
      `select pick_task_id, quantity_to_pick from pick_tasks join pick_batches p using (batch_id)
       where p.warehouse_id = $1 and pick_tasks.status = 'PENDING' order by pick_task_id limit 1`,
      [warehouse_id],
    );

  const operations: Record<string, (site: Site, a: number, b: number, units: number, by: Caller) => Promise<unknown>> =
    {
      receive: ({ po_id, item_id, ...site }, a, b, quantity, by) => {
        const expiry_date = b % 3 === 0 ? null : `209${b % 9}-01-01`;
        const units = { item_id, quantity, bin_id: place(site as Site, b), lot_number: lotNumber(a), expiry_date };
        return receive({ po_id, items: [units] } as never, actor(by));
      },
      move: (site, a, b, quantity, by) =>
        moveBetweenBins(
          {
            ...{ item_id: site.item_id, quantity, lot_number: lotNumber(a) },
            ...{ from_bin_id: place(site, b), to_bin_id: place(site, b + 1) },
          } as never,
          actor(by),
        ),
      order: ({ warehouse_id, item_id }, _a, _b, quantity_ordered) =>
        createSalesOrder(
          { so_number: `L-${unique()}`, warehouse_id, lines: [{ item_id, quantity_ordered }] } as never,
          systemActor(randomUUID()),
        ),
      wave: async ({ warehouse_id }, _a, _b, _units, by) => {
        const open = await db.rows<{ so_id: number }>(
          `select so_id from sales_orders so where warehouse_id = $1 and status = 'OPEN'
           and not exists (select from pick_batch_orders b where b.so_id = so.so_id and b.active)
         order by so_id limit 2`,
          [warehouse_id],
        );
        const soIds = open.map(({ so_id }) => so_id);
        if (soIds.length === 0) return;
        const batchId = await takeBatchId();
        await planWave({ batchId, warehouseId: warehouse_id, soIds, excludeSoIds: [], combine: true }, actor(by));
      },
      confirm: async (site, _a, _b, _units, by) => {
        const task = await pendingTask(site);
        if (!task) return;
        const { pick_task_id, quantity_to_pick } = task;
        await confirmPick({ pick_task_id, scanned_barcode: site.sku, quantity_picked: quantity_to_pick }, actor(by));
      },
      complete: async ({ warehouse_id }, _a, _b, _units, by) => {
        const batch = await db.value<number>(
          "select batch_id from pick_batches where warehouse_id = $1 and status in ('OPEN', 'IN_PROGRESS') limit 1",
          [warehouse_id],
        );
        if (batch) await completeWave(batch, actor(by));
      },
      hold: async (site, a, b, _units, by) => {
        const lot = await lotId(site, a);
        const condition = (["HOLD", "QUARANTINE", "DAMAGED"] as const)[b % 3] as "HOLD";
        if (lot) await holdLot(lot, { condition, reason: "property" }, actor(by));
      },
      release: async (site, a, _b, _units, by) => {
        const lot = await lotId(site, a);
        if (lot) await releaseLot(lot, { reason: "property" }, actor(by));
      },
      expire: async ({ item_id, ...site }, a, b) => {
        await db.run(
          `update inventory set expiry_date = '2001-01-01'
         where item_id = $1 and bin_id = $2 and lot_number = $3 and quantity_on_hand > 0`,
          [item_id, place(site as Site, b), lotNumber(a)],
        );
        await expireStock();
      },
    };

  /** A site with units of both lots, and a wave that picks some of them. */
  async function begun(): Promise<Site> {
    const site = await openSite();
    for (const [does, a, b] of [
      ["receive", 0, 1],
      ["receive", 1, 3],
      ["order", 0, 0],
      ["wave", 0, 0],
    ] as const)
      await operations[does]?.(site, a, b, 4, site.picker);
    assert.ok(await pendingTask(site));
    return site;
  }

  const any = fc.nat(99);
  const step = fc.record({
    does: fc.constantFrom(...Object.keys(operations), "receive", "order", "wave", "confirm", "hold"),
    ...{ a: any, b: any, units: fc.integer({ min: 1, max: 4 }) },
  });

  /** What is held or has expired is in no reservation, in no pick to come, and no pick of it was made since. */
  async function assertWithdrawn({ warehouse_id }: Site): Promise<void> {
    const promised = await db.rows(
      `select inventory_id, condition from inventory v where warehouse_id = $1 and condition <> 'AVAILABLE' and exists (
         select from pick_tasks t where t.inventory_id = v.inventory_id and t.status = 'PENDING')`,
      [warehouse_id],
    );
    assert.deepEqual(promised, []);
  }

  it("sells nothing that is held or has expired, and keeps every unit", async () => {
    console.log(`    ${SEQUENCES} sequences, TEST_SEED=${SEED}`);
    const done = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, fc.option(step)), { minLength: 8, maxLength: 16 }), async (sequence) => {
        const site = await begun();
        for (const [one, other] of sequence) {
          // Sometimes two at once.
          const both = [one, other].filter((some) => some !== null);
          await Promise.all(
            both.map(async ({ does, a, b, units }) => {
              try {
                await operations[does]?.(site, a, b, units, site.picker);
                done.add(does);
              } catch (error) {
                if (!(error instanceof DomainError)) throw error;
              }
            }),
          );
          await assertInvariants(site.warehouse_id);
          await assertWithdrawn(site);
        }
        const kept = await db.row(
          `select (select coalesce(sum(quantity_received), 0) from item_receipts where item_id = $1)
             = (select coalesce(sum(quantity_on_hand), 0) from inventory where item_id = $1)
             + (select coalesce(sum(quantity_picked), 0) from pick_tasks where item_id = $1
                and status in ('PICKED', 'SHORT')) as whole`,
          [site.item_id],
        );
        assert.deepEqual(kept, { whole: true });
      }),
      { numRuns: SEQUENCES, seed: SEED },
    );
    assert.deepEqual([...done].sort(), Object.keys(operations).sort(), "each of them was done at least once");
  });
});
