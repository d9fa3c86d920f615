import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import { bin, item, purchaseOrder, salesOrder, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { startWave } from "../support/walk.js";

const LOTS = "/api/admin/lots";

describe("the number of a lot", () => {
  const service = testService({ worker: true });
  afterEach(() => assertInvariants());

  /** Ten units of lot LOT-T in one bin, received with an order. */
  async function goods(lot_number = "LOT-T") {
    const warehouse_id = await warehouse();
    const bin_id = await bin(warehouse_id);
    const { item_id, sku } = await item();
    const receive = async (number: string, expiry_date = "2098-05-01") => {
      const { po_id } = await purchaseOrder(warehouse_id, [{ item_id, quantity: 10 }]);
      const units = { item_id, quantity: 10, bin_id, lot_number: number, expiry_date };
      await service.admin.ok("POST", "/api/receiving/receive", { po_id, items: [units] });
      return db.value<number>("select lot_id from lots where item_id = $1 and lot_number = $2", [item_id, number]);
    };
    const lot_id = (await receive(lot_number)) as number;
    return { warehouse_id, bin_id, item_id, sku, lot_id, path: `${LOTS}/${lot_id}`, receive };
  }

  it("is corrected of all that tells of its units, while a wave runs", async () => {
    const { warehouse_id, bin_id, item_id, sku, lot_id, path } = await goods();
    const shelf = await bin(warehouse_id);
    const route = { item_id, from_bin_id: bin_id, to_bin_id: shelf, quantity: 2, lot_number: "LOT-T" };
    await service.admin.ok("POST", "/api/transfers/move", route);
    const { so_id } = await salesOrder(warehouse_id, [{ item_id, quantity: 9 }]);
    const { batch_id } = await startWave(service.admin, warehouse_id, [so_id]);
    const reason = "7 read as T";
    const corrected = await service.admin.ok("PUT", path, { lot_number: "LOT-7", reason });
    assert.deepEqual(
      [corrected.lot_id, corrected.lot_number, corrected.expiry_date, corrected.quantity_on_hand],
      [lot_id, "LOT-7", "2098-05-01", 10],
    );
    const { lots } = await service.admin.ok("GET", `${LOTS}?item_id=${item_id}`);
    assert.deepEqual(pluck(lots, "lot_number"), ["LOT-7"], "no second record");
    const detail = await service.admin.ok("GET", path);
    assert.deepEqual([pluck(detail.receipts, "quantity_received"), detail.places.length], [[10], 2]);
    const { steps } = await service.admin.ok("GET", `${path}/trace`);
    assert.deepEqual(pluck(steps, "kind"), ["receipt", "place", "place", "move"]);
    const audit = await db.row<{ details: object }>(
      "select details from audit_log where action_type = 'UPDATE' and entity_type = 'LOT' and entity_id = $1",
      [lot_id],
    );
    assert.deepEqual(audit?.details, {
      ...{ lot_number: "LOT-T", sku, item_id, reason },
      changed: { lot_number: { old: "LOT-T", new: "LOT-7" } },
    });
    const [event] = await events(lot_id);
    assert.deepEqual(
      [event?.warehouse_id, event?.lot_number, event?.former_lot_number, event?.quantity_on_hand, event?.reason],
      [warehouse_id, "LOT-7", "LOT-T", 10, reason],
    );
    const { tasks } = await service.admin.ok("GET", `/api/picking/batch/${batch_id}`);
    assert.deepEqual(new Set(pluck(tasks, "lot_number")), new Set(["LOT-7"]));
    for (const { pick_task_id, quantity_to_pick: quantity_picked } of tasks)
      await service.admin.ok("POST", "/api/picking/confirm", { pick_task_id, scanned_barcode: sku, quantity_picked });
    await service.admin.ok("POST", "/api/picking/complete-batch", { batch_id });
    await assertEventsMatchSchemas();
  });

  const events = async (lot_id: number) => {
    const rows = await db.rows<{ warehouse_id: number; payload: Record<string, unknown> }>(
      `select warehouse_id, event_data(integration_events) as payload from integration_events
       where event_type = 'lot.corrected' and entity_id = $1 order by outbox_id`,
      [lot_id],
    );
    return rows.map(({ warehouse_id, payload }) => ({ warehouse_id, ...payload }) as Record<string, unknown>);
  };

  it("leaves what expired as it is, and each unit its last day", async () => {
    const { item_id, path, warehouse_id, receive } = await goods();
    const later = await bin(warehouse_id);
    const { po_id } = await purchaseOrder(warehouse_id, [{ item_id, quantity: 1 }]);
    const units = { item_id, quantity: 1, bin_id: later, lot_number: "LOT-T", expiry_date: "2098-08-01" };
    await service.admin.ok("POST", "/api/receiving/receive", { po_id, items: [units] });
    await db.run("update inventory set condition = 'EXPIRED' where item_id = $1 and bin_id = $2", [item_id, later]);
    const rows = () =>
      db.rows<{ lot_number: string; expiry_date: string; condition: string }>(
        "select expiry_date::text, condition from inventory where item_id = $1 order by inventory_id",
        [item_id],
      );
    const before = await rows();
    const { expiry_date } = await service.admin.ok("PUT", path, { lot_number: "LOT-7" });
    assert.equal(expiry_date, "2098-05-01");
    assert.deepEqual(await rows(), before);
    // The old number is free again: units that come with it are another lot.
    const other = await receive("LOT-T");
    assert.notEqual(`${LOTS}/${other}`, path);
  });

  it("is corrected of a lot on hold, and gives no unit another condition than that of its lot", async () => {
    const { item_id, path } = await goods();
    const conditions = () => db.value<string>("select condition from inventory where item_id = $1", [item_id]);
    const expire = () => db.run("update inventory set condition = 'EXPIRED' where item_id = $1", [item_id]);
    await expire();
    await service.admin.ok("POST", `${path}/hold`, { reason: "wet" });
    await service.admin.ok("PUT", path, { lot_number: "LOT-1" });
    assert.equal(await conditions(), "HOLD", "of the lot, which it got when the lot was held");
    await service.admin.ok("POST", `${path}/release`, { reason: "dry" });
    await expire();
    await service.admin.ok("PUT", path, { lot_number: "LOT-7", expiry_date: "2098-09-01" });
    assert.equal(await conditions(), "AVAILABLE", "another last day has units sold again, whatever their number");
  });

  it("is corrected together with the last day, and days alone are told, too", async () => {
    const { lot_id, path, item_id } = await goods();
    await service.admin.ok("PUT", path, { lot_number: "LOT-7", expiry_date: "2098-06-01" });
    await service.admin.ok("PUT", path, { production_date: "2026-01-05" });
    await service.admin.ok("PUT", path, { notes: "arrived warm" });
    assert.deepEqual(
      (await events(lot_id)).map(({ former_lot_number, expiry_date, production_date, reason }) => [
        ...[former_lot_number, expiry_date, production_date, reason],
      ]),
      [
        ["LOT-T", "2098-06-01", null, null],
        [null, "2098-06-01", "2026-01-05", null],
      ],
    );
    const day = await db.value("select expiry_date::text from inventory where item_id = $1", [item_id]);
    assert.equal(day, "2098-06-01");
  });

  it("is refused where the item has a lot of it, and while the lot is called back", async () => {
    const { path, lot_id, receive } = await goods();
    await receive("LOT-7");
    const taken = await service.admin.put(path, { lot_number: "LOT-7", notes: "?" });
    assert.deepEqual([taken.status, taken.code], [409, "lot_exists"]);
    await service.admin.ok("POST", "/api/admin/recalls", { lot_ids: [lot_id], reason: "glass" });
    const recalled = await service.admin.put(path, { lot_number: "LOT-8" });
    assert.deepEqual([recalled.status, recalled.code], [409, "lot_recalled"]);
    const { notes, lot_number } = await service.admin.ok("PUT", path, { notes: "called back", lot_number: "LOT-T" });
    assert.deepEqual([notes, lot_number], ["called back", "LOT-T"], "the number that it has is no other");
  });
});
