import assert from "node:assert/strict";
import type { Answer } from "../support/caller.js";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import * as fixtures from "../support/fixtures.js";
import { fresh, pushedItem, sender, useTestMappings } from "../support/inbound.js";
import { pluck } from "../support/pluck.js";
import { queuedBehindLock } from "../support/queued-behind-lock.js";
import { labelOf, pickedFromStock, receiving, type SerialItem, serialItem, statesOf } from "../support/serials.js";
import { testService } from "../support/service.js";

/** docs/serials.md, Corrections */
describe("serials of corrected stock", () => {
  const service = testService({ worker: true });
  const admin = () => service.admin;
  let here: number;
  before(async () => {
    here = await fixtures.warehouse();
  });

  /** An item of which these units were received. */
  async function received(...serials: string[]) {
    const item = await serialItem(here, "at_receipt");
    if (serials.length > 0) await admin().ok("POST", "/api/receiving/receive", receiving(item, serials));
    return item;
  }
  const onHand = ({ item_id }: SerialItem) =>
    db.value<number>("select coalesce(sum(quantity_on_hand), 0)::int as n from inventory where item_id = $1", [
      item_id,
    ]);

  type Change = (item: SerialItem, change: number, serial_numbers?: string[]) => Promise<Answer>;
  const direct: Change = ({ item_id, bin_id }, change, serial_numbers) =>
    admin().post("/api/admin/adjustments/direct", {
      ...{ item_id, bin_id, warehouse_id: here, adjustment_type: change > 0 ? "ADD" : "REMOVE" },
      ...{ quantity: Math.abs(change), reason: "counted", serial_numbers },
    });
  const review = (adjustment_id: number, serial_numbers?: string[]) =>
    admin().post("/api/admin/adjustments/review", {
      decisions: [{ adjustment_id, action: "approve", serial_numbers }],
    });
  const reviewed: Change = async ({ item_id, bin_id }, change, serial_numbers) =>
    review(await fixtures.pendingAdjustment(here, bin_id, item_id, change), serial_numbers);

  for (const [name, adjust] of Object.entries({ direct, reviewed }))
    describe(`by a ${name} adjustment`, () => {
      const codeOf = async (...change: Parameters<Change>) => (await adjust(...change)).code;

      it("name those that go, each of them in stock", async () => {
        const item = await received("A", "B", "C");
        const { so_id } = await pickedFromStock(admin(), item, 1);
        await admin().ok("POST", "/api/packing/verify", { so_id, scanned_barcode: item.sku, serial_number: "C" });
        for (const serials of [undefined, ["A", "B"]])
          assert.equal(await codeOf(item, -1, serials), "serials_required");
        for (const serial of ["C", "NOBODY"]) assert.equal(await codeOf(item, -1, [serial]), "serial_not_in_stock");
        assert.equal(await codeOf(item, -2, ["A", "A"]), "serial_named_twice");
        assert.equal(await codeOf(item, -1, [labelOf(await received(), "A")]), "scanned_other_item");
        assert.deepEqual(
          [await onHand(item), await statesOf(item)],
          [2, { A: "IN_STOCK", B: "IN_STOCK", C: "PACKED" }],
        );
        assert.ok((await adjust(item, -1, [labelOf(item, "B")])).status < 300);
        assert.deepEqual([await onHand(item), await statesOf(item)], [1, { A: "IN_STOCK", B: "GONE", C: "PACKED" }]);
      });

      it("name those that are found, each of them new or gone before", async () => {
        const item = await received("A", "B");
        assert.equal(await codeOf(item, 1), "serials_required");
        assert.equal(await codeOf(item, 1, ["A"]), "serial_known");
        assert.equal(await codeOf(item, 1, [item.sku]), "serial_is_item_code");
        assert.ok((await adjust(item, -1, ["A"])).status < 300);
        assert.ok((await adjust(item, 2, ["A", "NEW"])).status < 300);
        assert.deepEqual(await statesOf(item), { A: "IN_STOCK", B: "IN_STOCK", NEW: "IN_STOCK" });
        const { serials } = await admin().ok("GET", `/api/lookup/serial/${encodeURIComponent(labelOf(item, "A"))}`);
        assert.deepEqual(
          serials[0].steps.map(({ kind }: { kind: string }) => kind),
          ["RECEIVED", "ADJUSTED_OUT", "FOUND"],
        );
        await assertEventsMatchSchemas();
      });

      it("are asked for only as far as units have any", async () => {
        const item = await received("A");
        await fixtures.stock(here, item.bin_id, item.item_id, 2, "OLD");
        assert.ok((await adjust(item, -2)).status < 300);
        assert.equal(await codeOf(item, -1), "serials_required");
        const plain = { ...(await serialItem(here, "none")), warehouse_id: here };
        assert.ok((await adjust(plain, 2)).status < 300);
        assert.equal(await codeOf(plain, -1, ["A"]), "serials_not_kept");
        const late = await serialItem(here, "at_shipping");
        assert.ok((await adjust(late, 2)).status < 300);
        assert.ok((await adjust(late, -1)).status < 300);
        assert.deepEqual(await statesOf(late), {});
      });
    });

  /** Of an order of two units one is not found, and written off. */
  async function writeOffOne({ item_id }: SerialItem) {
    const { so_id } = await fixtures.salesOrder(here, [{ item_id, quantity: 2 }]);
    const so_line_id = await db.value("select so_line_id from sales_order_lines where so_id = $1", [so_id]);
    const lines = [{ so_line_id, short_qty: 1, write_off: true }];
    await admin().ok("POST", `/api/admin/sales-orders/${so_id}/partial-fulfill`, { lines });
  }

  /** Finds the serial A while somebody else names it: both meet when the correction has seen that nobody knows it. */
  const foundMeanwhile = async (item: SerialItem, other: () => Promise<Answer>) => {
    const found = () => direct(item, 1, ["A"]);
    return pluck(await queuedBehindLock("lock table inventory_adjustments in share mode", [], found, other), "code");
  };

  it("are found or come with a receipt, not both", async () => {
    const item = await received();
    const arrived = receiving({ ...item, bin_id: await fixtures.bin(here) }, ["A"]);
    const codes = await foundMeanwhile(item, () => admin().post("/api/receiving/receive", arrived));
    assert.deepEqual([codes, await onHand(item)], [[undefined, "serial_known"], 1]);
  });

  it("are found before they are packed, not afterwards", async () => {
    const item = await serialItem(here, "at_shipping");
    await fixtures.stock(here, item.bin_id, item.item_id, 1);
    const { so_id } = await pickedFromStock(admin(), item, 1);
    const packed = { so_id, scanned_barcode: item.sku, serial_number: "A" };
    const codes = await foundMeanwhile(item, () => admin().post("/api/packing/verify", packed));
    assert.deepEqual([codes, await statesOf(item)], [[undefined, undefined], { A: "PACKED" }]);
  });

  it("are told by the event of the adjustment", async () => {
    const item = await received("A", "B");
    await direct(item, -1, ["A"]);
    const told = await db.value<{ serial_numbers: string[] }>(
      `select event_data(integration_events) as data from integration_events
       where event_type = 'inventoryadjusted.completed' order by event_timestamp desc limit 1`,
    );
    assert.deepEqual(told?.serial_numbers, ["A"]);
  });

  it("are named when a count above or below is approved, which waits until then", async () => {
    const item = await received("A", "B");
    const counter = await service.user({ role: "ADMIN" });
    const count = async (counted_quantity: number) => {
      const path = "/api/inventory/cycle-count";
      const { counts } = await counter.ok("POST", `${path}/create`, { warehouse_id: here, bin_ids: [item.bin_id] });
      const { count_id } = counts[0];
      const { lines } = await counter.ok("GET", `${path}/${count_id}`);
      const { count_line_id } = lines[0];
      const counted = { count_id, lines: [{ count_line_id, counted_quantity }] };
      const { summary } = await counter.ok("POST", `${path}/submit`, counted);
      return summary.adjustments[0].adjustment_id as number;
    };
    const above = await count(3);
    const refused = await review(above);
    assert.deepEqual([refused.status, refused.code], [400, "serials_required"]);
    assert.deepEqual(refused.body.decisions, [{ adjustment_id: above, status: "PENDING", quantity_change: 1 }]);
    assert.equal((await review(above, ["C"])).status, 200);
    const below = await count(1);
    assert.equal((await review(below)).code, "serials_required");
    assert.equal((await review(below, ["A", "C"])).status, 200);
    assert.deepEqual([await onHand(item), await statesOf(item)], [1, { A: "GONE", B: "IN_STOCK", C: "GONE" }]);
  });

  it("stay when a short pick is written off, as nobody knows which is gone, and are named afterwards", async () => {
    const item = await received("A", "B", "C");
    await writeOffOne(item);
    assert.equal(await onHand(item), 2);
    assert.equal((await direct(item, -1)).code, "serials_required");
    // With the next one that goes, the missing one is named as well.
    assert.equal((await direct(item, -1, ["A", "B"])).status, 201);
    assert.deepEqual([await onHand(item), await statesOf(item)], [1, { A: "GONE", B: "GONE", C: "IN_STOCK" }]);
  });

  it("need no name again where the unit of a written-off short pick is found", async () => {
    const item = await received("A", "B");
    await writeOffOne(item);
    assert.equal((await direct(item, 1)).status, 201);
    assert.equal((await direct(item, 1)).code, "serials_required");
  });

  it("are named in a column of an import, and refused with their row", async () => {
    const item = await received("A", "B", "C");
    const place = await db.row<{ warehouse: string; bin: string }>(
      `select warehouse_code as warehouse, bin_code as bin from bins join warehouses using (warehouse_id)
       where bin_id = $1`,
      [item.bin_id],
    );
    const plain = await fixtures.item();
    const { sku } = item;
    const { imported, errors } = await admin().ok("POST", "/api/admin/import/inventory-adjustments", {
      records: [
        { sku, ...place, qty: -2, serial_numbers: `A ${labelOf(item, "B")}` },
        { sku, ...place, qty: -1, serial_numbers: "A" },
        { sku, ...place, qty: 2, serial_numbers: "D D" },
        { sku, ...place, qty: 1, serial_numbers: sku },
        { sku, ...place, qty: 2, serial_numbers: "D" },
        { sku: plain.sku, ...place, qty: 1, serial_numbers: "D" },
        { sku, ...place, qty: 1, serial_numbers: "x".repeat(101) },
        { sku, ...place, qty: 1, serial_numbers: "D" },
      ],
    });
    assert.equal(imported, 2);
    assert.deepEqual(errors, [
      { row: 2, error: `Serial A of ${sku} is GONE, not in stock` },
      { row: 3, error: `Serial D of ${sku} is named twice` },
      { row: 4, error: `${sku} is a code of ${sku}, not the serial number of a unit` },
      { row: 5, error: `${sku} needs a serial number for each unit: 1 given for 2` },
      { row: 6, error: `Serial numbers of ${plain.sku} are not kept at receipt: its serial_policy is none` },
      { row: 7, error: "serial_numbers: a serial number has at most 100 characters" },
    ]);
    assert.deepEqual(await statesOf(item), { A: "GONE", B: "GONE", C: "IN_STOCK", D: "IN_STOCK" });
  });

  it("are missing in an import, row by row, and in what another system tells of a bin", async () => {
    const item = await received("A");
    const place = await db.row<{ warehouse: string; bin: string }>(
      `select warehouse_code as warehouse, bin_code as bin from bins join warehouses using (warehouse_id)
       where bin_id = $1`,
      [item.bin_id],
    );
    const other = await fixtures.item();
    const { imported, errors } = await admin().ok("POST", "/api/admin/import/inventory-adjustments", {
      records: [
        { sku: item.sku, ...place, qty: 1 },
        { sku: other.sku, ...place, qty: 1 },
      ],
    });
    assert.equal(imported, 1);
    assert.deepEqual(errors, [{ row: 1, error: `${item.sku} needs a serial number for each unit: 0 given for 1` }]);
    await useTestMappings();
    const shop = await sender(service, { warehouse_ids: [here] });
    const pushed = await pushedItem(shop);
    await db.run("update items set serial_policy = 'at_receipt' where item_id = $1", [pushed.item_id]);
    const { status, body } = await shop.post("/api/v1/inbound/inventory_update", {
      ...{ external_id: fresh("update"), external_version: "1" },
      source_payload: {
        ...{ item_external_id: pushed.external_id, bin_code: place?.bin, warehouse_id: here, target_quantity: 2 },
        reason_code: "COUNT",
      },
    });
    assert.deepEqual([status, body.error_kind], [409, "serials_required"]);
  });

  it("keep the receipt of a unit that left", async () => {
    const item = await serialItem(here, "at_receipt");
    const { receipt_ids } = await admin().ok("POST", "/api/receiving/receive", receiving(item, ["A", "B"]));
    await admin().ok("POST", "/api/receiving/receive", receiving(item, ["C"]));
    await direct(item, -1, ["A"]);
    const { code, body } = await admin().post(`/api/admin/receipts/${receipt_ids[0]}/unreceive`, {});
    assert.deepEqual([code, body.serial, body.state], ["serial_not_in_stock", "A", "GONE"]);
    assert.deepEqual([await onHand(item), (await statesOf(item)).B], [2, "IN_STOCK"]);
  });

  it("leave once when two take the same at once, and units without a name as well", async () => {
    const item = await received("A", "B");
    const named = await Promise.all([direct(item, -1, ["A"]), direct(item, -1, ["A"])]);
    assert.deepEqual(named.map(({ status }) => status).sort(), [201, 409]);
    const other = await fixtures.bin(here);
    await fixtures.stock(here, item.bin_id, item.item_id, 1, "OLD");
    await fixtures.stock(here, other, item.item_id, 1);
    await direct(item, -1);
    const nameless = await Promise.all([direct(item, -1), direct({ ...item, bin_id: other }, -1)]);
    assert.deepEqual(nameless.map(({ status }) => status).sort(), [201, 400]);
    assert.deepEqual(await statesOf(item), { A: "GONE", B: "IN_STOCK" });
  });
});
