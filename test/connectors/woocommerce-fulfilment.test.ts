import assert from "node:assert/strict";
import woocommerce from "../../src/connectors/built-in/woocommerce.js";
import { type Shipment, SourceError } from "../../src/connectors/connector.js";
import { testService } from "../support/service.js";
import { type ConnectedWarehouse, connectedWarehouse } from "../support/shops/sync.js";
import { openWooShop, type WooShop } from "../support/shops/woocommerce.js";
import type { Doc } from "../support/shops/woocommerce-lists.js";

describe("shipments in WooCommerce", () => {
  const service = testService();
  let shop: WooShop;
  let warehouse: ConnectedWarehouse;
  let order: Doc;
  beforeEach(async () => {
    shop = await openWooShop();
    warehouse = await connectedWarehouse(service, woocommerce, shop.config);
    order = shop.order({ line_items: [shop.line(shop.product(), 2)] });
  });
  afterEach(() => shop.close());

  const shipment = (fields: Partial<Shipment> = {}): Shipment => ({
    order_id: String(order.id),
    so_number: String(order.number),
    order: null,
    tracking_numbers: ["1Z999AA10123456784"],
    carrier: "UPS",
    service_level: "Ground",
    shipped_at: "2026-03-04T10:00:00+00:00",
    lines: [],
    part: false,
    complete: true,
    to_come: [],
    others: [],
    ...fields,
  });
  const push = (fields?: Partial<Shipment>) =>
    woocommerce.pushFulfillment?.(warehouse.source, shipment(fields)) ?? assert.fail();
  const voided = (fields?: Partial<Shipment>) =>
    woocommerce.voidFulfillment?.(warehouse.source, { ...shipment(fields), external_id: null }) ?? assert.fail();
  const notes = () => (shop.notes.get(order.id) ?? []).map(({ note, customer_note }) => [note, customer_note]);
  const trackings = () => (shop.trackings.get(order.id) ?? []).map(({ tracking_id, ...item }) => item);
  const TOLD = "Shipped by UPS Ground, tracking number 1Z999AA10123456784";

  it("complete the order, and tell the customer carrier and tracking number", async () => {
    const { external_id } = await push();
    assert.deepEqual(notes(), [[TOLD, true]]);
    assert.equal(external_id, String(shop.notes.get(order.id)?.[0]?.id));
    assert.equal(order.status, "completed");
  });

  it("may have several numbers, or none", async () => {
    await push({ tracking_numbers: ["A1", "A2"], service_level: null });
    await push({ tracking_numbers: [], carrier: "Own van", service_level: null });
    assert.deepEqual(notes(), [
      ["Shipped by UPS, tracking number A1, A2", true],
      ["Shipped by Own van", true],
    ]);
  });

  it("are told once, however often they are pushed", async () => {
    shop.carriers = ["UPS"];
    const first = await push();
    assert.deepEqual(await push(), first);
    assert.equal(notes().length, 1);
    assert.equal(trackings().length, 1);
  });

  it("are told once, too, when the answer to the note was lost", async () => {
    const answered = shop.usual;
    shop.usual = async (request) => {
      const reply = await answered(request);
      return request.method === "POST" ? (response) => void response.destroy() : reply;
    };
    await assert.rejects(push(), SourceError);
    shop.usual = answered;
    await push();
    assert.deepEqual(notes(), [[TOLD, true]]);
    assert.equal(order.status, "completed");
  });

  it("stand in the extension Shipment Tracking, where it knows the carrier", async () => {
    shop.carriers = ["Fedex", "UPS", "USPS"];
    const [tracking_number] = shipment().tracking_numbers;
    await push();
    assert.deepEqual(trackings(), [{ tracking_provider: "UPS", tracking_number, date_shipped: "2026-03-04" }]);
    await push({ tracking_numbers: ["F1"], carrier: "FedEx" });
    assert.equal(trackings()[1]?.tracking_provider, "Fedex");
    await push({ tracking_numbers: ["O1"], carrier: "Own van" });
    assert.equal(trackings().length, 2);
    assert.equal(notes().length, 3);
  });

  it("in parts are named, and the last one completes the order", async () => {
    const [mug, shirt] = [shop.product({ name: "Salt &amp; Mug" }), shop.product({ name: "Shirt", sku: "SH-1" })];
    order = shop.order({ line_items: [shop.line(mug, 2), shop.line(shirt, 3)] });
    const first = {
      ...{ part: true, complete: false },
      lines: [
        { item: String(mug.id), sku: "M", quantity: 2 },
        { item: null, sku: "SH-1", quantity: 1 },
        { item: null, sku: "other", quantity: 4 },
      ],
    };
    await push(first);
    await push(first);
    assert.equal(order.status, "processing");
    const rest = { tracking_numbers: ["1Z2"], part: true, lines: [{ item: null, sku: "SH-1", quantity: 2 }] };
    await push(rest);
    assert.deepEqual(notes(), [
      [`${TOLD}: Salt & Mug × 2, Shirt × 1, other × 4`, true],
      ["Shipped by UPS Ground, tracking number 1Z2: Shirt × 2", true],
    ]);
    assert.equal(order.status, "completed");
    await voided(rest);
    assert.equal(order.status, "processing");
    assert.deepEqual(notes()[2], ["The warehouse took the shipment 1Z2 back; not shipped: Shirt × 2", false]);
  });

  it("in equal parts are told each, although their notes are the same", async () => {
    const half = { tracking_numbers: [], part: true, lines: [{ item: null, sku: "A", quantity: 1 }] };
    const { external_id: first } = await push({ ...half, complete: false });
    const others = [first ?? ""];
    const second = await push({ ...half, others });
    assert.deepEqual(await push({ ...half, others }), second);
    assert.equal(notes().length, 2);
  });

  it("leave an order as it is that the shop has ended, and say that it was shipped", async () => {
    shop.change(order, { status: "cancelled" });
    await push();
    assert.equal(order.status, "cancelled");
    assert.deepEqual(notes(), [[TOLD, true]]);
  });

  it("fail when the shop does not have the order", async () => {
    await assert.rejects(push({ order_id: "999999999" }), /404: Invalid ID/);
    await assert.rejects(push({ order_id: "1/../2" }), SourceError);
  });

  it("that are taken back lead back to processing, and tell the shop's staff", async () => {
    shop.carriers = ["UPS"];
    await push();
    await voided();
    assert.equal(order.status, "processing");
    assert.deepEqual(notes()[1], [
      "The warehouse took the shipment 1Z999AA10123456784 back; the order is not shipped",
      false,
    ]);
    assert.deepEqual(trackings(), []);
    await voided();
    assert.equal(notes().length, 2);
  });

  it("may be pushed and taken back again, and a refund then cancels what was not shipped", async () => {
    const [item] = shop.products;
    shop.change(item as Doc, { sku: `SKU-${order.id}` });
    await warehouse.sync("items");
    await warehouse.sync("orders");
    await push();
    await voided();
    shop.change(order, { status: "refunded" });
    assert.equal((await warehouse.records("orders"))[0]?.values.status, "CANCELLED");
    shop.change(order, { status: "processing" });
    await push({ tracking_numbers: ["SECOND"] });
    shop.change(order, { status: "refunded" });
    assert.equal((await warehouse.records("orders"))[0]?.values.status, undefined);
  });

  it("that are taken back leave an order as it is that the shop has ended", async () => {
    await push();
    shop.change(order, { status: "refunded" });
    await voided();
    assert.equal(order.status, "refunded");
  });
});
