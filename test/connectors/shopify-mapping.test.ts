import assert from "node:assert/strict";
import { SourceError } from "../../src/connectors/connector.js";
import { itemRecords } from "../../src/connectors/shopify/items.js";
import { orderRecord } from "../../src/connectors/shopify/orders.js";
import { columns } from "../../src/inbound/columns.js";
import { fitInto } from "../../src/inbound/fit.js";
import { isStale } from "../../src/inbound/versions.js";
import {
  exampleAddress,
  exampleLine,
  exampleOrder,
  exampleProduct,
  exampleVariant,
} from "../support/shops/shopify-examples.js";

const config = { shop_url: "https://johns-apparel.myshopify.com", access_token: "shpat_1" };
/** What the shop wants shipped of an order: all that is open of it. */
const wanted = (lines: { id: number; fulfillable_quantity: number }[]) => ({
  ...{ id: "1046000778", status: "open", assigned_location_id: "24826418", updated_at: null },
  line_items: lines.map(({ id, fulfillable_quantity }) => ({
    ...{ id: `5${id}`, line_item_id: `${id}`, fulfillable_quantity },
  })),
});
const order = (changed: object = {}, prefix?: string) => {
  const document = { ...exampleOrder, ...changed };
  const shop = { ...config, ...(prefix && { order_prefix: prefix }) };
  return orderRecord(document, shop, [wanted(document.line_items)]);
};
const { properties } = exampleLine;
const line = (changed: object = {}) => ({ ...exampleLine, ...changed });
const item = (variant: object = {}, product: object = {}) => {
  const [record] = itemRecords({ ...exampleProduct, ...product, variants: [{ ...exampleVariant, ...variant }] });
  return record ?? assert.fail("no item");
};

describe("a variant of Shopify", () => {
  it("is an item, with its product's title, status and time", () => {
    const { payload, ...record } = item();
    assert.deepEqual(record, {
      resource: "items",
      external_id: "808950810",
      external_version: "2026-01-10T00:32:59Z",
      own_sku: "SHOPIFY-808950810",
      values: {
        sku: "IPOD2008PINK",
        item_name: "IPod Nano - 8GB - Pink",
        is_active: true,
        upc: "1234_pink",
        weight_lbs: "1.2500",
      },
    });
    assert.deepEqual(payload.variant, exampleVariant);
    assert.equal((payload.product as { handle: string }).handle, "ipod-nano");
    assert.doesNotMatch(JSON.stringify(payload), /body_html|burton/);
  });

  it("has the title of its product alone where there is only one", () => {
    assert.equal(item({ title: "Default Title" }).values.item_name, "IPod Nano - 8GB");
  });

  it("is one of several, each with its own id and payload", () => {
    const variants = [exampleVariant, { ...exampleVariant, id: 49148385, sku: "IPOD2008RED", title: "Red" }];
    const records = itemRecords({ ...exampleProduct, variants });
    assert.deepEqual(
      records.map(({ external_id, values }) => [external_id, values.sku]),
      [
        ["808950810", "IPOD2008PINK"],
        ["49148385", "IPOD2008RED"],
      ],
    );
    assert.deepEqual(records[1]?.payload.variant, variants[1]);
  });

  for (const sku of ["", "  ", null])
    it(`gets a SKU that names it where it has none: ${JSON.stringify(sku)}`, () => {
      assert.equal(item({ sku }).values.sku, "SHOPIFY-808950810");
    });

  for (const [weight, weight_unit, pounds] of [
    [500, "g", "1.1023"],
    [453.59237, "g", "1.0000"],
    [1.5, "kg", "3.3069"],
    [8, "oz", "0.5000"],
    [0.1, "lb", "0.1000"],
  ] as const)
    it(`weighs ${pounds} lb with ${weight} ${weight_unit}`, () => {
      assert.equal(item({ weight, weight_unit }).values.weight_lbs, pounds);
    });

  it("leaves weight and barcode as they are here where the shop has none", () => {
    for (const empty of [
      { weight: 0, barcode: "" },
      { weight: null, barcode: null },
      { weight: 1, weight_unit: "stone", barcode: " " },
    ])
      assert.deepEqual(Object.keys(item(empty).values), ["sku", "item_name", "is_active"]);
  });

  for (const [status, active] of [
    ["active", true],
    ["draft", false],
    ["archived", false],
  ] as const)
    it(`is ${active ? "" : "not "}active where its product is ${status}`, () => {
      assert.equal(item({}, { status }).values.is_active, active);
    });

  it("has the newer of its own time and its product's as version", () => {
    assert.equal(item({ updated_at: "2026-01-09T19:33:10-05:00" }).external_version, "2026-01-10T00:33:10Z");
    assert.equal(item({}, { updated_at: "2026-02-01T00:00:00Z" }).external_version, "2026-02-01T00:00:00Z");
  });

  it("fits its columns whatever the length of its texts, but a SKU is not cut", () => {
    const { values } = item({ title: "🙂".repeat(255), barcode: "9".repeat(200), sku: "S".repeat(200) });
    const { faults, values: fitted } = fitInto(columns.items, values);
    assert.deepEqual(faults, ["sku: is longer than 128 characters"]);
    assert.equal([...(fitted.item_name as string)].length, 256);
    assert.equal(fitted.upc, null);
  });

  it("is refused with the name of the field where it is not as documented", () => {
    assert.throws(
      () => item({ id: null }),
      (error: unknown) => error instanceof SourceError && /a product .*: variants\.0\.id$/.test(error.message),
    );
  });
});

describe("an order of Shopify", () => {
  it("has each of its fields in the column for it", () => {
    const { payload, ...record } = order();
    assert.equal(payload.name, "#1001");
    assert.deepEqual(record, {
      resource: "sales_orders",
      external_id: "450789469",
      external_version: "2008-01-11T04:00:05.000030000Z",
      values: {
        so_number: "1001",
        customer_name: "Bob Norman",
        customer_email: "bob.norman@mail.example.com",
        customer_phone: "+557734881234",
        shipping_address_name: "Bob Norman",
        shipping_address_line1: "Chestnut Street 92",
        shipping_address_line2: "Apartment 2",
        shipping_address_city: "Louisville",
        shipping_address_state: "KY",
        shipping_address_postal_code: "40202",
        shipping_address_country: "US",
        shipping_address_phone: "+1(502)-459-2181",
        billing_address_name: "Bob Norman, Norman & Sons",
        billing_address_line1: "2259 Park Ct",
        billing_address_line2: "Apartment 2",
        billing_address_city: "Louisville",
        billing_address_state: "KY",
        billing_address_postal_code: "40202",
        billing_address_country: "US",
        billing_address_phone: "+1(502)-459-2181",
        ship_address: "Chestnut Street 92, Apartment 2, Louisville, KY 40202, US",
        ship_method: "UPS Ground",
        customer_shipping_paid: "4.50",
        order_total: "598.94",
        currency: "USD",
        memo: "Leave it with the porter",
        order_date: "2008-01-10",
        order_origin: "shopify",
      },
      lines: [
        { item: "39072856", sku: "IPOD2008GREEN", values: { quantity_ordered: 1, line_number: 1, properties } },
        { item: "49148385", sku: "IPOD2008RED", values: { quantity_ordered: 1, line_number: 2, properties } },
        { item: "457924702", sku: "IPOD2008BLACK", values: { quantity_ordered: 1, line_number: 3, properties } },
      ],
      ...{ held: false, fulfilled: [] },
    });
    assert.deepEqual(fitInto(columns.sales_orders, record.values).faults, []);
  });

  it("has the prefix of its shop before its number", () => {
    assert.equal(order({}, "EU-").values.so_number, "EU-1001");
    assert.equal(order({ name: "EN1001-A" }).values.so_number, "EN1001-A");
  });

  it("keeps what the customer wants of a line, whatever the shop has for it, within bounds", () => {
    const propertiesOf = (properties: unknown) =>
      order({ line_items: [line({ properties })] }).lines?.[0]?.values.properties as { name: string; value: string }[];
    assert.deepEqual(propertiesOf(null), []);
    assert.deepEqual(propertiesOf({ Engraving: "Ann" }), []);
    const odd = [
      { name: "Engraving", value: " Ann\0 " },
      ...[
        { name: "Letters", value: 3 },
        { name: "_gift", value: true },
        { name: "Empty", value: "" },
      ],
      ...[{ name: null, value: "x" }, { name: "List", value: [] }, "none"],
    ];
    assert.deepEqual(propertiesOf(odd), [
      { name: "Engraving", value: "Ann" },
      { name: "Letters", value: "3" },
      { name: "_gift", value: "true" },
    ]);
    const many = Array.from({ length: 40 }, (_, i) => ({ name: `${i < 20 ? "_" : ""}${i}`, value: "ü".repeat(1200) }));
    const kept = propertiesOf(many);
    assert.deepEqual([kept.length, kept.filter(({ name }) => !name.startsWith("_")).length], [30, 20]);
    assert.equal(kept[0]?.value.length, 1000);
  });

  it("names the customer by whatever the shop knows", () => {
    const none = { shipping_address: null, billing_address: null };
    assert.equal(order(none).values.customer_name, "Bob Norman");
    assert.equal(order({ ...none, customer: null }).values.customer_name, "bob.norman@mail.example.com");
    assert.equal(order({ ...none, customer: null, email: "" }).values.customer_name, "bob.norman@mail.example.com");
    const guest = order({ customer: null, shipping_address: null, phone: null });
    assert.deepEqual([guest.values.customer_name, guest.values.customer_phone], ["Bob Norman", null]);
    assert.equal(guest.values.ship_address, null);
  });

  it("fits its columns whatever the length of its texts", () => {
    const long = "ü".repeat(600);
    const address = Object.fromEntries(Object.keys(exampleAddress).map((name) => [name, long]));
    const { values } = order({ shipping_address: address, billing_address: address, email: long, note: long });
    const { faults, values: fitted } = fitInto(columns.sales_orders, values);
    assert.deepEqual(faults, []);
    assert.equal(fitted.shipping_address_line1, "ü".repeat(200));
    assert.equal(fitted.customer_email, null);
    assert.equal(fitted.memo, long);
  });

  it("leaves out texts and amounts that are none", () => {
    const odd = { note: 5, current_total_price: "a lot", total_price: null, shipping_lines: [{ price: "free" }] };
    const { values } = order({ ...odd, shipping_address: "Louisville" });
    assert.deepEqual([values.memo, values.order_total, values.shipping_address_city], [null, null, null]);
    assert.deepEqual([values.ship_method, values.customer_shipping_paid], [null, "0.00"]);
  });

  it("adds up what was paid for shipping, without what was removed", () => {
    const shipping_lines = [
      { title: "UPS Ground", price: "10.10", discounted_price: "10.10" },
      { title: "Insurance", price: "0.20" },
      { title: "Express", price: "30.00", discounted_price: "30.00", is_removed: true },
    ];
    assert.equal(order({ shipping_lines }).values.customer_shipping_paid, "10.30");
  });

  describe("its lines", () => {
    it("have what is still to be fulfilled, under their place in the order", () => {
      const line_items = [
        line({ quantity: 3, current_quantity: 2, fulfillable_quantity: 2 }),
        line({ id: 2, current_quantity: 0, fulfillable_quantity: 0 }),
        line({ id: 3, quantity: 5, current_quantity: 5, fulfillable_quantity: 4 }),
      ];
      const { lines } = order({ line_items });
      assert.deepEqual(
        lines?.map(({ values }) => values),
        [
          { quantity_ordered: 2, line_number: 1, properties },
          { quantity_ordered: 4, line_number: 3, properties },
        ],
      );
    });

    it("are of goods: what needs no shipping is left out", () => {
      const { lines } = order({ line_items: [line(), line({ id: 2, requires_shipping: false })] });
      assert.equal(lines?.length, 1);
    });

    it("find their item by SKU where the variant is gone, and by the SKU of one that has none", () => {
      const line_items = [
        line({ variant_id: null }),
        line({ id: 2, sku: "" }),
        line({ id: 3, sku: "", variant_id: null }),
      ];
      assert.deepEqual(
        order({ line_items }).lines?.map(({ item, sku }) => [item, sku]),
        [
          ["line 466157049", "IPOD2008GREEN"],
          ["39072856", "SHOPIFY-39072856"],
          ["line 3", null],
        ],
      );
    });
  });

  describe("comes to the warehouse", () => {
    for (const financial_status of ["paid", "authorized", "partially_refunded"])
      it(`when it is ${financial_status}`, () => {
        assert.equal(order({ financial_status }).onlyIfKnown, undefined);
      });

    for (const financial_status of ["pending", "partially_paid", "refunded", "voided", "expired", null])
      it(`not when it is ${financial_status}; but one that is here stays, with its lines`, () => {
        const record = order({ financial_status });
        assert.equal(record.onlyIfKnown, true);
        assert.equal(record.values.status, undefined);
        assert.equal(record.lines?.length, 3);
      });

    it("not when the shop has archived it", () => {
      assert.equal(order({ closed_at: "2008-01-12T00:00:00-05:00" }).onlyIfKnown, true);
    });

    it("not once it is cancelled: then it is cancelled here too", () => {
      const record = order({ cancelled_at: "2008-01-11T00:00:00-05:00" });
      assert.deepEqual([record.onlyIfKnown, record.values.status, record.lines], [true, "CANCELLED", undefined]);
    });

    it("not once everything is refunded or removed, which cancels it too", () => {
      const line_items = exampleOrder.line_items.map((one) => ({
        ...one,
        current_quantity: 0,
        fulfillable_quantity: 0,
      }));
      const record = order({ line_items, financial_status: "refunded" });
      assert.deepEqual([record.onlyIfKnown, record.values.status, record.lines], [true, "CANCELLED", undefined]);
    });

    it("not once it is fulfilled, of which it says what", () => {
      const line_items = exampleOrder.line_items.map((one) => ({ ...one, fulfillable_quantity: 0 }));
      const fulfillments = [{ id: 255858046, status: "success", line_items: [{ id: 466157049 }] }];
      const record = order({ line_items, fulfillments, fulfillment_status: "fulfilled" });
      assert.deepEqual([record.onlyIfKnown, record.values.status, record.lines], [true, undefined, []]);
      assert.deepEqual(
        record.fulfilled?.map(({ id }) => id),
        ["255858046"],
      );
    });

    it("as cancelled where the only fulfilment was cancelled, or is of a gift card", () => {
      const line_items = [
        line({ fulfillable_quantity: 0, current_quantity: 0 }),
        line({ id: 2, requires_shipping: false }),
      ];
      for (const one of [
        { id: 1, status: "cancelled", line_items: [{ id: 466157049 }] },
        { id: 1, status: "success", line_items: [{ id: 2 }] },
      ])
        assert.equal(order({ line_items, fulfillments: [one] }).values.status, "CANCELLED");
    });
  });

  describe("its version", () => {
    const stale = (one: object, other: object) =>
      isStale("iso_timestamp", order(one).external_version, order(other).external_version);

    it("rises with the time of its last change, whatever the zone of the shop", () => {
      assert(stale({}, { updated_at: "2008-01-11T04:00:06Z" }));
      assert.equal(order({ updated_at: "2008-01-11T04:00:05Z" }).external_version, order().external_version);
    });

    it("tells changes of the same second apart: units that come, units that go, a cancellation", () => {
      const ordered = { line_items: [line({ quantity: 2, current_quantity: 2, fulfillable_quantity: 2 })] };
      const removed = { line_items: [line({ quantity: 2, current_quantity: 1, fulfillable_quantity: 1 })] };
      const cancelled = { ...removed, cancelled_at: "2008-01-10T23:00:05-05:00" };
      const inOrder = [{ line_items: [line()] }, ordered, removed, cancelled];
      for (const [i, one] of inOrder.entries())
        for (const [j, other] of inOrder.entries()) assert.equal(stale(one, other), i < j, `${i} ${j}`);
    });

    it("stays when units are fulfilled", () => {
      const fulfilled = exampleOrder.line_items.map((one) => ({ ...one, fulfillable_quantity: 0 }));
      assert.equal(order({ line_items: fulfilled }).external_version, order().external_version);
    });
  });

  it("is refused with the name of the field where it is not as documented", () => {
    const refused = (changed: object, field: string) =>
      assert.throws(
        () => order(changed),
        (error: unknown) => error instanceof SourceError && error.message.endsWith(field),
      );
    refused({ id: Number.MAX_SAFE_INTEGER + 1 }, "id");
    refused({ updated_at: "yesterday" }, "updated_at");
    refused({ line_items: [line({ fulfillable_quantity: "2" })] }, "line_items.0.fulfillable_quantity");
  });
});
