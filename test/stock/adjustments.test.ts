import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import * as fixtures from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import type { TestService } from "../support/service.js";
import { openTwoWarehouses } from "../support/two-warehouses.js";

const DIRECT = "/api/admin/adjustments/direct";
const LIST = "/api/admin/adjustments/list";

describe("adjustments", () => {
  let service: TestService;
  let keeper: Caller;
  let warehouse_id: number;
  let elsewhere: number;
  before(async () => {
    ({ service, user: keeper, warehouse_id, elsewhere } = await openTwoWarehouses(["adjustments"]));
  });
  after(() => service.close());

  /** A fresh item in a fresh bin, and a request that adds 5 of it. */
  async function place() {
    const [bin_id, item] = [await fixtures.bin(warehouse_id), await fixtures.item()];
    const request = (fields: object = {}) => ({
      item_id: item.item_id,
      bin_id,
      warehouse_id,
      adjustment_type: "ADD",
      quantity: 5,
      reason: "found behind the rack",
      ...fields,
    });
    const remove = (quantity: number) => request({ adjustment_type: "REMOVE", quantity });
    return { ...item, bin_id, request, remove };
  }

  /** What lies of an item in a bin: lot and on hand. */
  const lots = ({ item_id, bin_id }: { item_id: number; bin_id: number }) =>
    db.rows<{ lot: string | null; on_hand: number; allocated: number }>(
      `select lot_number as lot, quantity_on_hand as on_hand, quantity_allocated as allocated from inventory
       where item_id = $1 and bin_id = $2 order by lot_number nulls first`,
      [item_id, bin_id],
    );

  /** An order line with units reserved on a stock row. */
  async function reserved(inventory_id: number, item_id: number, units: number) {
    const { so_id } = await fixtures.salesOrder(warehouse_id, [{ item_id, quantity: units }]);
    const line = await db.row<{ so_line_id: number }>(
      "update sales_order_lines set quantity_allocated = $2 where so_id = $1 returning so_line_id",
      [so_id, units],
    );
    const so_line_id = line?.so_line_id as number;
    await db.run("insert into stock_reservations (so_line_id, inventory_id, quantity) values ($1, $2, $3)", [
      so_line_id,
      inventory_id,
      units,
    ]);
    await db.run("update inventory set quantity_allocated = quantity_allocated + $2 where inventory_id = $1", [
      inventory_id,
      units,
    ]);
    return { so_id, so_line_id };
  }

  /** The same units, taken over by a pick task of a wave. */
  async function promised(inventory_id: number, item_id: number, bin_id: number, units: number) {
    const { so_id, so_line_id } = await reserved(inventory_id, item_id, units);
    await db.run("delete from stock_reservations where so_line_id = $1", [so_line_id]);
    await db.run(
      `with b as (
         insert into pick_batches (batch_number, warehouse_id) values ('WAVE-' || $1::int, $6) returning batch_id
       ), o as (
         insert into pick_batch_orders (batch_id, so_id) select batch_id, $1 from b
       ), t as (
         insert into pick_tasks (batch_id, so_id, so_line_id, inventory_id, item_id, bin_id, quantity_to_pick)
         select batch_id, $1, $2, $3, $4, $5, $7 from b returning pick_task_id
       )
       insert into wave_pick_breakdown (pick_task_id, so_id, so_line_id, quantity) select pick_task_id, $1, $2, $7
         from t`,
      [so_id, so_line_id, inventory_id, item_id, bin_id, warehouse_id, units],
    );
  }

  const allocatedOf = (so_line_id: number) =>
    db.value<number>("select quantity_allocated as units from sales_order_lines where so_line_id = $1", [so_line_id]);

  it("adding puts units into the bin, with a record, an audit row and an event", async () => {
    const { item_id, sku, bin_id, request } = await place();
    const mark = await auditMark();
    const made = await keeper.post(DIRECT, request({ adjustment_type: "add" }));
    assert.equal(made.status, 201);
    const { adjustment_id, adjusted_at, bin_code, ...fields } = made.body;
    assert.deepEqual(fields, {
      item_id,
      sku,
      bin_id,
      warehouse_id,
      adjustment_type: "ADD",
      quantity_change: 5,
      reason: "found behind the rack",
      status: "APPROVED",
    });
    assert.deepEqual(await lots({ item_id, bin_id }), [{ lot: null, on_hand: 5, allocated: 0 }]);
    assert.deepEqual(await auditSince(mark), [
      {
        action_type: "ADJUST",
        entity_type: "ITEM",
        entity_id: item_id,
        user_id: keeper.username,
        warehouse_id,
        details: {
          adjustment_id,
          item_id,
          bin_id,
          quantity_change: 5,
          reason_code: "DIRECT_ADJUSTMENT",
          reason: "found behind the rack",
        },
      },
    ]);
    const event = await db.row<Record<string, unknown>>(
      `select event_type, aggregate_type, entity_type, e.warehouse_id, aggregate_external_id = a.external_id as owns,
              event_data(e)->>'adjustment_external_id' = a.external_id::text as names_adjustment,
              event_data(e)->>'item_external_id' = i.external_id::text as names_item,
              event_data(e)->>'bin_external_id' = b.external_id::text as names_bin,
              event_data(e)->>'applied_by_user_external_id' = u.external_id::text as names_user,
              event_data(e)->'quantity_delta' as delta, event_data(e)->>'reason_code' as reason
       from integration_events e join inventory_adjustments a on a.adjustment_id = e.entity_id
       join items i using (item_id) join bins b using (bin_id) join users u on u.username = a.adjusted_by
       where a.adjustment_id = $1`,
      [adjustment_id],
    );
    assert.deepEqual(event, {
      event_type: "inventoryadjusted.completed",
      aggregate_type: "inventory",
      entity_type: "inventory_adjustment",
      warehouse_id,
      owns: true,
      names_adjustment: true,
      names_item: true,
      names_bin: true,
      names_user: true,
      delta: 5,
      reason: "DIRECT_ADJUSTMENT",
    });
    await assertEventsMatchSchemas();
  });

  it("removing takes units out; the row stays when none is left", async () => {
    const here = await place();
    await keeper.ok("POST", DIRECT, here.request());
    const made = await keeper.ok("POST", DIRECT, here.remove(5));
    assert.equal(made.quantity_change, -5);
    assert.deepEqual(await lots(here), [{ lot: null, on_hand: 0, allocated: 0 }]);
  });

  it("removing more than lies there is refused and leaves nothing behind", async () => {
    const here = await place();
    await keeper.ok("POST", DIRECT, here.request());
    const mark = await auditMark();
    const refused = await keeper.post(DIRECT, here.remove(6));
    assert.equal(refused.status, 400);
    assert.match(refused.body.error, /^Insufficient quantity in \S+: 5 available, 6 requested$/);
    const empty = await keeper.post(DIRECT, (await place()).remove(1));
    assert.match(empty.body.error, /: 0 available, 1 requested$/);
    assert.deepEqual(await lots(here), [{ lot: null, on_hand: 5, allocated: 0 }]);
    assert.deepEqual(await auditSince(mark), []);
  });

  it("removing takes units without a lot first, then those of lots", async () => {
    const here = await place();
    await fixtures.stock(warehouse_id, here.bin_id, here.item_id, 3);
    await fixtures.stock(warehouse_id, here.bin_id, here.item_id, 2, "A");
    await fixtures.stock(warehouse_id, here.bin_id, here.item_id, 4, "B");
    await keeper.ok("POST", DIRECT, here.remove(6));
    assert.deepEqual(pluckAll(await lots(here), "lot", "on_hand"), [
      [null, 0],
      ["A", 2],
      ["B", 1],
    ]);
  });

  it("removing takes reserved units last, and ends the youngest reservations", async () => {
    const here = await place();
    const row = await fixtures.stock(warehouse_id, here.bin_id, here.item_id, 10);
    const other = await fixtures.stock(warehouse_id, here.bin_id, here.item_id, 2, "A");
    const older = await reserved(row, here.item_id, 3);
    const younger = await reserved(row, here.item_id, 4);
    await keeper.ok("POST", DIRECT, here.remove(5));
    assert.deepEqual([await allocatedOf(older.so_line_id), await allocatedOf(younger.so_line_id)], [3, 4]);
    await keeper.ok("POST", DIRECT, here.remove(5));
    assert.deepEqual([await allocatedOf(older.so_line_id), await allocatedOf(younger.so_line_id)], [2, 0]);
    assert.deepEqual(await fixtures.stockOf(row), { on_hand: 2, allocated: 2 });
    assert.deepEqual(await fixtures.stockOf(other), { on_hand: 0, allocated: 0 });
    await assertInvariants();
  });

  it("removing leaves what pick tasks will take", async () => {
    const here = await place();
    const row = await fixtures.stock(warehouse_id, here.bin_id, here.item_id, 10);
    await promised(row, here.item_id, here.bin_id, 4);
    await reserved(row, here.item_id, 3);
    const refused = await keeper.post(DIRECT, here.remove(7));
    assert.equal(refused.status, 400);
    assert.match(refused.body.error, /^4 units in \S+ are promised to pick tasks/);
    assert.equal(refused.body.promised, 4);
    await keeper.ok("POST", DIRECT, here.remove(6));
    assert.deepEqual(await fixtures.stockOf(row), { on_hand: 4, allocated: 4 });
    await assertInvariants();
  });

  it("an unknown item, and a bin that is unknown or in another warehouse, are 404", async () => {
    const { request } = await place();
    const far = await fixtures.bin(elsewhere);
    const item = await keeper.post(DIRECT, request({ item_id: 999_999 }));
    assert.deepEqual([item.status, item.body], [404, { error: "Item not found" }]);
    for (const bin_id of [999_999, far]) {
      const bin = await keeper.post(DIRECT, request({ bin_id }));
      assert.deepEqual([bin.status, bin.body], [404, { error: `Bin ${bin_id} not found` }]);
    }
    assert.equal((await keeper.post(DIRECT, request({ bin_id: far, warehouse_id: elsewhere }))).status, 403);
  });

  it("never take more than lies there, however many remove at once", async () => {
    const here = await place();
    await keeper.ok("POST", DIRECT, here.request({ quantity: 10 }));
    const answers = await Promise.all(Array.from({ length: 12 }, () => keeper.post(DIRECT, here.remove(3))));
    assert.equal(answers.filter((answer) => answer.status === 201).length, 3);
    assert.deepEqual(await lots(here), [{ lot: null, on_hand: 1, allocated: 0 }]);
  });

  describe("the list", () => {
    it("goes from the newest, and says what a count expected and found", async () => {
      const here = await place();
      await keeper.ok("POST", DIRECT, here.request());
      await db.run(
        `with c as (
           insert into cycle_counts (warehouse_id, bin_id) values ($1, $2) returning count_id
         ), l as (
           insert into cycle_count_lines (count_id, item_id, expected_quantity, counted_quantity) select count_id, $3,
             5, 7 from c
         )
         insert into inventory_adjustments (item_id, bin_id, warehouse_id, quantity_change, reason_code, cycle_count_id,
           adjusted_by)
         select $3, $2, $1, 2, 'CYCLE_COUNT', count_id, 'counter' from c`,
        [warehouse_id, here.bin_id, here.item_id],
      );
      const { adjustments } = await keeper.ok("GET", `${LIST}?per_page=2`);
      const [first, direct] = adjustments;
      const { adjustment_id, external_id, adjusted_at, cycle_count_id, bin_code, warehouse_code, ...counted } = first;
      assert.deepEqual(counted, {
        item_id: here.item_id,
        bin_id: here.bin_id,
        warehouse_id,
        quantity_change: 2,
        reason_code: "CYCLE_COUNT",
        reason_detail: null,
        status: "PENDING",
        adjusted_by: "counter",
        sku: here.sku,
        item_name: `Item ${here.sku}`,
        expected_quantity: 5,
        counted_quantity: 7,
        superseded_by_count_id: null,
        username: "counter",
      });
      assert.deepEqual(
        [direct.status, direct.reason_code, direct.reason_detail, direct.expected_quantity, direct.username],
        ["APPROVED", "DIRECT_ADJUSTMENT", "found behind the rack", null, keeper.username],
      );
    });

    it("shows a user its own warehouses alone", async () => {
      const [bin_id, { item_id }] = [await fixtures.bin(elsewhere), await fixtures.item()];
      await service.admin.ok("POST", DIRECT, {
        item_id,
        bin_id,
        warehouse_id: elsewhere,
        adjustment_type: "ADD",
        quantity: 1,
        reason: "far away",
      });
      const own = await keeper.ok("GET", LIST);
      assert.ok(own.adjustments.every((a: { warehouse_id: number }) => a.warehouse_id === warehouse_id));
      const there = await service.admin.ok("GET", `${LIST}?warehouse_id=${elsewhere}`);
      assert.deepEqual([there.total, there.adjustments[0].item_id], [1, item_id]);
      assert.equal((await keeper.get(`${LIST}?warehouse_id=${elsewhere}`)).status, 403);
    });
  });
});
