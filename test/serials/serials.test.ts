import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { statusAndError } from "../support/caller.js";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import * as fixtures from "../support/fixtures.js";
import { pluck } from "../support/pluck.js";
import { receiveAtDesk } from "../support/returns.js";
import { labelOf, pickedFromStock, receiving, type SerialItem, serialItem, statesOf } from "../support/serials.js";
import { shippingStation } from "../support/station.js";

/** docs/serials.md */
describe("serials", () => {
  const site = shippingStation();
  const { ship, voidShip } = site;
  const admin = () => site.service.admin;

  const receive = (item: SerialItem, serials: string[], more: object = {}) =>
    admin().post("/api/receiving/receive", receiving(item, serials, more));
  const pack = (so_id: number, scanned_barcode: string, serial_number?: string, more: object = {}) =>
    admin().post("/api/packing/verify", { so_id, scanned_barcode, serial_number, ...more });
  const lookUp = async (serial: string) =>
    (await admin().ok("GET", `/api/lookup/serial/${encodeURIComponent(serial)}`)).serials;
  const revert = (so_id: number, new_status: string) =>
    admin().ok("POST", `/api/admin/sales-orders/${so_id}/revert-status`, { new_status });
  const linesOf = async (type: string, entityId: number) =>
    (
      await db.row<{ payload: Record<string, never> }>(
        `select event_data(integration_events) as payload from integration_events
         where event_type = $1 and aggregate_external_id = (select external_id from sales_orders where so_id = $2)
         order by event_timestamp desc limit 1`,
        [type, entityId],
      )
    )?.payload;

  /** Units with these serials in stock. */
  async function received(...serials: string[]) {
    const item = await serialItem(site.here, "at_receipt");
    const { receipt_ids } = await admin().ok("POST", "/api/receiving/receive", receiving(item, serials));
    return { item, receipt_id: receipt_ids[0] as number };
  }

  /** The same, shipped with an order of its own. */
  async function shipped(...serials: string[]) {
    const { item, receipt_id } = await received(...serials);
    const order = await pickedFromStock(admin(), item, serials.length);
    for (const serial of serials) assert.equal((await pack(order.so_id, item.sku, serial)).status, 200);
    await admin().ok("POST", "/api/packing/complete", { so_id: order.so_id });
    assert.equal((await ship(order.so_number)).status, 200);
    return { item, receipt_id, ...order };
  }

  describe("at receipt", () => {
    it("are as many as units, each of them new", async () => {
      const item = await serialItem(site.here, "at_receipt");
      const refused = async (serials: string[], more: object = {}) => {
        const { status, code } = await receive(item, serials, more);
        return [status, code];
      };
      assert.deepEqual(await refused([], { quantity: 1 }), [400, "serials_required"]);
      assert.deepEqual(await refused(["A"], { quantity: 2 }), [400, "serials_required"]);
      assert.deepEqual(await refused(["A", "B"], { quantity: 1 }), [400, "serials_required"]);
      assert.deepEqual(await refused(["A", "A"]), [400, "serial_named_twice"]);
      assert.deepEqual(await statesOf(item), {});
      assert.equal((await receive(item, ["A", "B"])).status, 200);
      const { status, body } = await receive(item, ["C", "B"]);
      assert.deepEqual(
        [status, body.error],
        [409, `Serial B of ${item.sku} is IN_STOCK already: one serial is one unit`],
      );
      assert.deepEqual(await statesOf(item), { A: "IN_STOCK", B: "IN_STOCK" });
    });

    it("are one unit, in whichever entries of a request they stand", async () => {
      const item = await serialItem(site.here, "at_receipt");
      const { po_id, item_id, bin_id } = item;
      const one = { item_id, quantity: 1, bin_id };
      const items = [
        { ...one, serial_number: "A" },
        { ...one, serial_number: "A" },
      ];
      const { status, code } = await admin().post("/api/receiving/receive", { po_id, items });
      assert.deepEqual([status, code], [400, "serial_named_twice"]);
      await admin().ok("POST", "/api/receiving/receive", { po_id, items: [items[0], { ...one, serial_number: "B" }] });
      assert.deepEqual(await statesOf(item), { A: "IN_STOCK", B: "IN_STOCK" });
    });

    it("are read from labels, which have to be those of the item", async () => {
      const item = await serialItem(site.here, "at_receipt");
      const other = await serialItem(site.here, "at_receipt");
      const { code } = await receive(item, [labelOf(item, "S1"), labelOf(other, "S2")]);
      assert.equal(code, "scanned_other_item");
      await receive(item, [labelOf(item, "S1"), "S2"]);
      assert.deepEqual(await statesOf(item), { S1: "IN_STOCK", S2: "IN_STOCK" });
      assert.equal((await receive(other, ["S1"])).status, 200);
      assert.deepEqual(
        (await lookUp("S1")).map(({ sku }: { sku: string }) => sku).sort(),
        [item.sku, other.sku].sort(),
      );
      assert.deepEqual(
        (await lookUp(labelOf(item, "S1"))).map(({ sku }: { sku: string }) => sku),
        [item.sku],
      );
    });

    it("are no codes of the item, which stand on the same label", async () => {
      const item = await serialItem(site.here, "at_receipt");
      for (const code of [item.sku, item.sku.toLowerCase(), item.upc as string, `0${item.upc}`])
        assert.deepEqual(statusAndError(await receive(item, ["A", code])), [
          ...[400, `${code} is a code of ${item.sku}, not the serial number of a unit`],
        ]);
      assert.deepEqual(await statesOf(item), {});
    });

    it("are those that were named, whatever unit's label was scanned", async () => {
      const item = await serialItem(site.here, "at_receipt");
      const scanned_barcode = labelOf(item, "B");
      const { receipt_ids } = (await receive(item, ["A", "B"], { scanned_barcode })).body;
      assert.deepEqual(await statesOf(item), { A: "IN_STOCK", B: "IN_STOCK" });
      const noted = "select serial_number from item_receipts where receipt_id = $1";
      assert.equal(await db.value(noted, [receipt_ids[0]]), null);
      await receive(item, [], { quantity: 1, scanned_barcode: labelOf(item, "C") });
      assert.equal((await statesOf(item)).C, "IN_STOCK");
    });

    it("are only noted where an item asks for none, and several are refused", async () => {
      const item = await serialItem(site.here, "none");
      const { code } = await receive(item, ["A", "B"]);
      assert.equal(code, "serials_not_kept");
      const { po_id, item_id, bin_id } = item;
      for (let i = 0; i < 2; i++)
        await admin().ok("POST", "/api/receiving/receive", {
          ...{ po_id, items: [{ item_id, quantity: 3, bin_id, serial_number: "A" }] },
        });
      assert.deepEqual(await statesOf(item), {});
    });

    it("go with a receipt that is taken back, and may come again", async () => {
      const { item, receipt_id } = await received("A", "B");
      await admin().ok("POST", `/api/admin/receipts/${receipt_id}/unreceive`, {});
      assert.deepEqual(await statesOf(item), { A: "GONE", B: "GONE" });
      const again = await receive(item, ["B"]);
      assert.deepEqual(await statesOf(item), { A: "GONE", B: "IN_STOCK" });
      const { po_id } = item;
      await admin().ok("POST", "/api/receiving/cancel", { po_id, receipt_ids: again.body.receipt_ids });
      assert.deepEqual(await statesOf(item), { A: "GONE", B: "GONE" });
    });

    it("are told with each receipt of the order", async () => {
      const { item } = await received("B", "A");
      await receive(item, ["C"]);
      const { receipts } = await admin().ok("GET", `/api/admin/purchase-orders/${item.po_id}/receipts`);
      assert.deepEqual(pluck(receipts, "serial_numbers"), [["C"], ["A", "B"]]);
    });

    it("keep their receipt where one of them is packed", async () => {
      const { item, receipt_id } = await received("A", "B");
      const { so_id } = await pickedFromStock(admin(), item, 1);
      await pack(so_id, item.sku, "A");
      await receive(item, ["C"]);
      const { po_id } = item;
      const cancelled = await admin().post("/api/receiving/cancel", { po_id, receipt_ids: [receipt_id] });
      assert.equal(cancelled.code, "serial_not_in_stock");
      const { status, code, body } = await admin().post(`/api/admin/receipts/${receipt_id}/unreceive`, {});
      assert.deepEqual([status, code, body.serial], [409, "serial_not_in_stock", "A"]);
      assert.deepEqual(await statesOf(item), { A: "PACKED", B: "IN_STOCK", C: "IN_STOCK" });
    });
  });

  describe("at packing", () => {
    it("are asked for one by one, and only what is in stock is packed", async () => {
      const { item } = await received("A", "B", "C");
      const first = await pickedFromStock(admin(), item, 2);
      const second = await pickedFromStock(admin(), item, 1);
      const tried = async (so_id: number, serial?: string, more: object = {}) =>
        (await pack(so_id, item.sku, serial, more)).code;
      assert.equal(await tried(first.so_id), "serial_required");
      assert.equal(await tried(first.so_id, "A", { quantity: 2 }), "one_serial_one_unit");
      assert.equal(await tried(first.so_id, item.upc as string), "serial_is_item_code");
      assert.equal(await tried(first.so_id, "X"), "serial_unknown");
      const { item: stranger } = await received("S");
      assert.equal(await tried(first.so_id, labelOf(stranger, "A")), "scanned_other_item");
      const label = await pack(first.so_id, labelOf(item, "A"));
      assert.deepEqual([label.status, label.body.item.serial_number], [200, "A"]);
      assert.equal(await tried(first.so_id, "A"), "serial_elsewhere");
      assert.equal(await tried(second.so_id, "A"), "serial_elsewhere");
      assert.deepEqual(await statesOf(item), { A: "PACKED", B: "IN_STOCK", C: "IN_STOCK" });
      const { lines } = await admin().ok("GET", `/api/packing/order/${first.so_number}`);
      assert.deepEqual([lines[0].serial_policy, lines[0].serial_numbers], ["at_receipt", ["A"]]);
    });

    it("are known from then on where an item asks for them at shipping", async () => {
      const item = await serialItem(site.here, "at_shipping");
      await fixtures.stock(site.here, item.bin_id, item.item_id, 2);
      const first = await pickedFromStock(admin(), item, 1);
      const second = await pickedFromStock(admin(), item, 1);
      assert.equal((await pack(first.so_id, item.sku)).code, "serial_required");
      assert.equal((await pack(first.so_id, item.sku, "N1")).status, 200);
      assert.equal((await pack(second.so_id, item.sku, "N1")).code, "serial_elsewhere");
      await admin().ok("POST", `/api/admin/sales-orders/${first.so_id}/cancel`);
      assert.deepEqual(await statesOf(item), { N1: "IN_STOCK" });
      assert.equal((await pack(second.so_id, item.sku, "N1")).status, 200);
    });

    it("may be new where units are in stock from before the item asked for them", async () => {
      const { item } = await received("A");
      await fixtures.stock(site.here, await fixtures.bin(site.here), item.item_id, 1);
      const { so_id } = await pickedFromStock(admin(), item, 2);
      assert.equal((await pack(so_id, item.sku, "OLD")).status, 200);
      assert.equal((await pack(so_id, item.sku, "OLDER")).code, "serial_unknown");
      assert.equal((await pack(so_id, item.sku, "A")).status, 200);
    });

    it("belong to one order when two packers scan the same at once", async () => {
      const { item } = await received("A", "B");
      const orders = [await pickedFromStock(admin(), item, 1), await pickedFromStock(admin(), item, 1)];
      const answers = await Promise.all(orders.map(({ so_id }) => pack(so_id, item.sku, "A")));
      assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 409]);
    });

    it("are needed for an order to leave, at the desk, at shipping and at stations", async () => {
      const { item } = await received("A");
      const { so_id, so_number } = await pickedFromStock(admin(), item, 1);
      await db.run("update sales_orders set status = 'PACKED' where so_id = $1", [so_id]);
      const parcel = { so_id, carrier: "UPS", tracking_number: "1Z" };
      assert.equal((await admin().post("/api/shipping/fulfill", parcel)).code, "serials_missing");
      assert.equal((await admin().post(`/api/admin/sales-orders/${so_id}/admin-ship`, {})).code, "serials_missing");
      assert.equal((await ship(so_number)).body.error_kind, "serials_missing");
    });
  });

  describe("that left", () => {
    it("are told with the shipment", async () => {
      const { so_id, item } = await shipped("A", "B");
      assert.deepEqual(await statesOf(item), { A: "SHIPPED", B: "SHIPPED" });
      for (const type of ["pack.confirmed", "ship.confirmed"]) {
        const { packages } = (await linesOf(type, so_id)) as never as { packages: [{ lines: [object] }] };
        assert.deepEqual((packages[0].lines[0] as { serial_numbers: string[] }).serial_numbers, ["A", "B"]);
      }
      await assertEventsMatchSchemas();
      assert.equal((await receive(item, ["A"])).code, "serial_known");
    });

    it("are packed again when the shipment is voided, in stock when it is unpacked or cancelled", async () => {
      const { so_id, so_number, item } = await shipped("A", "B");
      assert.equal((await voidShip(so_number)).status, 200);
      assert.deepEqual(await statesOf(item), { A: "PACKED", B: "PACKED" });
      await revert(so_id, "PICKED");
      assert.deepEqual(await statesOf(item), { A: "IN_STOCK", B: "IN_STOCK" });
      for (const serial of ["B", "A"]) assert.equal((await pack(so_id, item.sku, serial)).status, 200);
      await admin().ok("POST", "/api/packing/complete", { so_id });
      assert.equal((await ship(so_number)).status, 200);
      await revert(so_id, "PICKED");
      assert.deepEqual(await statesOf(item), { A: "IN_STOCK", B: "IN_STOCK" });
      assert.equal((await pack(so_id, item.sku, "A")).status, 200);
      await admin().ok("POST", `/api/admin/sales-orders/${so_id}/cancel`);
      assert.deepEqual(await statesOf(item), { A: "IN_STOCK", B: "IN_STOCK" });
    });
  });

  describe("that come back", () => {
    const comesBack = async (so_id: number, item: SerialItem, quantity: number) =>
      (
        await admin().ok("POST", `/api/admin/sales-orders/${so_id}/create-rma`, {
          lines: [{ item_id: item.item_id, quantity }],
        })
      ).so_id as number;
    const take = (rma: number, item: SerialItem, serial_numbers: string[] | undefined, more: object = {}) =>
      receiveAtDesk(admin(), rma, {
        ...{ item_id: item.item_id, quantity: serial_numbers?.length ?? 1, warehouse_id: site.here },
        ...{ bin_id: item.bin_id, serial_numbers, ...more },
      });

    it("are those that the order was shipped with", async () => {
      const { so_id, item } = await shipped("A", "B");
      await receive(item, ["C", "D"]);
      const other = await pickedFromStock(admin(), item, 1);
      await pack(other.so_id, item.sku, "C");
      await admin().ok("POST", "/api/packing/complete", { so_id: other.so_id });
      await ship(other.so_number);
      const rma = await comesBack(so_id, item, 2);
      assert.equal((await take(rma, item, undefined)).code, "serials_required");
      assert.equal((await take(rma, item, ["A"], { quantity: 2 })).code, "serials_required");
      for (const stranger of ["C", "D", "NOBODY"])
        assert.equal((await take(rma, item, [stranger])).code, "serial_not_of_order");
      assert.equal((await take(rma, item, ["A", "A"])).code, "serial_named_twice");
      const { item: another } = await received("A");
      assert.equal((await take(rma, item, [labelOf(another, "A")])).code, "scanned_other_item");
      assert.equal((await take(rma, item, [labelOf(item, "A")])).status, 200);
      assert.deepEqual(await statesOf(item), { A: "IN_STOCK", B: "SHIPPED", C: "SHIPPED", D: "IN_STOCK" });
      const { lines } = (await linesOf("return.received", rma)) as never as { lines: [{ serial_numbers: string[] }] };
      assert.deepEqual(lines[0].serial_numbers, ["A"]);
      await assertEventsMatchSchemas();
      const { receipts } = await admin().ok("GET", `/api/admin/sales-orders/${rma}/return-receipts`);
      assert.deepEqual(pluck(receipts, "serial_numbers"), [["A"]]);
      const again = await pickedFromStock(admin(), item, 1);
      assert.equal((await pack(again.so_id, item.sku, "A")).status, 200);
    });

    it("are with the customer again when the receipt is taken back, unless they left since", async () => {
      const { so_id, item } = await shipped("A", "B");
      const rma = await comesBack(so_id, item, 2);
      const undo = ({ body }: { body: { receipt_id: number } }) =>
        admin().post(`/api/admin/sales-orders/${rma}/return-receipts/${body.receipt_id}/reverse`, {});
      assert.equal((await undo(await take(rma, item, ["A", "B"]))).status, 200);
      assert.deepEqual(await statesOf(item), { A: "SHIPPED", B: "SHIPPED" });
      const came = await take(rma, item, ["A"]);
      const order = await pickedFromStock(admin(), item, 1);
      await pack(order.so_id, item.sku, "A");
      await take(rma, item, ["B"]);
      const { status, code, body } = await undo(came);
      assert.deepEqual([status, code, body.serial], [409, "serial_not_in_stock", "A"]);
    });

    it("are refused where the item asks for none", async () => {
      const item = await serialItem(site.here, "none");
      const { so_id } = await fixtures.shippedOrder(site.here, [{ item_id: item.item_id, quantity: 2 }]);
      const rma = await comesBack(so_id, item, 2);
      assert.equal((await take(rma, item, ["A", "B"])).code, "serials_not_kept");
    });

    it("are not asked for where the order left without them", async () => {
      const item = await serialItem(site.here, "at_receipt");
      const { so_id } = await fixtures.shippedOrder(site.here, [{ item_id: item.item_id, quantity: 1 }]);
      const rma = await comesBack(so_id, item, 1);
      assert.equal((await take(rma, item, ["A"])).code, "serial_not_of_order");
      assert.equal((await take(rma, item, undefined, { idempotency_key: randomUUID() })).status, 200);
      assert.deepEqual(await statesOf(item), {});
    });

    it("lie in one of the bins that hold their item", async () => {
      const { item } = await received("A", "B");
      const [shelf, plain] = [await fixtures.bin(site.here), await fixtures.item()];
      await fixtures.stock(site.here, await fixtures.bin(site.here), plain.item_id, 5);
      const binsOf = async (serial: string) =>
        (await lookUp(labelOf(item, serial)))[0].bins.map(({ bin_id }: { bin_id: number }) => bin_id).sort();
      assert.deepEqual(await binsOf("A"), [item.bin_id]);
      const move = { item_id: item.item_id, quantity: 1, from_bin_id: item.bin_id, to_bin_id: shelf };
      await admin().ok("POST", "/api/transfers/move", move);
      assert.deepEqual(await binsOf("A"), [item.bin_id, shelf].sort());
      const { so_id } = await pickedFromStock(admin(), item, 1);
      await pack(so_id, item.sku, "B");
      assert.deepEqual(await binsOf("B"), []);
      assert.equal((await binsOf("A")).length, 1);
    });

    it("tell their whole life", async () => {
      const { so_id, so_number, item } = await shipped("LIFE");
      const rma = await comesBack(so_id, item, 1);
      await take(rma, item, ["LIFE"]);
      const found = await lookUp(labelOf(item, "LIFE"));
      assert.equal(found.length, 1);
      const [{ steps, state, sku, so_number: holder }] = found;
      assert.deepEqual([state, sku, holder], ["IN_STOCK", item.sku, null]);
      assert.deepEqual(
        steps.map((step: Record<string, unknown>) => [step.kind, step.order_number, step.carrier]),
        [
          ["RECEIVED", item.po_number, null],
          ["PACKED", so_number, null],
          ["SHIPPED", so_number, "UPS"],
          ["RETURNED", `${so_number}-RMA`, null],
        ],
      );
      const stranger = await site.service.user({ warehouse_ids: [await fixtures.warehouse()] });
      assert.deepEqual(statusAndError(await stranger.get("/api/lookup/serial/LIFE")), [404, "Serial not found"]);
    });
  });
});
