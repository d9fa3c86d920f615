import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { testService } from "../support/service.js";
import { checkOut, codeOfBin, codeOfWarehouse, lineOf, saleOf, tillOf } from "../support/till.js";
import { startWave } from "../support/walk.js";

type Policy = "exact" | "any_of_bin" | "first_expired_only";

describe("the lot of units that are taken without a pick task", () => {
  const service = testService({ worker: true });
  afterEach(() => assertInvariants());

  /** A bin with lots of an item, of which EARLY comes first. */
  async function shelf(lot_picking: Policy) {
    const warehouse_id = await warehouse();
    const bin_id = await bin(warehouse_id);
    const { item_id, sku } = await item();
    await db.run("update items set lot_picking = $2 where item_id = $1", [item_id, lot_picking]);
    for (const [lot, day] of [
      ["EARLY", "2098-01-01"],
      ["SAME", "2098-01-01"],
      ["LATE", "2098-02-01"],
    ] as const) {
      const row = await stock(warehouse_id, bin_id, item_id, 5, lot);
      await db.run("update inventory set expiry_date = $2 where inventory_id = $1", [row, day]);
    }
    await db.run("update inventory set updated_at = '2020-01-01' where item_id = $1 and lot_number = 'EARLY'", [
      item_id,
    ]);
    return { warehouse_id, bin_id, item_id, sku };
  }
  type Shelf = Awaited<ReturnType<typeof shelf>>;
  const onHand = async ({ item_id }: Shelf) => {
    const rows = await db.rows<{ lot: string; units: number }>(
      "select lot_number as lot, quantity_on_hand as units from inventory where item_id = $1 order by 1",
      [item_id],
    );
    return Object.fromEntries(rows.map(({ lot, units }) => [lot, units]));
  };

  describe("at the desk", () => {
    async function pick(at: Shelf, lot_number: string | null, quantity = 2) {
      const { so_id } = await salesOrder(at.warehouse_id, [{ item_id: at.item_id, quantity }]);
      const path = `/api/admin/sales-orders/${so_id}`;
      const { so_line_id } = (await service.admin.ok("GET", path)).lines[0];
      const lines = [{ so_line_id, bin_id: at.bin_id, quantity, lot_number }];
      return { so_id, ...(await service.admin.post(`${path}/admin-pick`, { lines })) };
    }

    it("is the named one, where the item says any of the bin, and what expires first where none is named", async () => {
      const at = await shelf("any_of_bin");
      const picked = await pick(at, "LATE");
      assert.equal(picked.status, 200, JSON.stringify(picked.body));
      assert.deepEqual(await onHand(at), { EARLY: 5, LATE: 3, SAME: 5 });
      const audit = await db.value<string>(
        "select details->>'lot_number' from audit_log where action_type = 'PICK' and entity_id = $1",
        [picked.so_id],
      );
      assert.equal(audit, "LATE");
      assert.equal((await pick(at, null)).status, 200);
      assert.deepEqual(await onHand(at), { EARLY: 3, LATE: 3, SAME: 5 });
    });

    it("is refused by name, by the policy of the item, and nothing is picked", async () => {
      const codes = [];
      for (const [policy, lot, quantity] of [
        ["exact", "SAME", 2],
        ["first_expired_only", "LATE", 2],
        ["any_of_bin", "LATE", 6],
        ["any_of_bin", "NEVER", 1],
        ["exact", "EARLY", 6],
      ] as const) {
        const at = await shelf(policy);
        const { status, code } = await pick(at, lot, quantity);
        codes.push([status, code]);
        assert.deepEqual(await onHand(at), { EARLY: 5, LATE: 5, SAME: 5 });
      }
      assert.deepEqual(codes, [
        [400, "wrong_lot"],
        [400, "lot_expires_later"],
        [400, "lot_not_free"],
        [400, "wrong_lot"],
        [400, "lot_not_free"],
      ]);
      assert.equal((await pick(await shelf("exact"), "EARLY")).status, 200);
      assert.equal((await pick(await shelf("first_expired_only"), "SAME")).status, 200);
    });

    it("can be chosen among those that lie in each bin of a line", async () => {
      const at = await shelf("any_of_bin");
      const { so_id } = await salesOrder(at.warehouse_id, [{ item_id: at.item_id, quantity: 2 }]);
      const path = `/api/admin/sales-orders/${so_id}`;
      const { so_line_id } = (await service.admin.ok("GET", path)).lines[0];
      const { bins } = await service.admin.ok("GET", `${path}/lines/${so_line_id}/available-bins`);
      assert.deepEqual(bins[0].lots, [
        { lot_number: "EARLY", expiry_date: "2098-01-01", quantity_available: 5 },
        { lot_number: "SAME", expiry_date: "2098-01-01", quantity_available: 5 },
        { lot_number: "LATE", expiry_date: "2098-02-01", quantity_available: 5 },
      ]);
    });
  });

  describe("at a till", () => {
    async function sell(at: Shelf, lot_number: string | null, quantity = 2) {
      const { caller } = await tillOf(service, { warehouse_ids: [at.warehouse_id] });
      const place = {
        sku: at.sku,
        warehouse: await codeOfWarehouse(at.warehouse_id),
        bin: await codeOfBin(at.bin_id),
      };
      return checkOut(caller, saleOf(place, { lines: [lineOf(place, quantity, { lot_number })] }));
    }

    it("is the named one, where the item allows it", async () => {
      const at = await shelf("any_of_bin");
      assert.equal((await sell(at, "LATE")).status, 200);
      assert.equal((await sell(at, null)).status, 200);
      assert.deepEqual(await onHand(at), { EARLY: 3, LATE: 3, SAME: 5 });
    });

    it("is refused by name, and nothing is sold", async () => {
      const kinds = [];
      for (const [policy, lot, quantity] of [
        ["exact", "SAME", 2],
        ["first_expired_only", "LATE", 2],
        ["any_of_bin", "LATE", 6],
      ] as const) {
        const at = await shelf(policy);
        const { status, body } = await sell(at, lot, quantity);
        kinds.push([status, body.error_kind, body.details.failed_line_index, body.details.sku === at.sku]);
        assert.deepEqual(await onHand(at), { EARLY: 5, LATE: 5, SAME: 5 });
      }
      assert.deepEqual(kinds, [
        [400, "wrong_lot", 0, true],
        [400, "lot_expires_later", 0, true],
        [400, "lot_not_free", 0, true],
      ]);
    });
  });

  it("is refused at packing where it was not picked for the order", async () => {
    const at = await shelf("exact");
    const { so_id, so_number } = await salesOrder(at.warehouse_id, [{ item_id: at.item_id, quantity: 6 }]);
    const { batch_id } = await startWave(service.admin, at.warehouse_id, [so_id]);
    const ticket = await service.admin.ok("GET", `/api/admin/sales-orders/${so_id}/picking-ticket`);
    const bin_code = await codeOfBin(at.bin_id);
    assert.deepEqual(ticket.lines[0].lots, [
      { bin_code, lot_number: "EARLY", expiry_date: "2098-01-01", quantity: 5 },
      { bin_code, lot_number: "SAME", expiry_date: "2098-01-01", quantity: 1 },
    ]);
    const { tasks } = await service.admin.ok("GET", `/api/picking/batch/${batch_id}`);
    for (const { pick_task_id, quantity_to_pick: quantity_picked } of tasks)
      await service.admin.ok("POST", "/api/picking/confirm", {
        pick_task_id,
        scanned_barcode: at.sku,
        quantity_picked,
      });
    await service.admin.ok("POST", "/api/picking/complete-batch", { batch_id });
    const pack = (lot_number?: string, quantity = 1) =>
      service.admin.post("/api/packing/verify", { so_id, scanned_barcode: at.sku, lot_number, quantity });
    const wrong = await pack("LATE");
    assert.deepEqual([wrong.status, wrong.code], [400, "wrong_lot"]);
    assert.equal(wrong.body.error, "Wrong lot: expected EARLY, SAME, scanned LATE");
    for (const [lot, units] of [
      ["EARLY", 4],
      ["SAME", 1],
      [undefined, 1],
    ] as const)
      assert.equal((await pack(lot, units)).status, 200);
    await service.admin.ok("POST", "/api/packing/complete", { so_id });
    assert.ok(so_number);
  });

  it("is named by the audit row of a short pick", async () => {
    const at = await shelf("exact");
    const { so_id } = await salesOrder(at.warehouse_id, [{ item_id: at.item_id, quantity: 2 }]);
    const { first_pick } = await startWave(service.admin, at.warehouse_id, [so_id]);
    const pick_task_id = first_pick?.pick_task_id;
    await service.admin.ok("POST", "/api/picking/short", { pick_task_id, quantity_available: 1 });
    const named = await db.row(
      `select details->>'lot_number' as lot, details->>'expiry_date' as day from audit_log
       where action_type = 'PICK' and entity_id = $1`,
      [so_id],
    );
    assert.deepEqual(named, { lot: "EARLY", day: "2098-01-01" });
  });
});
