import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { applyMapping } from "../../src/inbound/apply.js";
import { loadDocuments } from "../../src/inbound/documents.js";
import { DomainError } from "../../src/platform/problem.js";
import { inTime, mapping } from "../support/mappings.js";
import { pluckAll } from "../support/pluck.js";

/** What one field of an order makes of a payload. */
function mapped(field: object, payload: unknown): unknown {
  const fields = [{ canonical: "memo", type: "string", ...field }];
  return applyMapping(mapping("sales_orders", { fields }), payload).values.memo;
}

/** The message of the refusal, which has to be a `mapping_apply_error`. */
function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof DomainError, String(error));
    assert.equal(error.status, 422);
    assert.equal(error.body.error_kind, "mapping_apply_error");
    return String(error.body.message);
  }
  return assert.fail("nothing was refused");
}

describe("a mapped field", () => {
  const payload = {
    name: "Ann",
    none: null,
    empty: "",
    zero: 0,
    no: false,
    n: 7,
    list: [{ sku: "A" }, { sku: "B" }, {}],
    one: [{ sku: "A" }],
    "a b": 1,
    object: { x: 1, y: 2 },
  };

  it("takes what its path finds", () => {
    assert.equal(mapped({ source_path: "$.name" }, payload), "Ann");
    assert.equal(mapped({ source_path: "$['a b']" }, payload), 1);
    assert.equal(mapped({ source_path: "$.list[0].sku" }, payload), "A");
    assert.deepEqual(mapped({ source_path: "$.list[-1]" }, payload), {});
    assert.equal(mapped({ source_path: "$" }, "all"), "all");
  });

  it("takes a list of several, and one alone as it is", () => {
    assert.deepEqual(mapped({ source_path: "$.list[*].sku" }, payload), ["A", "B"]);
    assert.deepEqual(mapped({ source_path: "$.object.*" }, payload), [1, 2]);
    assert.equal(mapped({ source_path: "$.one[*].sku" }, payload), "A");
  });

  it("is null when nothing is there", () => {
    for (const source_path of [
      "$.missing",
      "$.none",
      "$.name.x",
      "$.name[0]",
      "$.list[9]",
      "$.list[-4]",
      "$.object[0]",
      "$.list.sku",
      "$.name[*]",
    ])
      assert.equal(mapped({ source_path }, payload), null, source_path);
  });

  it("takes its default for nothing and for null, and for nothing else", () => {
    const or = (source_path: string) => mapped({ source_path, default: "d" }, payload);
    assert.equal(or("$.missing"), "d");
    assert.equal(or("$.none"), "d");
    assert.equal(or("$.empty"), "");
    assert.equal(or("$.zero"), 0);
    assert.equal(or("$.no"), false);
    assert.equal(mapped({ default: "always" }, payload), "always");
  });

  it("prefers what is derived, then the path, then the default", () => {
    const all = { derived: { expression: "source.n + 1", when_present: "$.n" }, source_path: "$.name", default: "d" };
    assert.equal(mapped(all, { n: 1, name: "x" }), 2);
    assert.equal(mapped(all, { n: null, name: "x" }), "x");
    assert.equal(mapped(all, { name: "x" }), "x");
    assert.equal(mapped(all, {}), "d");
    assert.equal(mapped({ ...all, derived: { expression: "None" } }, {}), "d");
  });

  it("is named when it is required and nothing is there", () => {
    const field = { source_path: "$.x", required: true };
    for (const payload of [{}, { x: null }, [], null])
      assert.equal(
        refusal(() => mapped(field, payload)),
        "sales_orders.memo: required, but the payload has nothing for it",
      );
    assert.equal(mapped({ ...field, default: "d" }, {}), "d");
  });

  it("is named when its expression fails", () =>
    assert.match(
      refusal(() => mapped({ derived: { expression: "source.a.b" } }, { a: 1 })),
      /^sales_orders\.memo: 1 has no "b"$/,
    ));

  it("passes as given, unless it is a decimal or an enum", () => {
    for (const type of ["string", "integer", "boolean", "uuid", "iso_timestamp"])
      for (const value of ["text", 1.5, true, ["a"], { a: 1 }])
        assert.deepEqual(mapped({ type, source_path: "$.v" }, { v: value }), value);
  });

  it("is one of its words when it is an enum", () => {
    const field = { type: "enum", enum_values: ["OPEN", "1"], source_path: "$.v" };
    assert.equal(mapped(field, { v: "OPEN" }), "OPEN");
    assert.equal(mapped(field, {}), null);
    for (const v of ["open", 1, ["OPEN"], {}, true])
      assert.match(
        refusal(() => mapped(field, { v })),
        /^sales_orders\.memo: .* is none of OPEN, 1$/,
      );
  });
});

describe("a mapped decimal", () => {
  const bounds = { type: "decimal", source_path: "$.v", max_digits: 5, decimal_places: 2, ge: "0", le: 500.5 };
  const of = (v: unknown, field: object = bounds) => mapped(field, { v });

  it("is exact, and text", () => {
    const free = { type: "decimal", source_path: "$.v" };
    const exact: [unknown, string][] = [
      ["19.90", "19.9"],
      [19.9, "19.9"],
      [0.1, "0.1"],
      ["0.10000000000000000000000000000000000001", "0.10000000000000000000000000000000000001"],
      ["123456789012345678901234567890.12", "123456789012345678901234567890.12"],
      [" 7 ", "7"],
      ["-0", "0"],
      ["1e3", "1000"],
      ["+.5", "0.5"],
      [1e-7, "0.0000001"],
    ];
    for (const [given, expected] of exact) assert.equal(of(given, free), expected);
  });

  it("keeps to its bounds", () => {
    for (const v of ["0", "123.45", "500.5", "123.4500000", 9.99, null]) assert.doesNotThrow(() => of(v), String(v));
    const wrong: [unknown, RegExp][] = [
      ["1.234", /1\.234 has more than 2 decimal places/],
      ["1234.5", /1234\.5 has more digits than 5/],
      ["1234", /1234 has more digits than 5/],
      ["-0.01", /-0\.01 is below 0/],
      ["500.51", /500\.51 is above 500\.5/],
    ];
    for (const [v, message] of wrong)
      assert.match(
        refusal(() => of(v)),
        message,
      );
  });

  it("is nothing else than a number", () => {
    for (const v of [
      true,
      false,
      "",
      " ",
      "abc",
      "1,5",
      "1.5.",
      "0x10",
      "NaN",
      "Infinity",
      "1_000",
      "١",
      [1],
      {},
      "1".repeat(101),
    ])
      assert.match(
        refusal(() => of(v)),
        /is not a number/,
        JSON.stringify(v),
      );
    assert.match(
      refusal(() => of(2 ** 53)),
      /too large to be exact in JSON/,
    );
    assert.match(
      refusal(() => of(JSON.parse("1e400"))),
      /larger than JSON numbers/,
    );
    assert.match(
      refusal(() => of("1e400")),
      /more than 40 digits/,
    );
  });
});

describe("a mapped lookup", () => {
  const lookup = (v: unknown, more: object = {}) =>
    applyMapping(
      mapping("sales_orders", {
        fields: [
          {
            canonical: "customer_id",
            type: "uuid",
            source_path: "$.v",
            cross_system_lookup: { source_type: "customer" },
            ...more,
          },
        ],
      }),
      { v },
    );

  it("names the record of the other system, in the document's own one", () =>
    assert.deepEqual(lookup("C-7"), {
      values: { customer_id: null },
      lookups: [
        { column: "customer_id", source_system: "shop", source_type: "customer", source_id: "C-7", required: false },
      ],
    }));

  it("may name another system's, and a number", () => {
    const { lookups } = lookup(42, {
      required: true,
      cross_system_lookup: { source_type: "vendor", source_system: "erp" },
    });
    assert.deepEqual(lookups, [
      { column: "customer_id", source_system: "erp", source_type: "vendor", source_id: "42", required: true },
    ]);
  });

  it("asks for nothing when nothing is there", () =>
    assert.deepEqual(lookup(null), { values: { customer_id: null }, lookups: [] }));

  it("refuses what identifies nothing, and a number that has lost digits", () => {
    for (const v of [true, {}, [1]])
      assert.match(
        refusal(() => lookup(v)),
        /customer_id: .* is not an identifier/,
      );
    assert.match(
      refusal(() => lookup(2 ** 53)),
      /has to come as text/,
    );
    assert.match(
      refusal(() => lookup(undefined, { required: true })),
      /customer_id: required/,
    );
  });
});

describe("mapped lines", () => {
  const lines = (source_path = "$.lines") =>
    mapping("purchase_orders", {
      line_items: {
        source_path,
        canonical_path: "lines",
        fields: [
          {
            canonical: "item_id",
            type: "uuid",
            source_path: "$.sku",
            required: true,
            cross_system_lookup: { source_type: "item" },
          },
          { canonical: "quantity_ordered", type: "integer", source_path: "$.qty", required: true },
          {
            canonical: "unit_cost",
            type: "decimal",
            derived: { expression: "float(source.cost) / 100", when_present: "$.cost" },
          },
        ],
      },
    });

  it("are mapped one by one, each from itself", () => {
    const { lines: found } = applyMapping(lines(), {
      qty: 99,
      lines: [
        { sku: "A", qty: 2, cost: "315" },
        { sku: 5, qty: 1 },
      ],
    });
    assert.deepEqual(
      found?.map(({ values, lookups }) => [values, lookups.map((l) => l.source_id)]),
      [
        [{ item_id: null, quantity_ordered: 2, unit_cost: "3.15" }, ["A"]],
        [{ item_id: null, quantity_ordered: 1, unit_cost: null }, ["5"]],
      ],
    );
  });

  it("are none when the payload has none, and absent when the document maps none", () => {
    for (const payload of [{}, { lines: null }, { lines: [] }])
      assert.deepEqual(applyMapping(lines(), payload).lines, []);
    assert.equal("lines" in applyMapping(mapping("purchase_orders", {}), {}), false);
  });

  it("may stand in several places", () => {
    const parcel = (sku: string) => ({ line: { sku, qty: 1 } });
    const { lines: found } = applyMapping(lines("$.parcels[*].line"), { parcels: [parcel("A"), parcel("B")] });
    assert.equal(found?.length, 2);
    assert.equal(applyMapping(lines("$.parcels[*].line"), { parcels: [parcel("A")] }).lines?.length, 1);
  });

  it("are a list, of no more than 5000", () => {
    assert.match(
      refusal(() => applyMapping(lines(), { lines: { sku: "A" } })),
      /^purchase_orders\.lines: an object is not a list/,
    );
    const many = Array.from({ length: 5_001 }, () => ({ sku: "A", qty: 1 }));
    assert.match(
      refusal(() => applyMapping(lines(), { lines: many })),
      /more than 5000 lines/,
    );
    assert.equal(applyMapping(lines(), { lines: many.slice(1) }).lines?.length, 5_000);
  });

  it("are named by their place when one is wrong", () => {
    const payload = (second: unknown) => ({ lines: [{ sku: "A", qty: 1 }, second] });
    for (const wrong of [{ sku: "B" }, { qty: 1 }, "B", null, [], 7])
      assert.match(
        refusal(() => applyMapping(lines(), payload(wrong))),
        /^purchase_orders\.lines\[1\]\.(item_id|quantity_ordered): required/,
      );
  });
});

describe("a hostile payload", () => {
  const all = (payload: unknown) => {
    const fields = [
      { canonical: "memo", type: "string", source_path: "$.a" },
      { canonical: "so_number", type: "string", derived: { expression: "str(source.a)", when_present: "$.a" } },
      { canonical: "ship_method", type: "string", source_path: "$.b[*][*]" },
    ];
    return applyMapping(mapping("sales_orders", { fields }), payload).values;
  };

  it("does not reach anything but itself", () => {
    const payload = JSON.parse('{"__proto__":{"a":"polluted","b":[["x"]]},"constructor":{"prototype":{"a":1}}}');
    assert.deepEqual(all(payload), { memo: null, so_number: null, ship_method: null });
    assert.equal(({} as Record<string, unknown>).a, undefined);
    assert.deepEqual(all(Object.create({ a: "inherited" })), { memo: null, so_number: null, ship_method: null });
  });

  it("may be nested as deeply as it likes", () => {
    let deep: unknown = "end";
    for (let i = 0; i < 200_000; i++) deep = i % 2 ? [deep] : { a: deep };
    assert.match(
      refusal(() => all({ a: deep })),
      /so_number: (a list|an object) cannot be made a text/,
    );
    assert.notEqual(all({ b: deep }).ship_method, null);
  });

  const numbers = Array.from({ length: 1_000_000 }, (_, i) => i % 7);
  const names = Object.fromEntries(Array.from({ length: 300_000 }, (_, i) => [`k${i}`, 1]));
  const text = "a".repeat(4_000_000);
  const times = (n: number, expression: string, by: string) => Array(n).fill(expression).join(by);
  const heavy: Record<string, object> = {
    "many values of a list": { source_path: "$.numbers[*]" },
    "many values of an object": { source_path: "$.names[*]" },
    "a search in a long list": { derived: { expression: times(30, "9 in source.numbers", " or ") } },
    "the greatest of a long list": { derived: { expression: times(30, "max(source.numbers)", "+") } },
    "slices of a long list": { derived: { expression: `len(source.numbers${"[1:]".repeat(200)})` } },
    "lists of slices": { derived: { expression: `[${times(40, "source.numbers[1:]", ",")}]` } },
    "the truth of a large object": { derived: { expression: times(50, "source.names", " and ") } },
    "the size of a large object": { derived: { expression: times(40, "len(source.names)", "+") } },
    "the length of a long text": { derived: { expression: times(40, "len(source.text)", "+") } },
    "a long text in itself": { derived: { expression: "source.text in source.text" } },
    "comparing long texts": { derived: { expression: times(20, "source.text <= source.text", " and ") } },
    "a text that grows": { derived: { expression: times(40, "source.text[:9999]", "+") } },
    "fractions without end": { derived: { expression: times(200, "1/3", "+") } },
  };
  for (const [what, field] of Object.entries(heavy))
    it(`ends soon, in the answer or in the refusal: ${what}`, () => {
      const fields = ["memo", "so_number", "ship_method", "currency"].map((canonical) => ({
        canonical,
        type: "string",
        ...field,
      }));
      const order = mapping("sales_orders", { fields });
      inTime(() => {
        try {
          applyMapping(order, { numbers, names, text });
        } catch (error) {
          assert.ok(error instanceof DomainError, String(error));
        }
      });
    });

  it("of 5000 lines with an expression each is mapped in time", () => {
    const order = mapping("sales_orders", {
      line_items: {
        source_path: "$.lines",
        canonical_path: "lines",
        fields: [
          { canonical: "item_id", type: "uuid", source_path: "$.sku", cross_system_lookup: { source_type: "item" } },
          {
            canonical: "quantity_ordered",
            type: "integer",
            derived: { expression: "int(source.qty) * 12 if source.unit == 'dozen' else int(source.qty)" },
          },
        ],
      },
    });
    const lines = Array.from({ length: 5_000 }, (_, i) => ({ sku: `S${i}`, qty: "2", unit: "dozen" }));
    inTime(() => {
      const found = applyMapping(order, { lines }).lines;
      assert.equal(found?.[4_999]?.values.quantity_ordered, 24);
    });
  });
});

describe("the demo's document", () => {
  const folder = new URL("../../../demo/", import.meta.url);
  const push = (name: string) => JSON.parse(readFileSync(new URL(`pushes/${name}.json`, folder), "utf8"));

  it("maps an order of the shop", async () => {
    const shop = (await loadDocuments(new URL("mappings/", folder).pathname)).get("acme-shop");
    const order = shop?.resources.sales_orders ?? assert.fail();
    const { values, lookups, lines } = applyMapping(order, push("sales-order").source_payload);
    assert.equal(values.so_number, "ACME-1001");
    assert.equal(values.order_total, "131.18");
    assert.equal(values.customer_shipping_paid, "5.9");
    assert.equal(values.priority, 10);
    assert.equal(values.shipping_address_name, "Bo Lee");
    assert.equal(values.billing_address_line2, null);
    assert.equal(values.status, null);
    assert.deepEqual(pluckAll(lookups, "column", "source_id"), [["customer_id", "207119551"]]);
    assert.deepEqual(
      lines?.map((l) => l.values.quantity_ordered),
      [2],
    );
    const cancelled = { ...push("sales-order").source_payload, cancelled_at: "2026-05-07T08:00:00Z" };
    assert.equal(applyMapping(order, cancelled).values.status, "CANCELLED");
  });

  it("maps weights and sizes into ours", async () => {
    const shop = (await loadDocuments(new URL("mappings/", folder).pathname)).get("acme-shop");
    const { values } = applyMapping(shop?.resources.items ?? assert.fail(), push("item").source_payload);
    assert.deepEqual(
      [values.weight_lbs, values.length_in, values.width_in, values.height_in],
      ["2.7558", "8.86", "7.09", "9.45"],
    );
  });
});
