import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { expireStock } from "../../activities/lots/expire.js";
import { holdStock, releaseHold } from "../../activities/lots/hold-stock.js";
import { holdLot, releaseLot } from "../../activities/lots/lots.js";
import { endSales } from "../../activities/lots/too-old.js";
import { planWave } from "../../activities/picking/create-wave.js";
import { confirmPick, shortPick } from "../../activities/picking/scan.js";
import { receive } from "../../activities/receiving/receive.js";
import { adminPick } from "../../activities/sales-orders/admin-pick.js";
import { createSalesOrder } from "../../activities/sales-orders/create.js";
import { endSalesToOrders } from "../../activities/sales-orders/end-sales.js";
import { moveBetweenBins } from "../../activities/stock/transfers.js";
import { beginTransfer } from "../../activities/transfers/create.js";
import { takeBatchId } from "../../src/picking/queries.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { dayAfter } from "../../src/platform/time.js";
import { takeTransferId } from "../../src/transfers/queries.js";
import { db } from "../support/db.js";
import { bin, item, purchaseOrder, warehouse } from "../support/fixtures.js";
import { enforceLotRules } from "../support/lot-rules.js";
import { chosen, mix, type Operation, pendingTasks, selling } from "../support/mixed-operations.js";
import { testService } from "../support/service.js";
import { checkOut, codeOfBin, codeOfWarehouse, lineOf, saleOf, tillOf } from "../support/till.js";
import { unique } from "../support/unique.js";
import { actor } from "../support/walk.js";

const LOTS = ["A", "B", "C", "D"];
const POLICIES = ["exact", "any_of_bin", "first_expired_only"];
const TODAY = new Date().toISOString().slice(0, 10);
const because = { reason: "property" };

describe("any sequence of waves, batches, desk picks, tills and transfers of units that expire", function () {
  this.timeout(300_000);
  const service = testService();
  before(() => enforceLotRules());

  /** A warehouse with a till, two bins that are picked from and one that is not, and an item that is expected. */
  async function openSite() {
    const warehouse_id = await warehouse();
    const bins = [await bin(warehouse_id), await bin(warehouse_id), await bin(warehouse_id, { type: "Staging" })];
    const { item_id, sku } = await item();
    const { po_id } = await purchaseOrder(warehouse_id, [{ item_id, quantity: 1_000 }]);
    const { caller: till } = await tillOf(service, { warehouse_ids: [warehouse_id] });
    const shelf = { sku, warehouse: await codeOfWarehouse(warehouse_id), bins: await Promise.all(bins.map(codeOfBin)) };
    const picker = await service.user({ role: "ADMIN" });
    return {
      warehouse_id,
      elsewhere: await warehouse(),
      bins,
      item_id,
      sku,
      po_id,
      till,
      shelf,
      picker,
      later: [] as (() => Promise<unknown>)[],
    };
  }
  type Site = Awaited<ReturnType<typeof openSite>>;

  const place = ({ bins }: Pick<Site, "bins">, n: number) => bins[n % bins.length] as number;
  const lotNumber = (n: number) => LOTS[n % LOTS.length] as string;
  const lotId = ({ item_id }: Site, n: number) =>
    db.value<number>("select lot_id from lots where item_id = $1 and lot_number = $2", [item_id, lotNumber(n)]);
  const rowsOf = ({ item_id }: Site) =>
    db.rows<{ inventory_id: number }>("select inventory_id from inventory where item_id = $1 order by 1", [item_id]);
  const openOrders = ({ warehouse_id }: Site) =>
    db.rows<{ so_id: number; so_line_id: number }>(
      `select so_id, so_line_id from sales_orders so join sales_order_lines using (so_id)
       where warehouse_id = $1 and so.status = 'OPEN' and quantity_picked < quantity_ordered
         and not exists (select from pick_batch_orders b where b.so_id = so.so_id and b.active) order by so_id`,
      [warehouse_id],
    );

  const operations: Record<string, Operation<Site>> = {
    ...selling,
    // Some customers ask for days of their own.
    order: ({ warehouse_id, item_id }, a, b, quantity_ordered) =>
      createSalesOrder(
        {
          ...{ so_number: `M-${unique()}`, warehouse_id, lines: [{ item_id, quantity_ordered }] },
          min_days_at_shipping: a % 2 ? (b % 4) * 8 : null,
        } as never,
        systemActor(randomUUID()),
      ),
    daysOfOrder: async (site, a, b) => {
      const order = chosen(await openOrders(site), a);
      if (!order) return;
      const min_days_at_shipping = b % 2 ? (b % 5) * 7 : null;
      site.later.push(() => site.picker.ok("PUT", `/api/admin/sales-orders/${order.so_id}`, { min_days_at_shipping }));
    },
    // A lot's day is some days from now: A comes first, D does not expire.
    receive: ({ po_id, item_id, bins }, a, b, quantity, by) => {
      const expiry_date = a % 4 === 3 ? null : dayAfter(TODAY, 10 * ((a % 4) + 1) + (b % 3));
      const units = { item_id, quantity, bin_id: place({ bins }, b), lot_number: lotNumber(a), expiry_date };
      return receive({ po_id, items: [units] } as never, actor(by));
    },
    move: ({ item_id, bins }, a, b, quantity, by) =>
      moveBetweenBins(
        {
          ...{ item_id, quantity, lot_number: lotNumber(a) },
          ...{ from_bin_id: place({ bins }, b), to_bin_id: place({ bins }, b + 1) },
        } as never,
        actor(by),
      ),
    batch: async (site, _a, _b, _units, by) => {
      const soIds = [...new Set((await openOrders(site)).slice(0, 2).map(({ so_id }) => so_id))];
      if (soIds.length === 0) return;
      const plan = { batchId: await takeBatchId(), warehouseId: site.warehouse_id, soIds, excludeSoIds: [] };
      await planWave({ ...plan, combine: false }, actor(by));
    },
    deskPick: async (site, a, b, quantity, by) => {
      const line = chosen(await openOrders(site), a);
      if (!line) return;
      const { so_id, so_line_id } = line;
      await adminPick({ so_id, lines: [{ so_line_id, bin_id: place(site, b), quantity }] }, actor(by));
    },
    sell: async ({ till, shelf }, a, _b, quantity) => {
      const at = { ...shelf, bin: shelf.bins[a % shelf.bins.length] as string };
      const line = lineOf(at, quantity, {
        ...{ unit_price_cents: 100, tax_cents: 0, line_total_cents: 100 * quantity },
      });
      const total = 100 * quantity;
      const { status, body } = await checkOut(
        till,
        saleOf(at, {
          lines: [line],
          payment_summary: { subtotal_cents: total, tax_cents: 0, total_cents: total },
        }),
      );
      assert.ok(status === 200 || body.error_kind === "fulfillment_failed", JSON.stringify(body));
    },
    transfer: async ({ warehouse_id, elsewhere, item_id }, _a, _b, quantity, by) =>
      beginTransfer(
        {
          ...{ kind: "lines", to_id: await takeTransferId(), notes: null, lines: [{ item_id, quantity }] },
          ...{ source_warehouse_id: warehouse_id, destination_warehouse_id: elsewhere },
        } as never,
        actor(by),
      ),
    // Of the lot that is at hand, planned or not.
    confirmLot: async (site, a, b, _units, by) => {
      const task = chosen(await pendingTasks(site), a);
      if (!task) return;
      const { pick_task_id, quantity_to_pick: quantity_picked } = task;
      await confirmPick(
        { pick_task_id, scanned_barcode: site.sku, quantity_picked, lot_number: lotNumber(b) },
        actor(by),
      );
    },
    short: async (site, a, _b, _units, by) => {
      const task = chosen(await pendingTasks(site), a);
      if (task) await shortPick({ pick_task_id: task.pick_task_id, quantity_available: 0 } as never, actor(by));
    },
    policy: async ({ item_id, picker, later }, a, b) => {
      const policy = { lot_picking: POLICIES[a % POLICIES.length], min_days_at_shipping: b % 2 ? (b % 3) * 11 : null };
      later.push(() => picker.ok("PUT", `/api/admin/items/${item_id}`, policy));
    },
    dayPasses: async (site, a) => {
      const row = chosen(await rowsOf(site), a);
      const past = "update inventory set expiry_date = $2 where inventory_id = $1 and quantity_on_hand > 0";
      site.later.push(() => db.run(past, [row?.inventory_id, dayAfter(TODAY, -2)]));
    },
    job: async () => {
      await expireStock();
      await endSales();
      await endSalesToOrders();
    },
    hold: async (site, a, b, units, by) => {
      const row = chosen(await rowsOf(site), a);
      const quantity = b % 5 === 0 ? null : units;
      if (row) await holdStock(row.inventory_id, { quantity, condition: "HOLD", ...because }, actor(by));
    },
    release: async (site, a, _b, _units, by) => {
      const held = chosen(
        await db.rows<{ hold_id: number }>(
          `select hold_id from stock_holds join inventory using (inventory_id)
           where warehouse_id = $1 and quantity_held > 0 order by 1`,
          [site.warehouse_id],
        ),
        a,
      );
      if (held) await releaseHold(held.hold_id, { quantity: null, ...because }, actor(by));
    },
    holdLot: async (site, a, _b, _units, by) => {
      const lot = await lotId(site, a);
      if (lot) await holdLot(lot, { condition: "HOLD", ...because }, actor(by));
    },
    releaseLot: async (site, a, _b, _units, by) => {
      const lot = await lotId(site, a);
      if (lot) await releaseLot(lot, because, actor(by));
    },
  };

  /** A site with units of each lot, and a wave. */
  async function begun(): Promise<Site> {
    const site = await openSite();
    const { picker } = site;
    // All lots in the first bin, the later ones first, and two of them elsewhere.
    for (const [a, b] of [
      [2, 0],
      [3, 0],
      [1, 3],
      [0, 6],
      [1, 1],
      [2, 5],
    ] as const)
      await operations.receive?.(site, a, b, 3, picker);
    await operations.order?.(site, 0, 0, 2, picker);
    await operations.wave?.(site, 0, 0, 0, picker);
    return site;
  }

  it("never sells what is not sold, nor a later day while an earlier one is free within reach", async () => {
    const often = [
      "receive",
      "order",
      "order",
      "wave",
      "batch",
      "deskPick",
      "sell",
      "transfer",
      "confirm",
      "confirmLot",
    ];
    await mix(operations, [...often, "hold", "release", "holdLot", "releaseLot"], {
      begun,
      // A day and a policy change while nothing is chosen: else it is not known what the choice was made by.
      afterEach: async ({ later }) => {
        for (const change of later.splice(0)) await change();
      },
      atEnd: async () => {},
    });
  });
});
