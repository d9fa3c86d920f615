import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { bin, item, purchaseOrder, salesOrder, stock, stockOf, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { unique } from "../support/unique.js";

const INVENTORY = "/api/admin/inventory";
const HOLDS = "/api/admin/holds";

describe("a hold of a part of what lies in a bin", () => {
  const service = testService({ worker: true });
  afterEach(() => assertInvariants());

  /** Ten units in one bin, and an empty bin beside it. */
  async function goods(lot: string | null = null) {
    const warehouse_id = await warehouse();
    const bin_id = await bin(warehouse_id, { pick_sequence: 1 });
    const other = await bin(warehouse_id, { pick_sequence: 2 });
    const { item_id, sku } = await item();
    const inventory_id = await stock(warehouse_id, bin_id, item_id, 10, lot);
    return { warehouse_id, bin_id, other, item_id, sku, inventory_id };
  }
  const hold = (inventory_id: number, quantity?: number, condition = "HOLD") =>
    service.admin.ok("POST", `${INVENTORY}/${inventory_id}/hold`, { quantity, condition, reason: "wet" });
  const release = (hold_id: number, quantity?: number) =>
    service.admin.ok("POST", `${HOLDS}/${hold_id}/release`, { quantity, reason: "dry" });
  const held = async (item_id: number) => {
    const { holds } = await service.admin.ok("GET", `${HOLDS}?item_id=${item_id}&sort=bin_code,hold_id`);
    return holds.map((one: { bin_id: number; quantity_held: number }) => [one.bin_id, one.quantity_held]);
  };
  const row = async (inventory_id: number, item_id: number) => {
    const { inventory } = await service.admin.ok("GET", `${INVENTORY}?item_id=${item_id}`);
    return inventory.find((one: { inventory_id: number }) => one.inventory_id === inventory_id);
  };
  const ordered = async (warehouse_id: number, item_id: number, quantity_ordered: number) => {
    const { sales_order } = await service.admin.ok("POST", "/api/admin/sales-orders", {
      ...{ so_number: `SO-${unique()}`, warehouse_id, lines: [{ item_id, quantity_ordered }] },
    });
    return sales_order.so_id as number;
  };
  const reserved = async (so_id: number) =>
    (await service.admin.ok("GET", `/api/admin/sales-orders/${so_id}`)).lines[0].quantity_allocated as number;
  const move = (
    { item_id, bin_id: from_bin_id }: { item_id: number; bin_id: number },
    to_bin_id: number,
    quantity: number,
  ) => service.admin.ok("POST", "/api/transfers/move", { item_id, from_bin_id, to_bin_id, quantity });
  const remove = ({ item_id, bin_id, warehouse_id }: Awaited<ReturnType<typeof goods>>, quantity: number) =>
    service.admin.post("/api/admin/adjustments/direct", {
      ...{ item_id, bin_id, warehouse_id, adjustment_type: "REMOVE", quantity, reason: "gone" },
    });
  const events = (type: string, entity_id: number) =>
    db.rows<{ payload: Record<string, unknown> }>(
      `select event_data(integration_events) as payload from integration_events
       where event_type = $1 and entity_id = $2 order by outbox_id`,
      [type, entity_id],
    );
  const inZone = async (warehouse_id: number, zone_type: string) => {
    const bin_id = await bin(warehouse_id);
    await db.run("update zones set zone_type = $2 where zone_id = (select zone_id from bins where bin_id = $1)", [
      ...[bin_id, zone_type],
    ]);
    return bin_id;
  };

  it("is of a stock row that is there, and keeps the receipt of its units", async () => {
    const unknown = await service.admin.post(`${INVENTORY}/2147483647/hold`, { reason: "none" });
    assert.deepEqual([unknown.status, unknown.code], [404, "stock_row_not_found"]);
    const nothing = await service.admin.post(`${HOLDS}/2147483647/release`, { reason: "none" });
    assert.deepEqual([nothing.status, nothing.code], [404, "hold_not_found"]);
    const warehouse_id = await warehouse();
    const bin_id = await bin(warehouse_id);
    const { item_id } = await item();
    const { po_id } = await purchaseOrder(warehouse_id, [{ item_id, quantity: 4 }]);
    const { receipt_ids } = await service.admin.ok("POST", "/api/receiving/receive", {
      ...{ po_id, items: [{ item_id, quantity: 4, bin_id }] },
    });
    const inventory_id = await db.value<number>("select inventory_id from inventory where item_id = $1", [item_id]);
    await hold(inventory_id as number, 2);
    const cancelled = await service.admin.post("/api/receiving/cancel", { po_id, receipt_ids });
    assert.deepEqual([cancelled.status, cancelled.code], [400, "units_held"]);
  });

  it("is sold to nobody, is listed, and is sold again once it is released", async () => {
    const { warehouse_id, item_id, inventory_id, bin_id } = await goods();
    const made = await hold(inventory_id, 4, "DAMAGED");
    assert.deepEqual(
      [made.quantity, made.quantity_held, made.condition, made.reason, made.bin_id, made.inspection_id],
      [4, 4, "DAMAGED", "wet", bin_id, null],
    );
    const shown = await row(inventory_id, item_id);
    assert.deepEqual(
      [shown.quantity_on_hand, shown.quantity_held, shown.quantity_available, shown.effective_condition],
      [10, 4, 6, "AVAILABLE"],
    );
    const so_id = await ordered(warehouse_id, item_id, 10);
    assert.equal(await reserved(so_id), 6);
    const part = await release(made.hold_id, 1);
    assert.deepEqual([part.quantity, part.quantity_held, part.ended_at], [4, 3, null]);
    assert.equal(await reserved(so_id), 7);
    assert.notEqual((await release(made.hold_id)).ended_at, null);
    assert.equal(await reserved(so_id), 10);
    assert.deepEqual(await held(item_id), []);
    assert.equal((await service.admin.ok("GET", `${HOLDS}?item_id=${item_id}&open=false`)).total, 1);
    const [told] = await events("stock.held", made.hold_id);
    assert.deepEqual([told?.payload.quantity, told?.payload.condition, told?.payload.reason], [4, "DAMAGED", "wet"]);
    assert.deepEqual(pluck(pluck(await events("stock.released", made.hold_id), "payload"), "quantity"), [1, 3]);
    const again = await service.admin.post(`${HOLDS}/${made.hold_id}/release`, { reason: "again" });
    assert.deepEqual([again.status, again.code], [409, "hold_has_fewer"]);
  });

  it("of all units that lie there shows its condition for the row", async () => {
    const { inventory_id, item_id } = await goods();
    await hold(inventory_id, 3);
    const rest = await hold(inventory_id, undefined, "DAMAGED");
    assert.equal(rest.quantity, 7);
    assert.equal((await row(inventory_id, item_id)).effective_condition, "DAMAGED");
    await db.run("update inventory set expiry_date = current_date - 2 where inventory_id = $1", [inventory_id]);
    assert.equal((await row(inventory_id, item_id)).effective_condition, "EXPIRED", "before the job has found it");
    const more = await service.admin.post(`${INVENTORY}/${inventory_id}/hold`, { quantity: 1, reason: "one more" });
    assert.deepEqual([more.status, more.code], [409, "nothing_to_hold"]);
  });

  it("takes units that were reserved, and their orders get others or wait", async () => {
    const { warehouse_id, item_id, inventory_id, other } = await goods();
    const [first, last] = [await ordered(warehouse_id, item_id, 6), await ordered(warehouse_id, item_id, 4)];
    const { hold_id } = await hold(inventory_id, 5);
    assert.deepEqual([await reserved(first), await reserved(last)], [5, 0], "the youngest lose theirs first");
    await stock(warehouse_id, other, item_id, 0);
    await release(hold_id, 2);
    assert.deepEqual([await reserved(first), await reserved(last)], [6, 1]);
  });

  it("ends pick tasks as far as it needs their units, and they are planned anew", async () => {
    const { warehouse_id, item_id, inventory_id, bin_id, other } = await goods();
    await stock(warehouse_id, other, item_id, 3);
    const { so_id } = await salesOrder(warehouse_id, [{ item_id, quantity: 10 }]);
    const wave = await service.admin.ok("POST", "/api/picking/wave-create", { so_ids: [so_id], warehouse_id });
    await hold(inventory_id, 4);
    const tasks = await db.rows(
      `select status, bin_id, quantity_to_pick from pick_tasks where batch_id = $1 order by pick_task_id`,
      [wave.batch_id],
    );
    assert.deepEqual(tasks, [
      { status: "PENDING", bin_id, quantity_to_pick: 6 },
      { status: "SHORT", bin_id, quantity_to_pick: 4 },
      { status: "PENDING", bin_id: other, quantity_to_pick: 3 },
    ]);
    assert.deepEqual(await stockOf(inventory_id), { on_hand: 10, allocated: 10 });
    for (const { pick_task_id, quantity_to_pick } of await db.rows<{ pick_task_id: number; quantity_to_pick: number }>(
      "select pick_task_id, quantity_to_pick from pick_tasks where batch_id = $1 and status = 'PENDING'",
      [wave.batch_id],
    ))
      await service.admin.ok("POST", "/api/picking/confirm", {
        ...{ pick_task_id, scanned_barcode: wave.first_pick.sku, quantity_picked: quantity_to_pick },
      });
    assert.deepEqual(await stockOf(inventory_id), { on_hand: 4, allocated: 4 }, "what is held is left");
  });

  it("moves with the last of its units, and before others to where nothing is sold", async () => {
    const at = await goods();
    const { item_id, bin_id, other, inventory_id, warehouse_id } = at;
    const { hold_id } = await hold(inventory_id, 4);
    await move(at, other, 5);
    assert.deepEqual(await held(item_id), [[bin_id, 4]], "free units move first");
    await move(at, other, 3);
    assert.deepEqual(Object.fromEntries(await held(item_id)), { [bin_id]: 2, [other]: 2 }, "a hold is split");
    const quality = await inZone(warehouse_id, "QUALITY");
    await move({ ...at, bin_id: other }, quality, 1);
    assert.deepEqual(Object.fromEntries(await held(item_id)), { [bin_id]: 2, [other]: 1, [quality]: 1 });
    await move(at, other, 2);
    assert.equal(
      (await held(item_id)).some(([at]: [number]) => at === bin_id),
      false,
      "the whole content moved",
    );
    const so_id = await ordered(warehouse_id, item_id, 10);
    assert.equal(await reserved(so_id), 6, "four are held, wherever they are");
    assert.equal((await service.admin.ok("GET", `${HOLDS}?item_id=${item_id}`)).holds.at(-1).hold_id, hold_id);
  });

  it("moves after what is reserved, and before what is to be picked", async () => {
    const at = await goods();
    const { warehouse_id, item_id, bin_id, other, inventory_id } = at;
    const { so_id } = await salesOrder(warehouse_id, [{ item_id, quantity: 3 }]);
    await service.admin.ok("POST", "/api/picking/wave-create", { so_ids: [so_id], warehouse_id });
    await ordered(warehouse_id, item_id, 4);
    await hold(inventory_id, 3);
    await move(at, other, 5);
    assert.deepEqual(Object.fromEntries(await held(item_id)), { [bin_id]: 2, [other]: 1 });
    const tasks = await db.rows("select bin_id, quantity_to_pick from pick_tasks where inventory_id = $1", [
      inventory_id,
    ]);
    assert.deepEqual(tasks, [{ bin_id, quantity_to_pick: 3 }]);
  });

  it("is lowered last when fewer units are there: by a count, a correction, a push", async () => {
    const at = await goods();
    const { item_id, inventory_id, warehouse_id, bin_id } = at;
    const so_id = await ordered(warehouse_id, item_id, 4);
    const { hold_id } = await hold(inventory_id, 5);
    assert.equal((await remove(at, 3)).status, 201);
    assert.deepEqual([await reserved(so_id), await held(item_id)], [2, [[bin_id, 5]]], "reserved units go first");
    assert.equal((await remove(at, 4)).status, 201);
    assert.deepEqual([await reserved(so_id), await held(item_id)], [0, [[bin_id, 3]]]);
    const { counts } = await service.admin.ok("POST", "/api/inventory/cycle-count/create", {
      ...{ warehouse_id, bin_ids: [bin_id] },
    });
    const path = `/api/inventory/cycle-count/${counts[0].count_id}`;
    const { lines } = await service.admin.ok("GET", path);
    const submitted = await service.admin.ok("POST", "/api/inventory/cycle-count/submit", {
      ...{ count_id: counts[0].count_id, lines: [{ count_line_id: lines[0].count_line_id, counted_quantity: 1 }] },
    });
    const [{ adjustment_id }] = submitted.summary.adjustments;
    await service.admin.ok("POST", "/api/admin/adjustments/review", {
      decisions: [{ adjustment_id, action: "approve" }],
    });
    assert.deepEqual(await held(item_id), [[bin_id, 1]]);
    assert.deepEqual(await stockOf(inventory_id), { on_hand: 1, allocated: 1 });
    const noted = await db.rows<{ units: number }>(
      `select (details->>'quantity')::int as units from audit_log
       where action_type = 'HOLD_REDUCED' and entity_id = $1 order by log_id`,
      [hold_id],
    );
    assert.deepEqual(pluck(noted, "units"), [2, 2]);
  });

  it("keeps its units in the warehouse, and from receipts that are taken back", async () => {
    const at = await goods();
    const { item_id, inventory_id, warehouse_id, bin_id } = at;
    await hold(inventory_id, 8);
    const to_warehouse_id = await warehouse();
    const away = await service.admin.post("/api/admin/inter-warehouse-transfer", {
      ...{ item_id, quantity: 3, from_warehouse_id: warehouse_id, from_bin_id: bin_id },
      ...{ to_warehouse_id, to_bin_id: await bin(to_warehouse_id) },
    });
    assert.deepEqual([away.status, away.code], [400, "units_held"]);
    assert.deepEqual(await stockOf(inventory_id), { on_hand: 10, allocated: 8 });
  });

  it("is made and released by who may use the stock of the warehouse", async () => {
    const { inventory_id, warehouse_id } = await goods();
    const { hold_id } = await hold(inventory_id, 1);
    const rita = await service.user({ warehouse_ids: [await warehouse()], page_keys: ["inventory"] });
    const elsewhere = await rita.post(`${INVENTORY}/${inventory_id}/hold`, { reason: "wet" });
    assert.deepEqual(
      [elsewhere.status, (await rita.post(`${HOLDS}/${hold_id}/release`, { reason: "dry" })).status],
      [403, 403],
    );
    assert.equal((await rita.ok("GET", HOLDS)).total, 0);
    assert.ok(warehouse_id);
  });
});
