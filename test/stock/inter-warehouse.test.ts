import assert from "node:assert/strict";
import { type Caller, statusAndError } from "../support/caller.js";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import * as fixtures from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";
import { startWave } from "../support/walk.js";

const TRANSFER = "/api/admin/inter-warehouse-transfer";
const LIST = "/api/admin/inter-warehouse-transfers";

describe("transfers between warehouses", () => {
  const service = testService();
  let planner: Caller;
  let here: number;
  let there: number;
  before(async () => {
    [here, there] = [await fixtures.warehouse(), await fixtures.warehouse()];
    planner = await service.user({ warehouse_ids: [here, there], page_keys: ["inter-warehouse-transfers"] });
  });
  afterEach(() => assertInvariants());

  /** An item with units of each of some lots in one bin here, and an empty bin there. */
  async function goods(...lots: [string | null, number][]) {
    const { item_id, sku } = await fixtures.item();
    const from_bin_id = await fixtures.bin(here);
    const to_bin_id = await fixtures.bin(there);
    for (const [lot, quantity] of lots) await fixtures.stock(here, from_bin_id, item_id, quantity, lot);
    const transfer = { item_id, from_bin_id, from_warehouse_id: here, to_bin_id, to_warehouse_id: there };
    return { transfer, sku };
  }
  const order = (item_id: number, quantity_ordered: number, n: string) =>
    service.admin.ok("POST", "/api/admin/sales-orders", {
      ...{ so_number: `${n}-${item_id}`, warehouse_id: here },
      lines: [{ item_id, quantity_ordered }],
    });
  const allocated = (so_id: number) =>
    db.value<number>("select quantity_allocated as units from sales_order_lines where so_id = $1", [so_id]);
  const stockOf = (item_id: number) =>
    db.rows<{ warehouse_id: number; lot: string | null; units: number }>(
      `select warehouse_id, lot_number as lot, quantity_on_hand as units from inventory
       where item_id = $1 order by warehouse_id, lot_number nulls first`,
      [item_id],
    );

  it("bring nothing into a bin that is out of use", async () => {
    const { transfer } = await goods([null, 5]);
    await db.run("update bins set is_active = false where bin_id = $1", [transfer.to_bin_id]);
    const { status, code } = await planner.post(TRANSFER, { ...transfer, quantity: 2 });
    assert.deepEqual([status, code], [400, "bin_inactive"]);
    assert.deepEqual(await stockOf(transfer.item_id), [{ warehouse_id: here, lot: null, units: 5 }]);
  });

  it("take units out of one and put them into the other", async () => {
    const { transfer, sku } = await goods([null, 10]);
    const { item_id, from_bin_id, to_bin_id } = transfer;
    const mark = await auditMark();
    const { status, body } = await planner.post(TRANSFER, { ...transfer, quantity: 4, reason: "closer" });
    assert.equal(status, 201);
    const { transfer_id, transferred_at, from_bin_code, to_bin_code, ...rest } = body;
    assert.deepEqual(rest, { ...transfer, sku, quantity: 4, reason: "closer" });
    assert.deepEqual(await stockOf(item_id), [
      { warehouse_id: here, lot: null, units: 6 },
      { warehouse_id: there, lot: null, units: 4 },
    ]);
    assert.deepEqual(await auditSince(mark), [
      {
        ...{ action_type: "TRANSFER", entity_type: "ITEM", entity_id: item_id },
        ...{ user_id: planner.username, warehouse_id: here },
        details: { ...transfer, transfer_id, quantity: 4, reason: "closer", lots: [{ lot_number: null, quantity: 4 }] },
      },
    ]);
    const [event] = await db.rows<{ payload: Record<string, unknown>; warehouse_id: number }>(
      `select event_data(integration_events) as payload, warehouse_id from integration_events
       where event_type = 'inventorytransfer.completed' and entity_id = $1`,
      [transfer_id],
    );
    const ids = await db.row<{ item: string; sku: string; transfer: string }>(
      `select i.external_id as item, sku, t.external_id as transfer from items i join bin_transfers t using (item_id)
       where transfer_id = $1`,
      [transfer_id],
    );
    const { completed_at, ...payload } = event?.payload ?? {};
    assert.deepEqual(
      [event?.warehouse_id, payload],
      [
        there,
        {
          transfer_external_id: ids?.transfer,
          ...{ from_warehouse_id: here, to_warehouse_id: there },
          lines: [{ item_external_id: ids?.item, sku: ids?.sku, quantity: 4 }],
        },
      ],
    );
    const { transfers } = await planner.ok("GET", `${LIST}?limit=1`);
    const codes = await db.rows<{ code: string }>(
      "select warehouse_code as code from warehouses where warehouse_id = any($1) order by warehouse_id",
      [[here, there]],
    );
    const [from, to] = codes.map(({ code }) => code);
    assert.deepEqual(transfers, [
      {
        ...{ transfer_id, external_id: ids?.transfer, lot_number: null, item_id, sku, item_name: `Item ${sku}` },
        ...{ from_bin_id, from_bin_code, from_warehouse_id: here },
        ...{ from_warehouse_name: from, from_warehouse_code: from },
        ...{ to_bin_id, to_bin_code, to_warehouse_id: there },
        ...{ to_warehouse_name: to, to_warehouse_code: to },
        ...{ quantity: 4, transferred_by: planner.username, transferred_at },
        status: "completed",
      },
    ]);
  });

  it("keep lots apart, and take units without one first", async () => {
    const { transfer } = await goods([null, 3], ["LOT-A", 5]);
    const done = await planner.ok("POST", TRANSFER, { ...transfer, quantity: 5 });
    assert.deepEqual(
      done.lots.map(({ lot_number, quantity }: { lot_number: string | null; quantity: number }) => [
        ...[lot_number, quantity],
      ]),
      [
        [null, 3],
        ["LOT-A", 2],
      ],
    );
    assert.deepEqual([done.transfer_id, done.quantity], [done.lots[0].transfer_id, 5]);
    const { transfers } = await planner.ok("GET", `${LIST}?limit=2`);
    assert.deepEqual(pluckAll(transfers, "transfer_id", "lot_number", "quantity"), [
      [done.lots[1].transfer_id, "LOT-A", 2],
      [done.lots[0].transfer_id, null, 3],
    ]);
    const told = await db.rows<{ lines: { quantity: number; lot_number?: string }[] }>(
      `select event_data(integration_events)->'lines' as lines from integration_events
       where event_type = 'inventorytransfer.completed' and entity_id = any($1) order by entity_id`,
      [pluck(done.lots, "transfer_id")],
    );
    assert.deepEqual(
      told.map(({ lines: [line] }) => [line?.quantity, line?.lot_number]),
      [
        [3, undefined],
        [2, "LOT-A"],
      ],
    );
    assert.deepEqual(await stockOf(transfer.item_id), [
      { warehouse_id: here, lot: null, units: 0 },
      { warehouse_id: here, lot: "LOT-A", units: 3 },
      { warehouse_id: there, lot: null, units: 3 },
      { warehouse_id: there, lot: "LOT-A", units: 2 },
    ]);
  });

  it("take free units before those that orders reserved", async () => {
    const { transfer } = await goods([null, 4], ["LOT-A", 6]);
    const { sales_order } = await order(transfer.item_id, 6, "FREE");
    await planner.ok("POST", TRANSFER, { ...transfer, quantity: 4 });
    assert.equal(await allocated(sales_order.so_id), 6);
  });

  it("take reserved units from the youngest order first", async () => {
    const { transfer } = await goods([null, 10]);
    const older = await order(transfer.item_id, 4, "OLD");
    const younger = await order(transfer.item_id, 4, "YOUNG");
    await planner.ok("POST", TRANSFER, { ...transfer, quantity: 5 });
    assert.deepEqual([await allocated(older.sales_order.so_id), await allocated(younger.sales_order.so_id)], [4, 1]);
  });

  it("leave what pick tasks are about to take", async () => {
    const { transfer } = await goods([null, 10]);
    const { item_id } = transfer;
    const { so_id } = await fixtures.salesOrder(here, [{ item_id, quantity: 8 }]);
    await startWave(service.admin, here, [so_id]);
    const answer = await planner.post(TRANSFER, { ...transfer, quantity: 3 });
    assert.equal(answer.status, 400);
    assert.match(answer.body.error, /^8 units in .+ are promised to pick tasks/);
    await planner.ok("POST", TRANSFER, { ...transfer, quantity: 2 });
    assert.deepEqual(await stockOf(item_id), [
      { warehouse_id: here, lot: null, units: 8 },
      { warehouse_id: there, lot: null, units: 2 },
    ]);
  });

  it("are refused where there are not enough units, or no such item or bin", async () => {
    const { transfer } = await goods([null, 3]);
    const ask = async (fields: object) =>
      statusAndError(await planner.post(TRANSFER, { ...transfer, quantity: 1, ...fields }));
    const [status, error] = await ask({ quantity: 4 });
    assert.equal(status, 400);
    assert.match(error, /^Insufficient quantity in .+: 3 available, 4 requested/);
    assert.deepEqual(await ask({ item_id: 1_999_999_999 }), [404, "Item not found"]);
    for (const [field, wrong] of [
      ["from_bin_id", await fixtures.bin(there)],
      ["to_bin_id", await fixtures.bin(here)],
      ["to_bin_id", 1_999_999_999],
    ] as const)
      assert.deepEqual(await ask({ [field]: wrong }), [404, `Bin ${wrong} not found`]);
  });

  it("are between two warehouses, both the user's", async () => {
    const { transfer } = await goods([null, 3]);
    const body = { ...transfer, quantity: 1 };
    for (const warehouse_ids of [[here], [there]]) {
      const user = await service.user({ warehouse_ids, page_keys: ["inter-warehouse-transfers"] });
      const answer = await user.post(TRANSFER, body);
      assert.deepEqual(statusAndError(answer), [403, "Access denied for this warehouse"]);
    }
    for (const fields of [
      { to_bin_id: body.from_bin_id },
      { quantity: 0 },
      { quantity: 100_001 },
      { reason: "x".repeat(501) },
    ])
      assert.deepEqual(statusAndError(await planner.post(TRANSFER, { ...body, ...fields })), [400, "validation_error"]);
  });

  it("within one warehouse are moves of bins, whatever the lots", async () => {
    const { transfer } = await goods([null, 2], ["LOT-1", 3]);
    const { item_id, from_bin_id } = transfer;
    const to_bin_id = await fixtures.bin(here);
    const body = { ...transfer, quantity: 1, to_warehouse_id: here, to_bin_id };
    const elsewhere = await planner.post(TRANSFER, { ...body, to_bin_id: transfer.to_bin_id });
    assert.equal(elsewhere.status, 400);
    assert.match(elsewhere.body.error, /belongs to another warehouse/);
    const tooMany = await planner.post(TRANSFER, { ...body, quantity: 6 });
    assert.match(tooMany.body.error, /^Insufficient quantity in .+: 5 available, 6 requested/);
    const nothing = await planner.post(TRANSFER, { ...body, from_bin_id: to_bin_id, to_bin_id: from_bin_id });
    assert.match(nothing.body.error, /^Insufficient quantity in .+: 0 available, 1 requested/);
    const stranger = await service.user({ warehouse_ids: [there], page_keys: ["inter-warehouse-transfers"] });
    assert.equal((await stranger.post(TRANSFER, body)).status, 403);
    assert.equal(
      (await planner.post(TRANSFER, { ...body, from_warehouse_id: there, to_warehouse_id: there })).status,
      404,
    );
    const { sales_order } = await order(item_id, 3, "STAY");
    const { from_warehouse_id, to_warehouse_id, quantity } = await planner.ok("POST", TRANSFER, {
      ...body,
      quantity: 4,
    });
    assert.deepEqual([from_warehouse_id, to_warehouse_id, quantity], [here, here, 4]);
    assert.equal(await allocated(sales_order.so_id), 3);
    const { transfers } = await planner.ok("GET", "/api/admin/inter-warehouse-transfers?limit=2");
    assert.deepEqual(
      pluckAll(transfers, "from_bin_id", "to_bin_id", "item_id", "quantity"),
      [2, 2].map((units) => [from_bin_id, to_bin_id, item_id, units]),
    );
    const lots = await db.rows<{ bin_id: number; lot_number: string | null; units: number }>(
      `select bin_id, lot_number, quantity_on_hand as units from inventory where item_id = $1 and quantity_on_hand > 0
       order by bin_id, lot_number`,
      [item_id],
    );
    assert.deepEqual(lots, [
      { bin_id: from_bin_id, lot_number: "LOT-1", units: 1 },
      { bin_id: to_bin_id, lot_number: "LOT-1", units: 2 },
      { bin_id: to_bin_id, lot_number: null, units: 2 },
    ]);
  });

  it("move no unit twice, in both directions at once", async () => {
    const { transfer } = await goods([null, 20]);
    const { item_id, from_bin_id, to_bin_id } = transfer;
    await fixtures.stock(there, to_bin_id, item_id, 20);
    const back = {
      ...{ item_id, from_bin_id: to_bin_id, from_warehouse_id: there },
      ...{ to_bin_id: from_bin_id, to_warehouse_id: here },
    };
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, i) => planner.post(TRANSFER, { ...(i % 2 ? back : transfer), quantity: 3 })),
    );
    const moved = (odd: number) => answers.filter(({ status }, i) => status === 201 && i % 2 === odd).length;
    assert.ok(answers.every(({ status }) => [201, 400].includes(status)));
    const balance = 3 * (moved(1) - moved(0));
    assert.deepEqual(await stockOf(item_id), [
      { warehouse_id: here, lot: null, units: 20 + balance },
      { warehouse_id: there, lot: null, units: 20 - balance },
    ]);
  });

  describe("are listed", () => {
    it("to users of either warehouse and to nobody else", async () => {
      const [third, fourth] = [await fixtures.warehouse(), await fixtures.warehouse()];
      const { item_id } = await fixtures.item();
      const from_bin_id = await fixtures.bin(third);
      await fixtures.stock(third, from_bin_id, item_id, 5);
      await service.admin.ok("POST", TRANSFER, {
        ...{ item_id, from_bin_id, from_warehouse_id: third, quantity: 5 },
        ...{ to_bin_id: await fixtures.bin(fourth), to_warehouse_id: fourth },
      });
      const seen = async (warehouse_id: number) => {
        const user = await service.user({ warehouse_ids: [warehouse_id], page_keys: ["inter-warehouse-transfers"] });
        const { transfers } = await user.ok("GET", LIST);
        return transfers.filter((t: { item_id: number }) => t.item_id === item_id).length;
      };
      assert.deepEqual([await seen(third), await seen(fourth), await seen(here)], [1, 1, 0]);
    });

    it("with events that fit their schema", assertEventsMatchSchemas);
  });
});
