import assert from "node:assert/strict";
import woocommerce from "../../src/connectors/built-in/woocommerce.js";
import { db } from "../support/db.js";
import { item } from "../support/fixtures.js";
import { fresh } from "../support/inbound.js";
import { pluckAll } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { type ConnectedWarehouse, connectedWarehouse } from "../support/shops/sync.js";
import { openWooShop, type WooShop } from "../support/shops/woocommerce.js";
import type { Doc } from "../support/shops/woocommerce-lists.js";

describe("orders of WooCommerce", () => {
  const service = testService();
  let shop: WooShop;
  let warehouse: ConnectedWarehouse;
  beforeEach(async () => {
    shop = await openWooShop();
    warehouse = await connectedWarehouse(service, woocommerce, { ...shop.config, order_prefix: `${fresh("S")}-` });
  });
  afterEach(() => shop.close());

  const product = (fields: object = {}) => shop.product({ sku: fresh("SKU"), ...fields });
  /** An order of some units of a product, which the warehouse knows. */
  async function ordered(lines: [Doc, number][], fields: object = {}) {
    await warehouse.sync("items");
    return shop.order({ line_items: lines.map(([one, quantity]) => shop.line(one, quantity)), ...fields });
  }
  const numberOf = (order: Doc) => `${warehouse.source.config.order_prefix}${order.number}`;
  const stored = (order: Doc) =>
    db.row<Record<string, unknown>>("select * from sales_orders where so_number = $1", [numberOf(order)]);
  const linesOf = (order: Doc) =>
    db.rows<Record<string, unknown>>(
      `select sku, quantity_ordered, line_number from sales_order_lines l join sales_orders using (so_id)
       join items using (item_id) where so_number = $1 order by line_number`,
      [numberOf(order)],
    );

  it("keep what the customer wants of a line, as people see it in the shop", async () => {
    const order = await ordered([[product(), 1]]);
    Object.assign(order.line_items[0], {
      meta_data: [
        { id: 1, key: "pa_size", value: "m", display_key: "Size", display_value: "<p>M &amp; L</p>" },
        { id: 2, key: "Engraving", value: "Ann" },
        { id: 3, key: "_reduced_stock", value: "1", display_key: "_reduced_stock", display_value: "1" },
        { id: 4, key: "Options", value: { a: 1 }, display_key: "Options", display_value: { a: 1 } },
        "of an extension",
      ],
    });
    await warehouse.sync("orders");
    const row = await db.row<{ properties: unknown }>(
      "select properties from sales_order_lines join sales_orders using (so_id) where so_number = $1",
      [numberOf(order)],
    );
    assert.deepEqual(row?.properties, [
      { name: "Size", value: "M & L" },
      { name: "Engraving", value: "Ann" },
    ]);
  });

  it("take each field", async () => {
    const [mug, bowl] = [product(), product({ type: "variable" })];
    const blue = shop.variation(bowl, { sku: fresh("BLUE") });
    await warehouse.sync("items");
    const order = shop.order({
      number: "WS-1001",
      date_created: "2026-03-01T23:30:00",
      date_created_gmt: "2026-03-02T02:30:00",
      customer_note: "Ring twice",
      billing: {
        ...{ first_name: "Jane", last_name: "Doe", company: "Acme Ltd", address_1: "1 Main St", address_2: "Flat 2" },
        city: "Leeds",
        state: "",
        postcode: "LS1 1AA",
        country: "GB",
        email: "jane@example.com",
        phone: "0113 496",
      },
      shipping: {
        ...{ first_name: "Sam", last_name: "Roe", company: "", address_1: "9 High St", address_2: "", city: "Austin" },
        ...{ state: "TX", postcode: "78701", country: "US", phone: "512 555" },
      },
      shipping_lines: [{ method_title: "Flat &amp; fast" }, { method_title: "Insurance" }],
      ...{ currency: "GBP", total: "49.35", shipping_total: "10.00", shipping_tax: "0.80" },
      line_items: [shop.line(mug, 2), shop.line(bowl, 3, blue)],
    });
    assert.deepEqual(await warehouse.sync("orders"), { written: 1 });
    const row = (await stored(order)) ?? {};
    const expected = {
      so_number: numberOf(order),
      status: "OPEN",
      warehouse_id: warehouse.id,
      customer_name: "Jane Doe",
      customer_email: "jane@example.com",
      customer_phone: "0113 496",
      customer_address: "1 Main St, Flat 2, Leeds, LS1 1AA, GB",
      ship_address: "9 High St, Austin, TX 78701, US",
      billing_address_name: "Jane Doe, Acme Ltd",
      billing_address_line1: "1 Main St",
      billing_address_line2: "Flat 2",
      billing_address_city: "Leeds",
      billing_address_state: null,
      billing_address_postal_code: "LS1 1AA",
      billing_address_country: "GB",
      billing_address_phone: "0113 496",
      shipping_address_name: "Sam Roe",
      shipping_address_line1: "9 High St",
      shipping_address_line2: null,
      shipping_address_city: "Austin",
      shipping_address_state: "TX",
      shipping_address_postal_code: "78701",
      shipping_address_country: "US",
      shipping_address_phone: "512 555",
      ship_method: "Flat & fast, Insurance",
      order_total: "49.35",
      customer_shipping_paid: "10.80",
      currency: "GBP",
      memo: "Ring twice",
      order_date: "2026-03-01",
      order_origin: "checkout",
      source_system: `woocommerce-${warehouse.id}`,
    };
    assert.deepEqual(Object.fromEntries(Object.keys(expected).map((column) => [column, row[column]])), expected);
    assert.deepEqual(await linesOf(order), [
      { sku: mug.sku, quantity_ordered: 2, line_number: 1 },
      { sku: blue.sku, quantity_ordered: 3, line_number: 2 },
    ]);
    assert.deepEqual(await warehouse.sync("orders"), { known: 1 });
  });

  it("go to the billing address when there is no other", async () => {
    const mug = product();
    const nowhere = { first_name: "", last_name: "", company: "", address_1: "", address_2: "", city: "", state: "CA" };
    const order = await ordered([[mug, 1]], { shipping: { ...nowhere, postcode: "", country: "US" } });
    await warehouse.sync("orders");
    const row = await stored(order);
    assert.equal(row?.shipping_address_line1, "969 Market");
    assert.equal(row?.shipping_address_name, "John Doe");
    assert.equal(row?.shipping_address_phone, "(555) 555-5555");
    assert.equal(row?.ship_address, "969 Market, San Francisco, CA 94103, US");
  });

  it("come when they are paid, and not before", async () => {
    const mug = product();
    const order = await ordered([[mug, 1]], { status: "pending" });
    for (const status of ["pending", "on-hold", "failed"]) {
      shop.change(order, { status });
      await warehouse.sync("orders");
      assert.equal(await stored(order), undefined);
    }
    shop.change(order, { status: "processing" });
    assert.deepEqual(await warehouse.sync("orders"), { written: 1 });
    assert.equal((await stored(order))?.status, "OPEN");
  });

  for (const status of ["completed", "cancelled", "refunded", "failed", "trash"])
    it(`do not come when they are first seen as ${status}`, async () => {
      const order = await ordered([[product(), 1]], { status });
      assert.deepEqual(await warehouse.sync("orders"), { known: 1 });
      assert.equal(await stored(order), undefined);
    });

  for (const status of ["cancelled", "refunded", "failed", "trash"])
    it(`are cancelled when they are ${status}`, async () => {
      const order = await ordered([[product(), 1]]);
      await warehouse.sync("orders");
      shop.change(order, { status });
      assert.deepEqual(await warehouse.sync("orders"), { written: 1 });
      assert.equal((await stored(order))?.status, "CANCELLED");
    });

  it("are not cancelled by the refund of what was shipped, unless the shipment was taken back", async () => {
    const order = await ordered([[product(), 1]]);
    await warehouse.sync("orders");
    const be = (status: string, units: number) =>
      db.run(
        `with so as (update sales_orders set status = $2, updated_at = clock_timestamp() where so_number = $1
                     returning so_id)
         update sales_order_lines set quantity_allocated = $3, quantity_picked = $3, quantity_shipped = $3
         where so_id = (select so_id from so)`,
        [numberOf(order), status, units],
      );
    await be("SHIPPED", 1);
    shop.change(order, { status: "completed", date_completed_gmt: "2026-03-03T08:00:00" });
    await warehouse.sync("orders");
    shop.change(order, { status: "refunded" });
    assert.deepEqual(await warehouse.sync("orders"), { written: 1 });
    assert.equal((await stored(order))?.status, "SHIPPED");
    await be("OPEN", 0);
    shop.change(order, { meta_data: [{ id: 1, key: "_warehouse_shipment_voided", value: "yes" }] });
    await warehouse.sync("orders");
    assert.equal((await stored(order))?.status, "CANCELLED");
  });

  it("are held while they wait in the shop, and go on when it has them processed", async () => {
    const order = await ordered([[product(), 2]]);
    await warehouse.sync("orders");
    for (const status of ["on-hold", "pending"]) {
      shop.change(order, { status });
      await warehouse.sync("orders");
      assert.equal((await stored(order))?.hold_reason, "on_hold_in_shop");
      shop.change(order, { status: "processing" });
      await warehouse.sync("orders");
      assert.equal((await stored(order))?.hold_reason, null);
    }
    const unknown = await ordered([[product(), 1]], { status: "on-hold" });
    await warehouse.sync("orders");
    assert.equal(await stored(unknown), undefined);
  });

  it("are cancelled once somebody in the shop completes them, and open again when that is taken back", async () => {
    const mug = product();
    const order = await ordered([[mug, 2]]);
    await warehouse.sync("orders");
    shop.change(order, { status: "completed", date_completed_gmt: "2026-03-03T08:00:00" });
    await warehouse.sync("orders");
    const { status, cancellation_reason } = (await stored(order)) ?? {};
    assert.deepEqual([status, cancellation_reason], ["CANCELLED", "fulfilled_in_shop"]);
    shop.change(order, { status: "processing" });
    await warehouse.sync("orders");
    assert.equal((await stored(order))?.status, "OPEN");
    assert.deepEqual(await linesOf(order), [{ sku: mug.sku, quantity_ordered: 2, line_number: 1 }]);
  });

  it("that were cancelled in the shop are open again once it processes them", async () => {
    const order = await ordered([[product(), 2]]);
    await warehouse.sync("orders");
    shop.change(order, { status: "cancelled" });
    await warehouse.sync("orders");
    assert.equal((await stored(order))?.status, "CANCELLED");
    shop.change(order, { status: "on-hold" });
    await warehouse.sync("orders");
    shop.change(order, { status: "processing" });
    await warehouse.sync("orders");
    const { status, hold_reason } = (await stored(order)) ?? {};
    assert.deepEqual([status, hold_reason], ["OPEN", null]);
  });

  it("have the parts of a bundle, not the line that stands for them", async () => {
    const [box, cup] = [product({ type: "bundle" }), product()];
    const order = await ordered([
      [box, 1],
      [cup, 2],
    ]);
    const [container, part] = order.line_items;
    Object.assign(container, { bundled_items: [part.id], bundled_by: "" });
    Object.assign(part, { bundled_items: [], bundled_by: container.id });
    await warehouse.sync("orders");
    assert.deepEqual(await linesOf(order), [{ sku: cup.sku, quantity_ordered: 2, line_number: 2 }]);
  });

  it("lack the units that were refunded, and keep the numbers of their lines", async () => {
    const [mug, bowl, plate] = [product(), product(), product()];
    const order = await ordered([
      [mug, 2],
      [bowl, 3],
      [plate, 1],
    ]);
    const [first, second] = order.line_items;
    shop.refund(order, new Map([[first, 2]]));
    shop.refund(order, new Map([[second, 1]]));
    shop.refund(order, new Map());
    assert.deepEqual(await warehouse.sync("orders"), { written: 1 });
    assert.deepEqual(await linesOf(order), [
      { sku: bowl.sku, quantity_ordered: 2, line_number: 2 },
      { sku: plate.sku, quantity_ordered: 1, line_number: 3 },
    ]);
  });

  it("get other lines when units are refunded before work has begun", async () => {
    const mug = product();
    const order = await ordered([[mug, 5]]);
    await warehouse.sync("orders");
    shop.refund(order, new Map([[order.line_items[0], 2]]));
    assert.deepEqual(await warehouse.sync("orders"), { written: 1 });
    assert.deepEqual(await linesOf(order), [{ sku: mug.sku, quantity_ordered: 3, line_number: 1 }]);
  });

  it("are cancelled when every unit is refunded", async () => {
    const order = await ordered([[product(), 2]]);
    await warehouse.sync("orders");
    shop.refund(order, new Map([[order.line_items[0], 2]]));
    await warehouse.sync("orders");
    assert.equal((await stored(order))?.status, "CANCELLED");
  });

  it("come without the lines that nobody ships", async () => {
    const mug = product();
    const [gift, book] = [product({ virtual: true }), product({ type: "variable" })];
    const paper = shop.variation(book, { sku: fresh("PAPER") });
    const file = shop.variation(book, { sku: fresh("FILE"), virtual: true });
    const gone = { ...product(), id: 999_999_999 };
    await warehouse.sync("items");
    const { sku } = await item();
    const order = shop.order({
      line_items: [
        ...[shop.line(gift, 1), shop.line(mug, 1), shop.line(book, 1, file), shop.line(book, 4, paper)],
        ...[
          { ...shop.line(gone, 1), sku },
          { ...shop.line(gone, 2), sku },
        ],
      ],
    });
    const [onlyVirtual] = [shop.order({ line_items: [shop.line(gift, 1)] })];
    assert.deepEqual(await warehouse.sync("orders"), { written: 1, known: 1 });
    assert.deepEqual(pluckAll(await linesOf(order), "sku", "quantity_ordered", "line_number"), [
      [mug.sku, 1, 2],
      [paper.sku, 4, 4],
      [sku, 1, 5],
      [sku, 2, 6],
    ]);
    assert.equal(await stored(onlyVirtual), undefined);
  });

  it("find an item that was not synced by its SKU, and are refused when there is none", async () => {
    const { sku } = await item();
    const mug = product({ sku });
    const order = shop.order({ line_items: [shop.line(mug, 1)] });
    const early = shop.order({ line_items: [shop.line(product(), 1)] });
    assert.deepEqual(await warehouse.sync("orders"), { written: 1, refused: 1 });
    assert.deepEqual(await warehouse.refusals(), ["cross_system_lookup_miss"]);
    assert.equal((await linesOf(order))[0]?.sku, sku);
    await warehouse.sync("items");
    assert.deepEqual(await warehouse.sync("orders"), { known: 1, written: 1 });
    assert.equal((await linesOf(early)).length, 1);
    assert.deepEqual(await warehouse.refusals(), []);
  });

  it("take amounts exactly, and nothing where there is none", async () => {
    const mug = product();
    const exact = await ordered([[mug, 1]], { shipping_total: "0.10", shipping_tax: "0.2", total: "1234567890.12" });
    const none = await ordered([[mug, 1]], { shipping_total: "", shipping_tax: "", total: "", currency: "" });
    await warehouse.sync("orders");
    assert.equal((await stored(exact))?.customer_shipping_paid, "0.30");
    assert.equal((await stored(exact))?.order_total, "1234567890.12");
    const row = await stored(none);
    assert.deepEqual([row?.customer_shipping_paid, row?.order_total, row?.currency], [null, null, null]);
  });

  it("come with what extensions make of them, and are refused where it matters", async () => {
    const mug = product();
    const order = await ordered([[mug, 1]], {
      ...{ billing: null, shipping_lines: "none", meta_data: null, customer_note: 5, number: 77 },
      status: "processing",
    });
    const half = await ordered([[mug, 1.5]]);
    assert.deepEqual(await warehouse.sync("orders"), { written: 1, refused: 1 });
    assert.deepEqual(await warehouse.refusals(), ["canonical_constraint_violation"]);
    assert.equal((await stored(order))?.memo, "5");
    assert.equal(await stored(half), undefined);
  });

  it("asks once for what all orders of a page have, and not about orders that are over", async () => {
    const mug = product();
    for (let i = 0; i < 20; i++) await ordered([[mug, 1]]);
    shop.refund(await ordered([[mug, 1]], { status: "completed" }), new Map());
    shop.requests.length = 0;
    await warehouse.records("orders");
    assert.equal(shop.requests.length, 2);
  });
});
