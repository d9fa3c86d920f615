import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import { db } from "../support/db.js";
import { bin, item, purchaseOrder, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { pickFloor } from "../support/pick-floor.js";
import { waitingOrder } from "../support/waiting.js";

/** The most that one stock row holds, and that one line asks for. */
const MOST = 2_147_483_647;
const LINE = 1_000_000;
const LINES = 2_300;

describe("sums of the largest quantities", () => {
  const { at, wave, startWave, cancel } = pickFloor();
  const get = (path: string) => at().service.admin.ok("GET", path);

  /** An item of which two pickable bins and a staging bin are full, and an order with many large lines of it. */
  async function plenty() {
    const { warehouse_id } = at();
    const goods = await item();
    const bins = [await bin(warehouse_id), await bin(warehouse_id)];
    const staging = await bin(warehouse_id, { type: "Staging" });
    for (const bin_id of [...bins, staging]) await stock(warehouse_id, bin_id, goods.item_id, MOST);
    for (const lot of ["A", "B"]) await stock(warehouse_id, staging, goods.item_id, MOST, lot);
    const line = { item_id: goods.item_id, quantity: LINE };
    const order = await salesOrder(warehouse_id, Array(LINES).fill(line));
    return { ...goods, ...order, bins, staging, warehouse_id };
  }
  type Plenty = Awaited<ReturnType<typeof plenty>>;

  /** The order in another status, with all of its units picked and packed. */
  const become = ({ so_id }: Plenty, status: string) =>
    db.run(
      `with o as (update sales_orders set status = $2 where so_id = $1)
       update sales_order_lines set quantity_picked = $3, quantity_packed = $3, quantity_allocated = $3
         where so_id = $1`,
      [so_id, status, LINE],
    );

  it("are whole in the lists of stock, and where it lies", async () => {
    const { item_id, sku, staging, warehouse_id } = await plenty();
    const { inventory } = await get(`/api/admin/inventory?item_id=${item_id}`);
    assert.equal(inventory[0].committed_to_orders, LINES * LINE);
    assert.equal(inventory[0].quantity_on_hand, MOST);
    const detail = await get(`/api/admin/items/${item_id}`);
    assert.ok(JSON.stringify(detail).includes(String(3 * MOST)));
    const looked = await get(`/api/lookup/item/${sku}`);
    assert.ok(JSON.stringify(looked).includes(String(MOST)));
    const lying = await get(`/api/admin/bins/${staging}`);
    assert.ok(JSON.stringify(lying).includes(String(3 * MOST)));
    await get(`/api/admin/warehouses/${warehouse_id}`);
    await get(`/api/putaway/suggest/${item_id}`);
    await get(`/api/putaway/pending/${warehouse_id}`);
    const waiting = await get(`/api/putaway/staging-summary?warehouse_id=${warehouse_id}`);
    assert.ok(JSON.stringify(waiting).includes(String(3 * MOST)));
  });

  it("are whole in searches and on the dashboards", async () => {
    const { sku, so_number, warehouse_id, item_id } = await plenty();
    await db.run("update items set reorder_point = 1 where item_id = $1", [item_id]);
    for (const q of [sku, so_number]) await get(`/api/admin/search?q=${encodeURIComponent(q)}`);
    await get(`/api/lookup/item/search?q=${sku}`);
    await get(`/api/lookup/so/${so_number}`);
    const summary = await get(`/api/admin/dashboard?warehouse_id=${warehouse_id}`);
    assert.ok(summary.items_awaiting_putaway >= 3 * MOST);
    const day = new Date().toISOString().slice(0, 10);
    await get(`/api/v1/dashboard/productivity?start=${day}&end=${day}`);
    for (const board of ["received", "shipping-health"])
      await get(`/api/v1/dashboard/${board}?warehouse_id=${warehouse_id}`);
  });

  it("are whole in what a purchase order still expects", async () => {
    const [warehouse_id, { item_id }] = [await warehouse(), await item()];
    const po = await db.row<{ po_id: number; po_barcode: string }>(
      `with po as (
         insert into purchase_orders (po_number, po_barcode, warehouse_id) values ('LARGE', 'LARGE', $1)
           returning po_id, po_barcode
       ), lines as (
         insert into purchase_order_lines (po_id, item_id, quantity_ordered, line_number)
         select po_id, $2, $3, n from po, generate_series(1, $4::int) n
       ) select * from po`,
      [warehouse_id, item_id, LINE, LINES],
    );
    await get(`/api/receiving/po/${po?.po_barcode}`);
    await get(`/api/admin/purchase-orders/${po?.po_id}`);
    await get("/api/admin/purchase-orders");
    const summary = await get(`/api/admin/dashboard?warehouse_id=${warehouse_id}`);
    assert.equal(summary.pending_receipts, LINES * LINE);
  });

  it("are whole in what is on its way to an order that waits", async () => {
    const [{ warehouse_id }, { item_id }] = [at(), await item()];
    await purchaseOrder(warehouse_id, Array(LINES).fill({ item_id, quantity: LINE }));
    const { so_number } = await waitingOrder(warehouse_id, [{ item_id, quantity: LINE }]);
    const { backorders } = await get(`/api/admin/backorders?warehouse_id=${warehouse_id}`);
    const order = backorders.find((one: { so_number: string }) => one.so_number === so_number);
    assert.equal(order.items[0].open_po.quantity_remaining, LINES * LINE);
  });

  it("are whole in the parcel of an order", async () => {
    const order = await plenty();
    await become(order, "PICKED");
    const packed = await get(`/api/packing/order/${order.so_number}`);
    assert.deepEqual([packed.total_items, packed.items_verified], [LINES * LINE, LINES * LINE]);
    const { admin } = at().service;
    const { so_id } = order;
    const done = await admin.ok("POST", "/api/packing/complete", { so_id });
    assert.equal(done.total_items, LINES * LINE);
    const shown = await get(`/api/shipping/order/${order.so_number}`);
    assert.equal(shown.total_items, LINES * LINE);
    const shipped = await admin.ok("POST", "/api/shipping/fulfill", { so_id, tracking_number: "1Z", carrier: "UPS" });
    assert.equal(shipped.total_quantity, LINES * LINE);
    const path = `/api/admin/shipments?q=${order.so_number}`;
    assert.equal((await get(path)).shipments[0].total_quantity, LINES * LINE);
    const { body } = await admin.with({ accept: "text/csv" }).get(path);
    const [row] = parse(body, { columns: true }) as Record<string, string>[];
    assert.equal(row?.total_quantity, String(LINES * LINE));
    const day = new Date().toISOString().slice(0, 10);
    const range = `start=${day}&end=${day}&warehouse_id=${order.warehouse_id}`;
    const { totals_per_event } = await get(`/api/v1/dashboard/productivity?${range}`);
    assert.equal(totals_per_event.packing, LINES * LINE);
  });

  it("are whole in a wave, which can be walked, shown and put back", async () => {
    const order = await plenty();
    const { so_id, so_number, warehouse_id } = order;
    const scanned = await at().picker.ok("POST", "/api/picking/wave-validate", { so_barcode: so_number, warehouse_id });
    assert.equal(scanned.total_units, LINES * LINE);
    const made = await startWave(so_id);
    assert.equal(made.total_units, LINES * LINE);
    assert.equal(made.first_pick.contributing_orders.length, 1);
    const shown = await get(`/api/picking/batch/${made.batch_id}`);
    assert.equal(shown.total_items, LINES * LINE);
    assert.equal((await cancel(made.batch_id)).status, 200);
    assert.equal((await wave([so_id])).status, 200);
  });

  it("are whole for what an order has reserved in a bin", async () => {
    const { warehouse_id, item_id } = await plenty();
    const { admin } = at().service;
    const { sales_order, lines } = await admin.ok("POST", "/api/admin/sales-orders", {
      ...{ so_number: "HELD", warehouse_id },
      lines: [{ item_id, quantity_ordered: LINE }],
    });
    const path = `/api/admin/sales-orders/${sales_order.so_id}`;
    const { bins } = await get(`${path}/lines/${lines[0].so_line_id}/available-bins`);
    assert.ok(bins.some((one: { quantity_available: number }) => one.quantity_available === 3 * MOST));
    const { audit_log_id } = await admin.ok("POST", `${path}/cancel`);
    assert.ok(audit_log_id);
  });

  it("are whole where an order is cut and its units are taken off the books", async () => {
    const { so_id } = await plenty();
    const { lines } = await get(`/api/admin/sales-orders/${so_id}`);
    const cut = { so_line_id: lines[0].so_line_id, short_qty: 5, write_off: true };
    const done = await at().service.admin.ok("POST", `/api/admin/sales-orders/${so_id}/partial-fulfill`, {
      lines: [cut],
    });
    assert.equal(done.shrink_summary[0].adjustment_qty, -5);
  });

  it("are whole in a count of a full bin", async () => {
    const { staging, warehouse_id, sku } = await plenty();
    const { admin } = at().service;
    const { counts } = await admin.ok("POST", "/api/inventory/cycle-count/create", {
      warehouse_id,
      bin_ids: [staging],
    });
    const [{ count_id }] = counts;
    const { lines } = await get(`/api/inventory/cycle-count/${count_id}`);
    assert.deepEqual([lines[0].sku, lines[0].expected_quantity], [sku, 3 * MOST]);
    await get("/api/admin/cycle-counts");
  });
});
