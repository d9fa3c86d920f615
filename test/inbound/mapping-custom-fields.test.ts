import assert from "node:assert/strict";
import { applyMapping } from "../../src/inbound/apply.js";
import { compileDocument } from "../../src/inbound/documents.js";
import { DomainError } from "../../src/platform/problem.js";
import { documentWith, mapping } from "../support/mappings.js";

/** What one field of an order makes of a payload. */
const mapped = (field: object, payload: unknown) =>
  applyMapping(mapping("sales_orders", { fields: [{ canonical: "memo", type: "string", ...field }] }), payload).values
    .memo;
const derived = (expression: string, paths: object, more: object = {}) => ({ derived: { expression, paths, ...more } });

/** Custom fields as WooCommerce and Shopify have them. */
const payload = {
  total: "12.50",
  meta_data: [
    { id: 1, key: "_gift_wrap", value: "yes" },
    { id: 2, key: "delivery_slot", value: { day: "Mon", hours: [8, 12] } },
    { id: 3, key: "label", value: "a" },
    { id: 4, key: "label", value: "b" },
    { id: 5, key: "note", value: "" },
    { id: 6, key: "fee", value: "0.75" },
    { id: 7, key: "seven", value: 7 },
  ],
};
const meta = (key: string) => `$.meta_data[?(@.key=='${key}')].value`;

describe("a custom field", () => {
  it("is found by its key", () => {
    assert.equal(mapped({ source_path: meta("_gift_wrap") }, payload), "yes");
    assert.equal(mapped({ source_path: `${meta("delivery_slot")}.day` }, payload), "Mon");
    assert.deepEqual(mapped({ source_path: meta("label") }, payload), ["a", "b"]);
    assert.equal(mapped({ source_path: meta("none"), default: "d" }, payload), "d");
  });

  it("is used in an expression under a name, and None where it is not there", () => {
    const wrap = { wrap: meta("_gift_wrap"), missing: meta("missing") };
    assert.equal(mapped(derived("'wrap' if wrap == 'yes' else 'plain'", wrap), payload), "wrap");
    assert.equal(mapped(derived("'there' if missing else 'nowhere'", wrap), payload), "nowhere");
    assert.equal(mapped(derived("float(source.total) + float(fee)", { fee: meta("fee") }), payload), "13.25");
    assert.equal(mapped(derived("seven * 2", { seven: meta("seven") }), payload), 14);
  });

  it("may be an object or a list in an expression", () => {
    assert.equal(mapped(derived("slot.hours[1] - slot.hours[0]", { slot: meta("delivery_slot") }), payload), 4);
    assert.equal(mapped(derived("'b' in labels", { labels: meta("label") }), payload), true);
    assert.equal(mapped(derived("labels[0] + labels[-1]", { labels: meta("label") }), payload), "ab");
  });

  it("decides whether something is derived", () => {
    const when = (key: string) => derived("'given'", {}, { when_present: meta(key) });
    assert.equal(mapped(when("label"), payload), "given");
    assert.equal(mapped(when("other"), payload), null);
  });
});

describe("a blank text", () => {
  const blank = (v: unknown, field: object, document?: boolean) => {
    const raw = documentWith({
      sales_orders: { canonical_type: "sales_order", fields: [{ canonical: "memo", type: "string", ...field }] },
    });
    const compiled = compileDocument(
      { ...raw, ...(document !== undefined && { empty_as_null: document }) },
      { path: "shop.json", sha256: "" },
    );
    assert.ok(!Array.isArray(compiled), String(compiled));
    const { sales_orders } = compiled.resources;
    assert.ok(sales_orders);
    return applyMapping(sales_orders, { v, list: [{ c: "a" }, { c: v }] }).values.memo;
  };
  const path = { source_path: "$.v" };
  const isRefused = (error: unknown) => error instanceof DomainError && error.kind === "mapping_apply_error";

  it("is a text like any other, unless the document or the field says that it is nothing", () => {
    assert.equal(blank("", path), "");
    assert.equal(blank("", path, true), null);
    assert.equal(blank(" \n", path, true), null);
    assert.equal(blank("", { ...path, empty_as_null: true }), null);
    assert.equal(blank("", { ...path, empty_as_null: false }, true), "");
    for (const v of ["x", 0, false]) assert.equal(blank(v, path, true), v);
  });

  it("gives way to a default, and is missed where something is required", () => {
    assert.equal(blank("", { ...path, default: "d" }, true), "d");
    assert.throws(() => blank("", { ...path, required: true }, true), isRefused);
    assert.equal(blank("", { ...path, type: "decimal" }, true), null);
    assert.throws(() => blank("", { ...path, type: "decimal" }), isRefused);
  });

  it("is not there for when_present, for named paths and among several values", () => {
    assert.equal(blank("", derived("'x'", {}, { when_present: "$.v" }), true), null);
    assert.equal(blank("", derived("'nothing' if v is None else 'v'", { v: "$.v" }), true), "nothing");
    assert.equal(blank("", derived("source.v", {}), true), null);
    assert.equal(blank("", { source_path: "$.list[*].c" }, true), "a");
    assert.deepEqual(blank("b", { source_path: "$.list[*].c" }, true), ["a", "b"]);
  });
});

describe("a lookup of what is derived", () => {
  const lookups = (customer: unknown, more: object = {}) =>
    applyMapping(
      mapping("sales_orders", {
        fields: [
          {
            canonical: "customer_id",
            type: "uuid",
            cross_system_lookup: { source_type: "customer" },
            derived: { expression: "'C-' + str(source.customer) if source.customer else None" },
            ...more,
          },
        ],
      }),
      { customer, other: "O-1" },
    ).lookups.map(({ source_id }) => source_id);

  it("names the record by it", () => assert.deepEqual(lookups(7), ["C-7"]));

  it("asks for nothing where nothing is derived, or for what the path has", () => {
    assert.deepEqual(lookups(0), []);
    assert.deepEqual(lookups(0, { source_path: "$.other", derived: { expression: "1", when_present: "$.no" } }), [
      "O-1",
    ]);
  });

  it("takes a number", () => assert.deepEqual(lookups(7, { derived: { expression: "source.customer + 1" } }), ["8"]));
});
