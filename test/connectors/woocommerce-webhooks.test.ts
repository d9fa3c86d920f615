import assert from "node:assert/strict";
import woocommerce from "../../src/connectors/built-in/woocommerce.js";
import { type ReceivedWebhook, SourceError, WebhookRefused } from "../../src/connectors/connector.js";
import { db } from "../support/db.js";
import { fresh } from "../support/inbound.js";
import { testService } from "../support/service.js";
import { type ConnectedWarehouse, connectedWarehouse } from "../support/shops/sync.js";
import { openWooShop, type WooShop } from "../support/shops/woocommerce.js";
import type { Doc } from "../support/shops/woocommerce-lists.js";

describe("webhooks of WooCommerce", () => {
  const service = testService();
  let shop: WooShop;
  let warehouse: ConnectedWarehouse;
  let mug: Doc;
  beforeEach(async () => {
    shop = await openWooShop();
    warehouse = await connectedWarehouse(service, woocommerce, { ...shop.config, order_prefix: `${fresh("H")}-` });
    mug = shop.product({ sku: fresh("MUG") });
    await warehouse.sync("items");
  });
  afterEach(() => shop.close());

  const receive = (webhook: ReceivedWebhook, config: Record<string, unknown> = warehouse.source.config) =>
    woocommerce.receive?.(config, webhook) ?? assert.fail();
  const deliver = (topic: string, document: object) =>
    warehouse.write(topic.startsWith("order.") ? "orders" : "items", receive(shop.webhook(topic, document)));
  const order = (fields: object = {}) => shop.order({ line_items: [shop.line(mug, 2)], ...fields });
  const stored = ({ number }: Doc) =>
    db.row<{ status: string; memo: string | null }>("select status, memo from sales_orders where so_number = $1", [
      `${warehouse.source.config.order_prefix}${number}`,
    ]);
  const itemOf = (sku: string) =>
    db.row<{ item_name: string; is_active: boolean }>("select item_name, is_active from items where sku = $1", [sku]);

  it("are verified to the byte", () => {
    const webhook = shop.webhook("order.updated", order());
    assert.equal(receive(webhook).length, 1);
    const { headers, body } = webhook;
    const { "x-wc-webhook-signature": signature = "", ...unsigned } = headers;
    for (const wrong of [
      { headers, body: Buffer.concat([body, Buffer.from(" ")]) },
      { headers: unsigned, body },
      { headers: { ...unsigned, "x-wc-webhook-signature": "" }, body },
      { headers: { ...unsigned, "x-wc-webhook-signature": `${signature.slice(0, -5)}AAAA=` }, body },
      { headers: { ...unsigned, "x-wc-webhook-signature": signature.slice(0, 20) }, body },
      { headers: { ...unsigned, "x-wc-webhook-signature": Buffer.from(signature, "base64").toString("hex") }, body },
      shop.webhook("order.updated", order(), "another secret"),
    ])
      assert.throws(() => receive(wrong), WebhookRefused);
  });

  it("are refused while no secret is configured", () => {
    const { webhook_secret, ...config } = warehouse.source.config;
    assert.throws(() => receive(shop.webhook("order.updated", order()), config), WebhookRefused);
    assert.throws(() => receive(shop.webhook("order.updated", order(), ""), config), WebhookRefused);
  });

  it("begin with one that tells nothing, and is not signed", () => {
    assert.deepEqual(receive(shop.ping()), []);
    const { body } = shop.ping();
    assert.throws(() => receive({ headers: { "x-wc-webhook-topic": "order.updated" }, body }), WebhookRefused);
    assert.throws(() => receive({ headers: {}, body: Buffer.from("webhook_id=1&id=2") }), WebhookRefused);
  });

  it("of other topics tell nothing", () => {
    for (const topic of ["coupon.created", "customer.updated", "action.woocommerce_add_to_cart", "order.shipped"])
      assert.deepEqual(receive(shop.webhook(topic, { id: 5 })), []);
  });

  it("that are no document are refused as such", () => {
    for (const topic of ["order.updated", "product.updated", "order.deleted"])
      assert.throws(() => receive(shop.webhook(topic, [])), SourceError);
    assert.throws(() => receive(shop.webhook("order.deleted", { id: "x" })), SourceError);
    for (const topic of ["order.updated", "product.updated"]) {
      const [record] = receive(shop.webhook(topic, { id: "x" }));
      assert.match(record?.unreadable ?? "", /not as documented/);
    }
  });

  it("bring an order, which the next sync knows", async () => {
    const one = order();
    assert.deepEqual(await deliver("order.created", one), { written: 1 });
    assert.equal((await stored(one))?.status, "OPEN");
    assert.deepEqual(await warehouse.sync("orders"), { known: 1 });
    assert.deepEqual(await deliver("order.created", one), { known: 1 });
  });

  it("that come too late change nothing", async () => {
    const one = order();
    const first = structuredClone(one);
    const second = structuredClone(shop.change(one, { customer_note: "second" }));
    assert.deepEqual(await deliver("order.updated", second), { written: 1 });
    assert.deepEqual(await deliver("order.created", first), { known: 1 });
    assert.equal((await stored(one))?.memo, "second");
  });

  it("cancel an order that is cancelled, and pass over one that is not here", async () => {
    const [one, other] = [order(), order({ status: "cancelled" })];
    await deliver("order.created", one);
    assert.deepEqual(await deliver("order.updated", shop.change(one, { status: "cancelled" })), { written: 1 });
    assert.equal((await stored(one))?.status, "CANCELLED");
    assert.deepEqual(await deliver("order.updated", other), { known: 1 });
  });

  it("cancel an order that is deleted, of which they tell the id alone", async () => {
    const one = order();
    await deliver("order.created", one);
    assert.deepEqual(await deliver("order.deleted", { id: one.id }), { written: 1 });
    assert.equal((await stored(one))?.status, "CANCELLED");
    assert.deepEqual(await deliver("order.deleted", { id: 999_999_999 }), { known: 1 });
  });

  it("leave an order with refunds to the next sync, which asks what was refunded", async () => {
    const one = order();
    shop.refund(one, new Map([[one.line_items[0], 1]]));
    assert.deepEqual(await deliver("order.updated", one), {});
    assert.deepEqual(await warehouse.sync("orders"), { written: 1 });
    assert.deepEqual(await deliver("order.updated", shop.change(one, { status: "refunded" })), { written: 1 });
    assert.equal((await stored(one))?.status, "CANCELLED");
  });

  it("cannot tell that a line is virtual: the order waits for the next sync", async () => {
    const gift = shop.product({ sku: fresh("GIFT"), virtual: true });
    const one = order({ line_items: [shop.line(gift, 1), shop.line(mug, 1)] });
    assert.deepEqual(await deliver("order.created", one), { refused: 1 });
    assert.deepEqual(await warehouse.sync("orders"), { written: 1 });
    assert.deepEqual(await warehouse.refusals(), []);
  });

  it("bring an item, and take it out of use when it is deleted", async () => {
    const sku = fresh("BOWL");
    const bowl = shop.product({ sku, name: "Bowl" });
    assert.deepEqual(await deliver("product.created", bowl), { written: 1 });
    assert.equal((await itemOf(sku))?.item_name, "Bowl");
    assert.deepEqual(await deliver("product.deleted", { id: bowl.id }), { written: 1 });
    assert.equal((await itemOf(sku))?.is_active, false);
    assert.deepEqual(await deliver("product.deleted", { id: 999_999_999 }), { known: 1 });
  });

  it("bring a variation, which WooCommerce sends as a product, and the sync knows better", async () => {
    const shirt = shop.product({ name: "Shirt", type: "variable", status: "draft" });
    const sku = fresh("SHIRT");
    const variation = shop.variation(shirt, { sku });
    const sent = () => ({ ...variation, type: "variation", parent_id: shirt.id });
    // Its SKU may be that of its product, so a new one is left to the sync.
    assert.deepEqual(await deliver("product.updated", { ...sent(), name: "Shirt" }), { known: 1 });
    await warehouse.sync("items");
    assert.deepEqual(await itemOf(sku), { item_name: "Shirt - Black", is_active: false });
    shop.change(variation, {});
    assert.deepEqual(await deliver("product.updated", { ...sent(), name: "Shirt" }), { written: 1 });
    assert.deepEqual(await itemOf(sku), { item_name: "Shirt - Black", is_active: true });
    shop.change(shirt, {});
    await warehouse.sync("items");
    assert.deepEqual(await itemOf(sku), { item_name: "Shirt - Black", is_active: false });
    assert.deepEqual(await deliver("product.updated", { ...sent(), name: "Shirt - Black" }), { known: 1 });
  });

  it("leave the variations of a product to the next sync", async () => {
    const shirt = shop.product({ type: "variable", sku: fresh("PARENT") });
    shop.variation(shirt);
    assert.deepEqual(await deliver("product.updated", shirt), {});
  });
});
