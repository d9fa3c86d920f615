import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { bin, item, pendingAdjustment, stock, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { testService } from "../support/service.js";

describe("units that are found where several lots lie", () => {
  const service = testService({ worker: true });
  afterEach(() => assertInvariants());

  /** A bin with two lots of an item that asks for lots. */
  async function shelf(lot_policy = "required") {
    const warehouse_id = await warehouse();
    const bin_id = await bin(warehouse_id);
    const { item_id } = await item();
    for (const lot of ["A", "B"]) await stock(warehouse_id, bin_id, item_id, 5, lot);
    await db.run("update items set lot_policy = $2 where item_id = $1", [item_id, lot_policy]);
    return { warehouse_id, bin_id, item_id };
  }
  type Shelf = Awaited<ReturnType<typeof shelf>>;
  const units = async ({ item_id }: Shelf) => {
    const rows = await db.rows<{ lot: string; units: number }>(
      "select lot_number as lot, quantity_on_hand as units from inventory where item_id = $1 order by 1",
      [item_id],
    );
    return Object.fromEntries(rows.map(({ lot, units }) => [lot, units]));
  };
  const approve = (adjustment_id: number, lot_number?: string) =>
    service.admin.post("/api/admin/adjustments/review", {
      decisions: [{ adjustment_id, action: "approve", lot_number }],
    });

  /** A count that finds so many units; its adjustment waits. */
  async function counted({ warehouse_id, bin_id, item_id }: Shelf, counted_quantity: number) {
    const counter = await service.user({ role: "ADMIN" });
    const { counts } = await counter.ok("POST", "/api/inventory/cycle-count/create", {
      warehouse_id,
      bin_ids: [bin_id],
    });
    const { count_id } = counts[0];
    const { lines } = await counter.ok("GET", `/api/inventory/cycle-count/${count_id}`);
    const { count_line_id } = (lines as { count_line_id: number; item_id: number }[]).find(
      (line) => line.item_id === item_id,
    ) as { count_line_id: number };
    await counter.ok("POST", "/api/inventory/cycle-count/submit", {
      count_id,
      lines: [{ count_line_id, counted_quantity }],
    });
    return (await db.value<number>("select adjustment_id from inventory_adjustments where cycle_count_id = $1", [
      count_id,
    ])) as number;
  }

  for (const [name, found] of Object.entries({
    "a count": (at: Shelf) => counted(at, 12),
    "an adjustment": ({ warehouse_id, bin_id, item_id }: Shelf) => pendingAdjustment(warehouse_id, bin_id, item_id, 2),
  })) {
    it(`by ${name} are of the lot that the review names, and refused while it names none`, async () => {
      const at = await shelf();
      const adjustment = await found(at);
      const refused = await approve(adjustment);
      assert.deepEqual([refused.status, refused.code], [400, "lot_required"]);
      assert.deepEqual(await units(at), { A: 5, B: 5 });
      const approved = await approve(adjustment, "B");
      assert.equal(approved.status, 200, JSON.stringify(approved.body));
      assert.deepEqual(await units(at), { A: 5, B: 7 });
      const audit = await db.value<string>(
        `select details->>'lot_number' from audit_log
         where action_type = 'ADJUST' and details->>'adjustment_id' = $1::text`,
        [adjustment],
      );
      assert.equal(audit, "B");
    });

    it(`by ${name} are refused with a lot where lots are not kept`, async () => {
      const at = await shelf("none");
      const { status, code } = await approve(await found(at), "B");
      assert.deepEqual([status, code], [400, "lot_not_kept"]);
    });
  }

  it("do not say of which lot units are that are gone", async () => {
    const at = await shelf();
    assert.equal((await approve(await counted(at, 4), "B")).status, 200);
    const left = Object.values(await units(at)).reduce((sum, one) => sum + one, 0);
    assert.equal(left, 4);
  });
});
