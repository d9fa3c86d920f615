import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { newUpc } from "../support/gtins.js";
import { assertInvariants } from "../support/invariants.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { testService } from "../support/service.js";

/** docs/inspection.md: damaged units that somebody on the floor reports. */
describe("damage on the floor", () => {
  const service = testService({ worker: true });
  afterEach(() => assertInvariants());

  /** So many units of each lot in a bin. */
  async function goods(lots: Record<string, number>) {
    const warehouse_id = await warehouse();
    const bin_id = await bin(warehouse_id, { pick_sequence: 1 });
    const { item_id, sku, upc } = await item({ upc: newUpc() });
    for (const [lot, units] of Object.entries(lots)) await stock(warehouse_id, bin_id, item_id, units, lot || null);
    return { warehouse_id, bin_id, item_id, sku, upc };
  }
  const report = (at: { bin_id: number; item_id: number }, quantity: number, more: object = {}, by = service.admin) =>
    by.post("/api/inventory/report-damage", {
      ...{ item_id: at.item_id, bin_id: at.bin_id, quantity, reason: "fell from the shelf", ...more },
    });
  const free = async (item_id: number) => {
    const { inventory } = await service.admin.ok("GET", `/api/admin/inventory?item_id=${item_id}&sort=lot_number`);
    return pluckAll(inventory, "lot_number", "quantity_on_hand", "quantity_available");
  };

  it("takes units out of sale, and a lead finds them in the inbox", async () => {
    const at = await goods({ "": 10 });
    const picker = await service.user({ warehouse_ids: [at.warehouse_id] });
    const made = await report(at, 3, {}, picker);
    assert.equal(made.status, 201);
    const { condition, quantity_held, reason, inspection_id, held_by } = made.body;
    assert.deepEqual(
      [condition, quantity_held, reason, held_by],
      ["QUARANTINE", 3, "fell from the shelf", picker.username],
    );
    assert.deepEqual(await free(at.item_id), [[null, 10, 7]]);
    const lead = await service.user({ warehouse_ids: [at.warehouse_id], page_keys: ["inventory"] });
    const [part] = (await lead.ok("GET", "/api/admin/inbox?kind=inspection")).parts;
    assert.deepEqual(pluckAll(part.entries, "record_id", "label", "name", "detail", "units"), [
      [String(inspection_id), at.sku, picker.username, "fell from the shelf", 3],
    ]);
    await lead.ok("POST", `/api/admin/inspections/${inspection_id}/decide`, { decision: "damage", reason: "cracked" });
    assert.deepEqual((await lead.ok("GET", "/api/admin/inbox?kind=inspection")).parts[0].entries, []);
    assert.deepEqual(await free(at.item_id), [[null, 10, 7]], "they are still not sold");
  });

  it("is of the lot that is named, by hand or by the label, or of the only one", async () => {
    const at = await goods({ A: 4, B: 4 });
    const none = await report(at, 1);
    assert.deepEqual([none.status, none.code], [404, "not_in_bin"]);
    assert.equal((await report(at, 1, { lot_number: "B" })).body.lot_number, "B");
    const label = `(10)A(21)S-1`;
    const disagrees = await report(at, 1, { lot_number: "B", scanned_barcode: label });
    assert.deepEqual(disagrees.status, 400);
    const ofLotA = { scanned_barcode: `01${at.upc?.padStart(14, "0")}10A` };
    const other = await report(at, 1, { ...ofLotA, lot_number: "B" });
    assert.deepEqual([other.status, other.code], [400, "scan_disagrees"]);
    const only = await goods({ C: 2 });
    assert.equal((await report(only, 2)).body.lot_number, "C");
    assert.deepEqual(await free(only.item_id), [["C", 2, 0]]);
  });

  it("is refused for more than lies there, and where nothing does, and changes nothing", async () => {
    const at = await goods({ "": 2 });
    const tooMany = await report(at, 3);
    assert.deepEqual([tooMany.status, tooMany.code], [409, "nothing_to_hold"]);
    const [other, elsewhere] = [await goods({ "": 1 }), await goods({ "": 1 })];
    const nowhere = await report({ item_id: other.item_id, bin_id: at.bin_id }, 1);
    assert.deepEqual([nowhere.status, nowhere.code], [404, "not_in_bin"]);
    const wrongLabel = await report(at, 1, { scanned_barcode: other.sku });
    assert.deepEqual([wrongLabel.status, wrongLabel.code], [400, "scanned_other_item"]);
    const stranger = await service.user({ warehouse_ids: [elsewhere.warehouse_id] });
    const denied = await report(at, 1, {}, stranger);
    assert.equal(denied.status, 403);
    assert.deepEqual(await free(at.item_id), [[null, 2, 2]]);
    assert.equal(await db.value("select count(*)::int from stock_holds"), await holdsOf(at.item_id, "<>"));
  });

  const holdsOf = (item_id: number, is: "=" | "<>") =>
    db.value(`select count(*)::int from stock_holds join inventory using (inventory_id) where item_id ${is} $1`, [
      item_id,
    ]);

  it("sends a pick to other units, as far as there are any, and shortens it by the rest", async () => {
    const at = await goods({ "": 3 });
    const spare = await bin(at.warehouse_id, { pick_sequence: 2 });
    await stock(at.warehouse_id, spare, at.item_id, 1);
    const { so_id } = await salesOrder(at.warehouse_id, [{ item_id: at.item_id, quantity: 3 }]);
    const { batch_id } = await service.admin.ok("POST", "/api/picking/wave-create", {
      ...{ so_ids: [so_id], warehouse_id: at.warehouse_id },
    });
    assert.equal((await report(at, 2)).status, 201);
    const { tasks } = await service.admin.ok("GET", `/api/picking/batch/${batch_id}`);
    const pending = tasks.filter(({ status }: { status: string }) => status === "PENDING");
    assert.deepEqual(pluck(pending, "quantity_to_pick"), [1, 1]);
    for (const { pick_task_id } of pending)
      await service.admin.ok("POST", "/api/picking/confirm", {
        ...{ pick_task_id, scanned_barcode: at.sku, quantity_picked: 1 },
      });
    const { summary } = await service.admin.ok("POST", "/api/picking/complete-batch", { batch_id });
    assert.equal(summary.total_items_picked, 2);
  });
});
