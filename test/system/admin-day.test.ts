import assert from "node:assert/strict";
import { temporalClient } from "../../api/http/workflow-updates.js";
import type { Caller } from "../support/caller.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import { assertInvariants, unexplainedUnits } from "../support/invariants.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";

const admin = (path: string) => `/api/admin/${path}`;

/** An operations lead's day, by HTTP alone: each step finds what the step before left. */
describe("an admin's day", () => {
  const service = testService({ worker: true });
  let lead: Caller;
  let picker: Caller;
  let warehouse_id: number;
  const bins = new Map<string, number>();
  const items = new Map<string, number>();
  const orders = new Map<string, number>();
  before(async () => {
    lead = service.admin;
  });
  afterEach(async () => {
    await assertInvariants();
    assert.deepEqual(await unexplainedUnits(), []);
  });

  const post = (path: string, body: object = {}) => lead.ok("POST", admin(path), body);
  const put = (path: string, body: object) => lead.ok("PUT", admin(path), body);
  const patch = (path: string, body: object) => lead.ok("PATCH", admin(path), body);
  const get = (path: string) => lead.ok("GET", admin(path));
  const load = async (type: string, records: object[], fields = {}) => {
    const { imported, errors } = await post(`import/${type}`, { records, ...fields });
    assert.deepEqual([imported, errors], [records.length, []]);
  };
  const named = (map: Map<string, number>, name: string) => map.get(name) ?? assert.fail(`no ${name}`);
  const order = (name: string) => `sales-orders/${named(orders, name)}`;
  const onHand = async (sku: string) => {
    const { inventory } = await get(`items/${named(items, sku)}`);
    return Object.fromEntries(
      inventory.map((row: { bin_code: string; quantity_on_hand: number }) => [row.bin_code, row.quantity_on_hand]),
    );
  };

  it("sets up a warehouse from nothing", async () => {
    const made = await post("warehouses", { warehouse_code: "BRN", warehouse_name: "Bern" });
    warehouse_id = made.warehouse_id;
    for (const [zone_code, zone_type] of [
      ["DOCK", "RECEIVING"],
      ["RACK", "STORAGE"],
    ])
      await post("zones", { warehouse_id, zone_code, zone_name: zone_code, zone_type });
    await load("bins", [
      { bin_code: "D-1", zone: "dock", bin_type: "Staging", warehouse_id },
      { bin_code: "R-1", zone: "rack", pick_sequence: 10, warehouse_id },
      { bin_code: "R-2", zone: "rack", pick_sequence: 20, warehouse_id },
    ]);
    const listed = await get(`bins?warehouse_id=${warehouse_id}`);
    for (const { bin_code, bin_id } of listed.bins) bins.set(bin_code, bin_id);
    await put("settings", { settings: { default_receiving_bin: `${named(bins, "D-1")}` } });
    picker = await service.user({ warehouse_ids: [warehouse_id], page_keys: ["sales-orders"] });
  });

  it("imports its items, stock and orders", async () => {
    await load("items", [
      { sku: "CUP", item_name: "Cup", upc: "400001", weight: "0.5" },
      { sku: "POT", item_name: "Pot", upc: "400002", weight: "2" },
    ]);
    for (const { sku, item_id } of (await get("items")).items) items.set(sku, item_id);
    await load("inventory-adjustments", [
      { sku: "CUP", warehouse: "BRN", bin: "R-1", qty: 30 },
      { sku: "POT", warehouse: "BRN", bin: "R-2", qty: 12 },
    ]);
    await load("purchase-orders", [{ po_number: "PO-7", sku: "POT", quantity: 20, vendor: "Kiln & Co" }], {
      warehouse_id,
    });
    await load(
      "sales-orders",
      ["SO-1", "SO-2", "SO-3", "SO-4"].map((so_number) => ({ so_number, sku: "CUP", quantity: 4, customer: "Ada" })),
      { warehouse_id },
    );
    for (const so of (await get("sales-orders")).sales_orders) orders.set(so.so_number, so.so_id);
    await post("preferred-bins", { item_id: named(items, "CUP"), bin_id: named(bins, "R-1") });
    assert.deepEqual(await onHand("CUP"), { "R-1": 30 });
  });

  it("takes back a receipt that was of another item, and mends its order", async () => {
    const { purchase_orders } = await get("purchase-orders?q=PO-7");
    const { po_id } = purchase_orders[0];
    const { receipt_ids } = await picker.ok("POST", "/api/receiving/receive", {
      po_id,
      items: [{ item_id: named(items, "POT"), quantity: 20, bin_id: named(bins, "D-1") }],
    });
    assert.equal((await onHand("POT"))["D-1"], 20);
    const po = `purchase-orders/${po_id}`;
    assert.equal((await get(`${po}/receipts`)).receipts.length, 1);
    const undone = await post(`receipts/${receipt_ids[0]}/unreceive`, { reason: "These were cups" });
    assert.deepEqual([undone.po_status, undone.quantity_reversed], ["OPEN", 20]);
    const { lines } = await get(po);
    await patch(`${po}/lines/${lines[0].po_line_id}`, { quantity_ordered: 15 });
    await post(`${po}/close`);
    assert.equal((await post(`${po}/reopen`)).status, "OPEN");
    assert.equal((await onHand("POT"))["D-1"], 0);
  });

  it("edits one order, cancels another, and ships a third from the desk", async () => {
    const edited = await put(order("SO-1"), { customer_name: "Ada L.", ship_method: "UPS Ground" });
    assert.deepEqual(edited.edited_fields.sort(), ["customer_name", "ship_method"]);
    await patch(`${order("SO-1")}/address`, { shipping_address_city: "Thun" });
    await post(`${order("SO-1")}/lines`, { item_id: named(items, "POT"), quantity_ordered: 2 });
    const cancelled = await post(`${order("SO-2")}/cancel`);
    assert.equal(cancelled.pre_status, "OPEN");

    const { lines } = await get(order("SO-3"));
    await post(`${order("SO-3")}/admin-pick`, {
      lines: [{ so_line_id: lines[0].so_line_id, bin_id: named(bins, "R-1"), quantity: 4 }],
    });
    await put("settings", { settings: { require_packing_before_shipping: "false" } });
    await post(`${order("SO-3")}/admin-ship`);
    assert.equal((await get(order("SO-3"))).sales_order.status, "SHIPPED");
    assert.deepEqual(await onHand("CUP"), { "R-1": 26 });
  });

  it("reverts an order that was picked by mistake, and its goods are back", async () => {
    const walk = (step: string, body: object) => picker.ok("POST", `/api/picking/${step}`, body);
    const so_ids = [named(orders, "SO-4")];
    const made = await walk("wave-create", { warehouse_id, so_ids });
    const { batch_id, first_pick } = made;
    const { pick_task_id, upc, quantity_to_pick } = first_pick;
    await walk("confirm", { pick_task_id, scanned_barcode: upc, quantity_picked: quantity_to_pick });
    await walk("complete-batch", { batch_id });
    assert.deepEqual(await onHand("CUP"), { "R-1": 22 });
    const { pick_tasks } = await get(order("SO-4"));
    const reverted = await post(`${order("SO-4")}/revert-status`, {
      new_status: "OPEN",
      release_pick_task_ids: pick_tasks.map((task: { pick_task_id: number }) => task.pick_task_id),
    });
    assert.deepEqual([reverted.from_status, reverted.to_status], ["PICKED", "OPEN"]);
    assert.deepEqual(await onHand("CUP"), { "R-1": 26 });
  });

  it("prints the tickets of what is open", async () => {
    const { sales_orders } = await get("sales-orders?status=OPEN");
    const so_ids = sales_orders.map((so: { so_id: number }) => so.so_id);
    const { marked } = await post("sales-orders/mark-printed", { so_ids });
    assert.equal(marked.length, 2);
    const ticket = await get(`${order("SO-1")}/picking-ticket`);
    assert.deepEqual(pluck(ticket.lines, "sku"), ["CUP", "POT"]);
    assert.equal((await get("sales-orders?hide_printed=true&status=OPEN")).total, 0);
  });

  it("approves what a count found, and the count's process ends", async () => {
    const path = "/api/inventory/cycle-count";
    const { counts } = await picker.ok("POST", `${path}/create`, { warehouse_id, bin_ids: [named(bins, "R-2")] });
    const { count_id } = counts[0];
    const { lines } = await picker.ok("GET", `${path}/${count_id}`);
    await picker.ok("POST", `${path}/submit`, {
      count_id,
      lines: [{ count_line_id: lines[0].count_line_id, counted_quantity: 11 }],
    });
    const { adjustments } = await get("adjustments/pending");
    assert.deepEqual([adjustments[0].sku, adjustments[0].quantity_change], ["POT", -1]);
    const decided = await post("adjustments/review", {
      decisions: [{ adjustment_id: adjustments[0].adjustment_id, action: "approve" }],
    });
    assert.deepEqual([decided.approved, decided.rejected], [1, 0]);
    const process = temporalClient().workflow.getHandle(`cycle-count-${count_id}`);
    assert.equal((await process.result()).ended, "approved");
    assert.equal((await onHand("POT"))["R-2"], 11);
  });

  it("reads how the day went", async () => {
    const board = await get(`dashboard?warehouse_id=${warehouse_id}`);
    assert.deepEqual(
      {
        open_pos: board.open_pos,
        pending_receipts: board.pending_receipts,
        open_sos: board.open_sos,
        cancelled_orders: board.cancelled_orders,
        pending_adjustments: board.pending_adjustments,
        total_skus: board.total_skus,
        total_bins: board.total_bins,
      },
      {
        open_pos: 1,
        pending_receipts: 15,
        open_sos: 2,
        cancelled_orders: 1,
        pending_adjustments: 0,
        total_skus: 2,
        total_bins: 3,
      },
    );
    const today = new Date().toISOString().slice(0, 10);
    const work = await lead.ok(
      "GET",
      `/api/v1/dashboard/productivity?start=${today}&end=${today}&warehouse_id=${warehouse_id}`,
    );
    const mine = work.users.find((user: { username: string }) => user.username === picker.username);
    assert.ok(mine.total > 0);
    const { results } = await get("search?q=SO-1");
    assert.equal(results[0].label, "SO-1");
    const { entries } = await get("audit-log?action_type=RECEIVE_CANCEL");
    assert.deepEqual([entries.length, entries[0].username, entries[0].entity_name], [1, "admin", "PO-7"]);
    await assertEventsMatchSchemas();
  });
});
