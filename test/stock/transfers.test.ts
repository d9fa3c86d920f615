import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import { bin, item, stock, stockOf } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { auditMark, auditSince } from "../support/records.js";
import type { TestService } from "../support/service.js";
import { openTwoWarehouses } from "../support/two-warehouses.js";

describe("bin-to-bin moves", () => {
  let service: TestService;
  let here: number;
  let elsewhere: number;
  let worker: Caller;
  before(async () => {
    ({ service, user: worker, warehouse_id: here, elsewhere } = await openTwoWarehouses());
  });
  after(() => service.close());
  afterEach(() => assertInvariants());

  const MOVE = "/api/transfers/move";

  /** An item with units in one bin, and an empty bin beside it. */
  async function place(quantity: number, lot: string | null = null) {
    const goods = await item();
    const from_bin_id = await bin(here);
    const to_bin_id = await bin(here);
    const inventory_id = await stock(here, from_bin_id, goods.item_id, quantity, lot);
    return { ...goods, from_bin_id, to_bin_id, inventory_id };
  }
  type Place = Awaited<ReturnType<typeof place>>;
  const asked = ({ item_id, from_bin_id, to_bin_id }: Place, quantity = 4) => ({
    item_id,
    from_bin_id,
    to_bin_id,
    quantity,
  });
  const codeOf = (bin_id: number) => db.value<string>("select bin_code from bins where bin_id = $1", [bin_id]);
  const onHandIn = (bin_id: number) =>
    db.value<number>("select coalesce(sum(quantity_on_hand), 0) as units from inventory where bin_id = $1", [bin_id]);

  it("moves units and says what both bins hold then", async () => {
    const p = await place(10);
    await stock(here, p.to_bin_id, p.item_id, 3);
    const moved = await worker.ok("POST", MOVE, { ...asked(p), reason: "bin too full" });
    const transfer = await db.row("select * from bin_transfers where transfer_id = $1", [moved.transfer_id]);
    assert.deepEqual(moved, {
      message: `Moved 4 of ${p.sku} to ${await codeOf(p.to_bin_id)}`,
      transfer_id: moved.transfer_id,
      item: { sku: p.sku, item_name: `Item ${p.sku}` },
      from_bin: { bin_code: await codeOf(p.from_bin_id), remaining_quantity: 6 },
      to_bin: { bin_code: await codeOf(p.to_bin_id), new_quantity: 7 },
      quantity_moved: 4,
    });
    assert.deepEqual([await onHandIn(p.from_bin_id), await onHandIn(p.to_bin_id)], [6, 7]);
    const { transfer_type, quantity, reason, transferred_by, warehouse_id } = transfer as Record<string, unknown>;
    assert.deepEqual(
      [transfer_type, quantity, reason, transferred_by, warehouse_id],
      ["MOVE", 4, "bin too full", worker.username, here],
    );
  });

  it("leaves an audit row and an event, both of whose warehouses are this one", async () => {
    const p = await place(10, "LOT-1");
    const mark = await auditMark();
    const { transfer_id } = await worker.ok("POST", MOVE, { ...asked(p), lot_number: "LOT-1" });
    assert.deepEqual(await auditSince(mark), [
      {
        action_type: "TRANSFER",
        entity_type: "ITEM",
        entity_id: p.item_id,
        user_id: worker.username,
        warehouse_id: here,
        details: {
          item_id: p.item_id,
          transfer_id,
          from_bin_id: p.from_bin_id,
          to_bin_id: p.to_bin_id,
          quantity: 4,
          lot_number: "LOT-1",
        },
      },
    ]);
    const event = await db.row(
      `select event_type, aggregate_type, entity_type, e.warehouse_id, aggregate_external_id = t.external_id as owns,
              event_data(e)->>'transfer_external_id' = t.external_id::text as names_transfer,
              event_data(e)->'from_warehouse_id' as from_warehouse, event_data(e)->'to_warehouse_id' as to_warehouse,
              event_data(e)->'lines' = jsonb_build_array(jsonb_build_object(
                'item_external_id', i.external_id, 'sku', sku, 'quantity', 4)) as names_item
       from integration_events e join bin_transfers t on t.transfer_id = e.entity_id join items i using (item_id)
       where transfer_id = $1`,
      [transfer_id],
    );
    assert.deepEqual(event, {
      event_type: "inventorytransfer.completed",
      aggregate_type: "transfer",
      entity_type: "inventory_transfer",
      warehouse_id: here,
      owns: true,
      names_transfer: true,
      from_warehouse: here,
      to_warehouse: here,
      names_item: true,
    });
    await assertEventsMatchSchemas();
  });

  it("takes the lot that is named, and only that", async () => {
    const p = await place(10, "LOT-1");
    assert.equal((await worker.post(MOVE, asked(p))).status, 400);
    const moved = await worker.ok("POST", MOVE, { ...asked(p, 10), lot_number: "LOT-1" });
    assert.equal(moved.from_bin.remaining_quantity, 0);
    assert.deepEqual(await stockOf(p.inventory_id), { on_hand: 0, allocated: 0 });
  });

  it("refuses more than is on hand, and changes nothing", async () => {
    const p = await place(3);
    const { status, body } = await worker.post(MOVE, asked(p));
    assert.deepEqual(
      [status, body.error],
      [400, `Insufficient quantity in ${await codeOf(p.from_bin_id)}: 3 available, 4 requested`],
    );
    assert.equal(await onHandIn(p.from_bin_id), 3);
  });

  it("refuses a bin of another warehouse, and one the user may not use", async () => {
    const p = await place(10);
    const away = await bin(elsewhere);
    const out = await worker.post(MOVE, { ...asked(p), to_bin_id: away });
    assert.equal(out.status, 400, JSON.stringify(out.body));
    assert.match(out.body.error, /belongs to another warehouse/);
    const outside = await worker.post(MOVE, { ...asked(p), from_bin_id: away });
    assert.deepEqual([outside.status, outside.body], [403, { error: "Access denied for this warehouse" }]);
  });

  it("does not know an item or a bin that is not there", async () => {
    const p = await place(10);
    for (const field of ["item_id", "from_bin_id", "to_bin_id"]) {
      const missing = { ...asked(p), [field]: 1_999_999_999 };
      assert.equal((await worker.post(MOVE, missing)).status, 404, field);
    }
  });

  it("refuses a move to the bin that it comes from", async () => {
    const p = await place(10);
    const { status, body } = await worker.post(MOVE, { ...asked(p), to_bin_id: p.from_bin_id });
    assert.deepEqual([status, body.error], [400, "validation_error"]);
  });

  it("lets 16 at once have what is there and no more", async () => {
    const p = await place(10);
    const answers = await Promise.all(Array.from({ length: 16 }, () => worker.post(MOVE, asked(p, 3))));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [...Array(3).fill(200), ...Array(13).fill(400)]);
    assert.deepEqual([await onHandIn(p.from_bin_id), await onHandIn(p.to_bin_id)], [1, 9]);
  });
});
