import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { startWave } from "../support/walk.js";

type Policy = "exact" | "any_of_bin" | "first_expired_only";

describe("a picker who takes another lot than the planned one", () => {
  const service = testService({ worker: true });
  afterEach(() => assertInvariants());

  /** A bin with three lots of an item, of which EARLY is planned first. */
  async function shelf(lot_picking: Policy, units: Record<string, number> = { EARLY: 6, SAME: 5, LATE: 5 }) {
    const warehouse_id = await warehouse();
    const bin_id = await bin(warehouse_id);
    const { item_id, sku } = await item();
    await db.run("update items set lot_picking = $2 where item_id = $1", [item_id, lot_picking]);
    const day: Record<string, string> = { EARLY: "2098-01-01", SAME: "2098-01-01", LATE: "2098-02-01" };
    for (const [lot, quantity] of Object.entries(units)) {
      const row = await stock(warehouse_id, bin_id, item_id, quantity, lot);
      await db.run("update inventory set expiry_date = $2 where inventory_id = $1", [row, day[lot]]);
      await db.run("update inventory set updated_at = now() - interval '1 hour' where inventory_id = $1 and $2", [
        ...[row, lot === "EARLY"],
      ]);
    }
    return { warehouse_id, bin_id, item_id, sku };
  }
  type Shelf = Awaited<ReturnType<typeof shelf>>;

  /** A wave for orders of so many units, which asks for one task of EARLY. */
  async function wave({ warehouse_id, item_id }: Shelf, ...quantities: number[]) {
    const orders = [];
    for (const quantity of quantities) orders.push((await salesOrder(warehouse_id, [{ item_id, quantity }])).so_id);
    const by = await service.user({ role: "ADMIN" });
    const { batch_id } = await startWave(by, warehouse_id, orders);
    return { by, batch_id, orders, task: (await pending(batch_id))[0]?.pick_task_id as number };
  }
  const pending = async (batch_id: number) => {
    const { tasks } = await service.admin.ok("GET", `/api/picking/batch/${batch_id}`);
    type Task = { status: string; pick_task_id: number; lot_number: string; quantity_to_pick: number };
    return (tasks as Task[]).filter(({ status }) => status === "PENDING");
  };
  const confirm = (by: Caller, task: number, { sku }: Shelf, quantity_picked: number, lot_number: string | null) =>
    by.post("/api/picking/confirm", { pick_task_id: task, scanned_barcode: sku, quantity_picked, lot_number });
  const left = async ({ item_id }: Shelf) => {
    const rows = await db.rows<{ lot: string; units: number; allocated: number }>(
      `select lot_number as lot, quantity_on_hand as units, quantity_allocated as allocated
       from inventory where item_id = $1`,
      [item_id],
    );
    return Object.fromEntries(rows.map(({ lot, units, allocated }) => [lot, [units, allocated]]));
  };

  it("is refused by its name where the item says exact", async () => {
    const at = await shelf("exact");
    const { by, task } = await wave(at, 2);
    const refused = await confirm(by, task, at, 2, "SAME");
    assert.deepEqual([refused.status, refused.code], [400, "wrong_lot"]);
    assert.equal(refused.body.error, "Wrong lot: expected EARLY, scanned SAME");
    assert.deepEqual([refused.body.expected, refused.body.scanned], ["EARLY", "SAME"]);
    assert.equal((await confirm(by, task, at, 2, "EARLY")).status, 200);
  });

  it("gets it where any lot of the bin will do, and the planned one is free again", async () => {
    const at = await shelf("any_of_bin");
    const { by, task, orders } = await wave(at, 2);
    const picked = await confirm(by, task, at, 2, "LATE");
    assert.equal(picked.status, 200, JSON.stringify(picked.body));
    assert.equal(picked.body.remaining_tasks, 0);
    assert.deepEqual(await left(at), { EARLY: [6, 0], SAME: [5, 0], LATE: [3, 0] });
    const audit = await db.row<{ details: Record<string, unknown> }>(
      "select details from audit_log where action_type = 'PICK' and entity_type = 'SO' and entity_id = $1",
      [orders[0]],
    );
    assert.deepEqual([audit?.details.planned_lot, audit?.details.lot_number], ["EARLY", "LATE"]);
  });

  it("by a label that names it", async () => {
    const at = await shelf("any_of_bin");
    const upc = "4006381333931";
    await db.run("update items set upc = null where upc = $1", [upc]);
    await db.run("update items set upc = $2 where item_id = $1", [at.item_id, upc]);
    const { by, task } = await wave(at, 2);
    const label = { pick_task_id: task, scanned_barcode: `]C1010${upc}10SAME`, quantity_picked: 2 };
    const two = await by.post("/api/picking/confirm", { ...label, lot_number: "LATE" });
    assert.equal(two.code, "wrong_lot", "the label says SAME");
    await by.ok("POST", "/api/picking/confirm", label);
    assert.deepEqual(await left(at), { EARLY: [6, 0], SAME: [3, 0], LATE: [5, 0] });
  });

  it("leaves what is not taken from it to the planned one, the first orders first", async () => {
    const at = await shelf("any_of_bin");
    const { by, task, batch_id, orders } = await wave(at, 2, 3);
    const first = await confirm(by, task, at, 3, "SAME");
    assert.equal(first.body.remaining_tasks, 1);
    const [rest] = await pending(batch_id);
    assert.deepEqual([rest?.lot_number, rest?.quantity_to_pick], ["EARLY", 2]);
    assert.deepEqual(await left(at), { EARLY: [6, 2], SAME: [2, 0], LATE: [5, 0] });
    assert.equal((await confirm(by, rest?.pick_task_id as number, at, 2, null)).status, 200);
    await by.ok("POST", "/api/picking/complete-batch", { batch_id });
    const lots = await db.rows<{ so_id: number; lot: string; units: number }>(
      `select w.so_id, lot_number as lot, w.quantity_picked as units
       from wave_pick_breakdown w join pick_tasks using (pick_task_id) join inventory using (inventory_id)
       where w.so_id = any($1) order by w.so_id, lot_number desc`,
      [orders],
    );
    const [one, two] = orders;
    assert.deepEqual(lots, [
      { so_id: one, lot: "SAME", units: 2 },
      { so_id: two, lot: "SAME", units: 1 },
      { so_id: two, lot: "EARLY", units: 2 },
    ]);
  });

  it("gets one that expires no later where what expires first goes first, and no other", async () => {
    const at = await shelf("first_expired_only");
    const { by, task } = await wave(at, 2);
    const refused = await confirm(by, task, at, 2, "LATE");
    assert.deepEqual([refused.status, refused.code], [400, "lot_expires_later"]);
    assert.equal(refused.body.error, "Lot LATE expires later than EARLY, which is to be picked first");
    assert.deepEqual([refused.body.lot, refused.body.planned], ["LATE", "EARLY"]);
    assert.equal((await confirm(by, task, at, 2, "SAME")).status, 200);
  });

  it("is refused where it is held, promised, elsewhere or unknown, and nothing changes", async () => {
    const at = await shelf("any_of_bin");
    await stock(at.warehouse_id, await bin(at.warehouse_id, { pick_sequence: 99 }), at.item_id, 5, "ELSEWHERE");
    const { by, task } = await wave(at, 2);
    const { lots } = await service.admin.ok("GET", `/api/admin/lots?item_id=${at.item_id}&q=LATE`);
    await service.admin.ok("POST", `/api/admin/lots/${lots[0].lot_id}/hold`, { reason: "complaint" });
    await db.run("update inventory set quantity_on_hand = 1 where item_id = $1 and lot_number = 'SAME'", [at.item_id]);
    const before = await left(at);
    const codes = [];
    for (const lot of ["LATE", "SAME", "ELSEWHERE", "NEVER"])
      codes.push((await confirm(by, task, at, 2, lot)).body.error);
    assert.deepEqual(codes, [
      "Lot LATE has 0 free here, 2 wanted",
      "Lot SAME has 1 free here, 2 wanted",
      "Wrong lot: expected EARLY, scanned ELSEWHERE",
      "Wrong lot: expected EARLY, scanned NEVER",
    ]);
    assert.deepEqual(await left(at), before);
  });

  it("gets it for a batch of single orders, and the order can be taken back", async () => {
    const at = await shelf("any_of_bin");
    const { so_id } = await salesOrder(at.warehouse_id, [{ item_id: at.item_id, quantity: 4 }]);
    const by = await service.user({ role: "ADMIN" });
    const { batch_id } = await startWave(by, at.warehouse_id, [so_id], false);
    const [task] = await pending(batch_id);
    assert.equal((await confirm(by, task?.pick_task_id as number, at, 1, "LATE")).status, 200);
    assert.equal((await pending(batch_id)).length, 1);
    await by.ok("POST", "/api/picking/cancel-batch", { batch_id });
    const rows = await left(at);
    assert.deepEqual(pluck(Object.values(rows), 0), [6, 5, 5]);
  });

  it("is sent to other units at once where the last day of the planned ones has just passed", async () => {
    const at = await shelf("exact", { EARLY: 4, LATE: 3 });
    const { by, task, batch_id } = await wave(at, 3);
    await db.run("update inventory set expiry_date = current_date - 2 where item_id = $1 and lot_number = 'EARLY'", [
      at.item_id,
    ]);
    const refused = await confirm(by, task, at, 3, null);
    assert.deepEqual([refused.status, refused.code], [409, "units_past_sale"]);
    const [other] = await pending(batch_id);
    assert.deepEqual([other?.lot_number, other?.quantity_to_pick], ["LATE", 3]);
    assert.deepEqual(await left(at), { EARLY: [4, 0], LATE: [3, 3] });
    // Of the others, one is past its last day of sale when it is picked short.
    await db.run("update items set min_days_at_shipping = 100000 where item_id = $1", [at.item_id]);
    const short = { pick_task_id: other?.pick_task_id, quantity_available: 1 };
    const none = await by.post("/api/picking/short", short);
    assert.deepEqual([none.status, none.code], [409, "units_past_sale"]);
    assert.deepEqual([await pending(batch_id), await left(at)], [[], { EARLY: [4, 0], LATE: [3, 0] }]);
  });

  it("at the same time as another one who wants the same units: one gets them", async () => {
    const at = await shelf("any_of_bin", { EARLY: 8, SAME: 5, LATE: 3 });
    const waves = [await wave(at, 3), await wave(at, 3)];
    const answers = await Promise.all(waves.map(({ by, task }) => confirm(by, task, at, 3, "LATE")));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
    const refused = answers.find(({ status }) => status === 400);
    assert.equal(refused?.code, "lot_not_free");
    assert.deepEqual(await left(at), { EARLY: [8, 3], SAME: [5, 0], LATE: [0, 0] });
  });

  it("at the same time as another one who takes the planned units of the first", async () => {
    const at = await shelf("any_of_bin", { EARLY: 6, SAME: 6, LATE: 6 });
    const [one, two] = [await wave(at, 6), await wave(at, 6)];
    assert.deepEqual(await left(at), { EARLY: [6, 6], SAME: [6, 6], LATE: [6, 0] });
    const answers = await Promise.all([
      confirm(one.by, one.task, at, 6, "LATE"),
      confirm(two.by, two.task, at, 6, "EARLY"),
    ]);
    assert.equal(answers[0]?.status, 200);
    assert.ok([200, 400].includes(answers[1]?.status as number), "in either order");
  });
});
