import assert from "node:assert/strict";
import { decideInspection } from "../../activities/lots/decide-inspection.js";
import { holdStock } from "../../activities/lots/hold-stock.js";
import { receive } from "../../activities/receiving/receive.js";
import { reverseReceipt } from "../../activities/receiving/reverse-receipt.js";
import { createReturn } from "../../activities/returns/create.js";
import { receiveReturn } from "../../activities/returns/receive.js";
import { reverseReturnReceipt } from "../../activities/returns/reverse-receipt.js";
import { cancelSalesOrder } from "../../activities/sales-orders/cancel.js";
import { revertStatus } from "../../activities/sales-orders/revert.js";
import { completePacking, verifyItem } from "../../activities/shipping/packing.js";
import { fulfill } from "../../activities/shipping/shipping.js";
import { adjustDirectly } from "../../activities/stock/adjustments.js";
import { moveBetweenBins } from "../../activities/stock/transfers.js";
import { db } from "../support/db.js";
import { bin, warehouse } from "../support/fixtures.js";
import { chosen, mix, type Operation, selling } from "../support/mixed-operations.js";
import { serialItem } from "../support/serials.js";
import { testService } from "../support/service.js";
import { actor } from "../support/walk.js";

/** The state of a serial after each kind of step, and the states that it may come from. */
const STEPS: Record<string, { to: string; from: string[] }> = {
  RECEIVED: { to: "IN_STOCK", from: ["NEW", "GONE"] },
  RECEIPT_REVERSED: { to: "GONE", from: ["IN_STOCK"] },
  PACKED: { to: "PACKED", from: ["IN_STOCK"] },
  UNPACKED: { to: "IN_STOCK", from: ["PACKED"] },
  SHIPPED: { to: "SHIPPED", from: ["PACKED"] },
  SHIP_VOIDED: { to: "PACKED", from: ["SHIPPED"] },
  RETURNED: { to: "IN_STOCK", from: ["SHIPPED"] },
  RETURN_REVERSED: { to: "SHIPPED", from: ["IN_STOCK"] },
  ADJUSTED_OUT: { to: "GONE", from: ["IN_STOCK"] },
  FOUND: { to: "IN_STOCK", from: ["NEW", "GONE"] },
  SENT_BACK: { to: "GONE", from: ["IN_STOCK"] },
};

describe("any sequence of receipts, packings, shipments, returns, corrections and what undoes them", function () {
  this.timeout(300_000);
  const service = testService();

  async function openSite() {
    const warehouse_id = await warehouse();
    const item = await serialItem(warehouse_id, "at_receipt");
    return { ...item, bins: [item.bin_id, await bin(warehouse_id)], picker: await service.user({ role: "ADMIN" }) };
  }
  type Site = Awaited<ReturnType<typeof openSite>>;

  const ordersIn = ({ warehouse_id }: Site, ...statuses: string[]) =>
    db.rows<{ so_id: number }>(
      `select so_id from sales_orders where warehouse_id = $1 and status = any($2) and order_type = 'standard'
       order by so_id`,
      [warehouse_id, statuses],
    );
  const returnsOf = ({ warehouse_id }: Site) =>
    db.rows<{ so_id: number; parent_so_id: number }>(
      `select so_id, parent_so_id from sales_orders where warehouse_id = $1 and order_type = 'return' order by so_id`,
      [warehouse_id],
    );
  const receiptsOf = ({ item_id }: Site, of: "po_id" | "so_id") =>
    db.rows<{ receipt_id: number; so_id: number }>(
      `select receipt_id, so_id from item_receipts where item_id = $1 and ${of} is not null order by receipt_id`,
      [item_id],
    );
  /** Of those that are so, one after the other from any of them; of all twenty where none is. */
  async function serialsLike({ item_id }: Site, state: string, n: number, units: number): Promise<string[]> {
    const known = await db.rows<{ serial_number: string }>(
      "select serial_number from serials where item_id = $1 and state = $2 order by serial_number",
      [item_id, state],
    );
    const numbers = known.length > 0 && n % 5 !== 0 ? known.map((row) => row.serial_number) : ALL;
    return Array.from({ length: units }, (_, i) => numbers[(n + i) % numbers.length] as string);
  }
  const ALL = Array.from({ length: 20 }, (_, i) => `S${i}`);
  const because = { reason: "property" };

  const arrive = ({ po_id, item_id, bin_id }: Site, serial_numbers: string[], by: Site["picker"]) =>
    receive({ po_id, items: [{ item_id, bin_id, quantity: serial_numbers.length, serial_numbers }] }, actor(by));

  const operations: Record<string, Operation<Site>> = {
    receive: (site, a, _b, units, by) =>
      arrive(
        site,
        Array.from({ length: units }, (_, i) => ALL[(a + i) % ALL.length] as string),
        by,
      ),
    reverseReceipt: async (site, a, _b, _units, by) => {
      const receipt = chosen(await receiptsOf(site, "po_id"), a);
      if (receipt) await reverseReceipt({ receipt_id: receipt.receipt_id }, actor(by));
    },
    ...selling,
    pack: async (site, a, b, _units, by) => {
      const order = chosen(await ordersIn(site, "PICKED"), a);
      const [serial_number] = await serialsLike(site, "IN_STOCK", b, 1);
      if (order) await verifyItem({ so_id: order.so_id, scanned_barcode: site.sku, serial_number }, actor(by));
    },
    closeParcel: async (site, a, _b, _units, by) => {
      const order = chosen(await ordersIn(site, "PICKED"), a);
      if (order) await completePacking(order, actor(by));
    },
    ship: async (site, a, _b, _units, by) => {
      const order = chosen(await ordersIn(site, "PACKED"), a);
      if (order) await fulfill({ so_id: order.so_id, carrier: "UPS", tracking_number: "1Z" }, actor(by));
    },
    revert: async (site, a, b, _units, by) => {
      const order = chosen(await ordersIn(site, "PACKED", "SHIPPED"), a);
      const new_status = b % 2 ? "PACKED" : "PICKED";
      if (order) await revertStatus({ so_id: order.so_id, new_status, release_pick_task_ids: [] }, actor(by));
    },
    cancel: async (site, a, _b, _units, by) => {
      const order = chosen(await ordersIn(site, "OPEN", "PICKED", "PACKED"), a);
      if (order) await cancelSalesOrder({ so_id: order.so_id }, actor(by));
    },
    expectReturn: async (site, a, _b, quantity, by) => {
      const order = chosen(await ordersIn(site, "SHIPPED"), a);
      const lines = [{ item_id: site.item_id, quantity }];
      if (order) await createReturn(order.so_id, { lines } as never, actor(by));
    },
    takeReturn: async (site, a, b, quantity, by) => {
      const expected = chosen(await returnsOf(site), a);
      const { item_id, warehouse_id, bin_id } = site;
      const serial_numbers = await serialsLike(site, "SHIPPED", b, quantity);
      const units = { item_id, warehouse_id, bin_id, quantity, serial_numbers };
      if (expected) await receiveReturn({ so_id: expected.so_id, ...units } as never, actor(by));
    },
    reverseReturn: async (site, a, _b, _units, by) => {
      const receipt = chosen(await receiptsOf(site, "so_id"), a);
      if (receipt) await reverseReturnReceipt(receipt, actor(by));
    },
    adjust: async (site, a, b, quantity, by) => {
      const { item_id, warehouse_id, bins } = site;
      const isUp = a % 2 === 0;
      const serial_numbers = await serialsLike(site, isUp ? "GONE" : "IN_STOCK", b, b % 7 === 0 ? 0 : quantity);
      const change = { adjustment_type: isUp ? ("ADD" as const) : ("REMOVE" as const), quantity, serial_numbers };
      await adjustDirectly({ item_id, warehouse_id, bin_id: bins[b % 2] as number, ...change, ...because }, actor(by));
    },
    sendBack: async (site, a, b, quantity, by) => {
      const rows = await db.rows<{ inventory_id: number }>(
        "select inventory_id from inventory where item_id = $1 and quantity_on_hand > 0 order by inventory_id",
        [site.item_id],
      );
      const row = chosen(rows, a);
      if (!row) return;
      const held = { quantity, condition: "QUARANTINE" as const, ...because };
      const { inspection_id } = await holdStock(row.inventory_id, held, actor(by));
      const serial_numbers = await serialsLike(site, "IN_STOCK", b, b % 7 === 0 ? 0 : quantity);
      const decide = (decision: "return_to_supplier" | "release", more: object) =>
        decideInspection(inspection_id as number, { decision, ...because, ...more }, actor(by));
      // Units that are not sent back, as others are named, go on.
      await decide("return_to_supplier", { serial_numbers }).catch(() => decide("release", {}));
    },
    move: ({ item_id, bins }, a, _b, quantity, by) =>
      moveBetweenBins(
        { item_id, quantity, from_bin_id: bins[a % 2], to_bin_id: bins[(a + 1) % 2] } as never,
        actor(by),
      ),
  };

  /** A site with ten units, two orders picked, and one shipped that partly comes back. */
  async function begun(): Promise<Site> {
    const site = await openSite();
    await arrive(site, ALL.slice(0, 8), site.picker);
    await arrive(site, ALL.slice(18), site.picker);
    const does = (name: string, a = 0, b = 1, units = 1) => operations[name]?.(site, a, b, units, site.picker);
    await does("order", 0, 0, 2);
    await does("order", 0, 0, 2);
    await does("wave");
    await does("confirm");
    await does("complete");
    for (let i = 0; i < 2; i++) await does("pack");
    await does("closeParcel");
    await does("ship");
    await does("expectReturn", 0, 0, 2);
    return site;
  }

  /** The life of each serial is a way from state to state, which ends where it is. */
  async function assertLives({ item_id }: Site): Promise<void> {
    const lives = await db.rows<{ serial_number: string; state: string; kinds: string[] }>(
      `select serial_number, state, array(select kind from serial_steps p where p.serial_id = s.serial_id
         order by step_id) as kinds
       from serials s where item_id = $1 order by serial_number`,
      [item_id],
    );
    for (const { serial_number, state, kinds } of lives) {
      let at = "NEW";
      for (const kind of kinds) {
        const step = STEPS[kind];
        assert.ok(step?.from.includes(at), `${serial_number}: ${kind} after ${at} (${kinds})`);
        at = step?.to ?? "";
      }
      assert.equal(at, state, `${serial_number}: ${kinds}`);
    }
  }

  /** There are as many serials in the house, packed and shipped as units. */
  async function assertUnits({ item_id }: Site): Promise<void> {
    const found = await db.row(
      `select sum(packed)::int as packed, (sum(shipped) - sum(received))::int as shipped, sum(picked)::int
           + (select coalesce(sum(quantity_on_hand), 0)::int from inventory where item_id = $1) as in_house
       from sales_orders join (
           select so_id, quantity_picked - greatest(quantity_packed, quantity_shipped) as picked,
             greatest(quantity_packed - quantity_shipped, 0) as packed, quantity_shipped as shipped,
             (select coalesce(sum(quantity_received), 0) from sales_order_lines r join sales_orders back using (so_id)
              where back.parent_so_id = l.so_id and back.order_type = 'return') as received
           from sales_order_lines l where item_id = $1) lines using (so_id)
       where order_type <> 'return'`,
      [item_id],
    );
    const serials = await db.row(
      `select count(*) filter (where state = 'IN_STOCK')::int as in_house,
         count(*) filter (where state = 'PACKED')::int as packed,
         count(*) filter (where state = 'SHIPPED')::int as shipped
       from serials where item_id = $1`,
      [item_id],
    );
    assert.deepEqual(serials, found);
  }

  it("keeps one serial for one unit", async () => {
    await mix(
      operations,
      [
        "pack",
        "pack",
        "closeParcel",
        "ship",
        "takeReturn",
        "adjust",
        "sendBack",
        "wave",
        "confirm",
        "complete",
        "reverseReceipt",
      ],
      {
        begun,
        afterEach: async (site) => {
          await assertLives(site);
          await assertUnits(site);
        },
        atEnd: async () => {},
      },
    );
  });
});
