import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { checkAgainst, loadDocuments, MappingError } from "../../src/inbound/documents.js";
import { mappingJsonSchema } from "../../src/inbound/schema.js";
import { validator } from "../support/json-schema.js";
import { documentWith, withFiles } from "../support/mappings.js";

const field = (canonical: string, more: object = {}) => ({
  canonical,
  type: "string",
  source_path: `$.${canonical}`,
  ...more,
});
const line = (canonical: string, more: object = {}) => field(canonical, { required: true, ...more });
const item = line("item_id", { type: "uuid", cross_system_lookup: { source_type: "item" } });
const quantity = line("quantity_ordered", { type: "integer" });
const order = (fields: object[], lines?: object[]) => ({
  canonical_type: "sales_order",
  fields,
  ...(lines && { line_items: { source_path: "$.lines", canonical_path: "lines", fields: lines } }),
});
const sound = () => documentWith({ sales_orders: order([field("so_number")], [item, quantity]) });

/** What is said of a folder with these files; "" when nothing is wrong. */
const faults = (files: Record<string, unknown>): Promise<string> =>
  withFiles(files, (folder) =>
    loadDocuments(folder).then(
      () => "",
      (error) => {
        assert.ok(error instanceof MappingError, String(error));
        return error.message;
      },
    ),
  );
const faultsOf = (document: unknown) => faults({ "shop.json": document });

describe("mapping documents", () => {
  it("are read from YAML and JSON, by their source system, and other files are left alone", async () => {
    const yaml = `
mapping_version: "3"
source_system: erp
version_compare: lexicographic
resources:
  items:
    canonical_type: item
    fields: [{ canonical: sku, type: string, source_path: $.no, required: true }]
`;
    await withFiles(
      { "shop.json": sound(), "erp.yml": yaml, "notes.txt": "{", "shop.yaml.bak": "{" },
      async (folder) => {
        const documents = await loadDocuments(folder);
        assert.deepEqual([...documents.keys()].sort(), ["erp", "shop"]);
        const erp = documents.get("erp");
        assert.equal(erp?.path, join(folder, "erp.yml"));
        assert.match(erp?.sha256 ?? "", /^[0-9a-f]{64}$/);
        assert.equal(erp?.version_compare, "lexicographic");
        assert.equal(erp?.resources.items?.source_system, "erp");
        assert.equal(erp?.resources.sales_orders, undefined);
      },
    );
  });

  const files: Record<string, [Record<string, unknown>, RegExp]> = {
    "a file under another name": [
      { "other.json": sound() },
      /other\.json, source_system: shop has to stand in a file named shop\.json/,
    ],
    "a second file of the same system": [
      { "shop.json": sound(), "shop.yaml": JSON.stringify(sound()) },
      /shop\.yaml: a second document of shop/,
    ],
    "broken YAML": [{ "shop.yaml": "a: [1" }, /shop\.yaml: cannot be read: .*line 1/s],
    "broken JSON": [{ "shop.json": "{" }, /shop\.json: cannot be read: .*JSON/],
    "an empty file": [{ "shop.yaml": "" }, /shop\.yaml, .*expected object/],
    "a list": [{ "shop.json": "[]" }, /shop\.json, .*expected object/],
    "a key that stands twice": [
      { "shop.yaml": "mapping_version: '1'\nmapping_version: '2'" },
      /shop\.yaml: cannot be read: Map keys must be unique/,
    ],
    "several documents in one file": [
      { "shop.yaml": "a: 1\n---\nb: 2" },
      /shop\.yaml: cannot be read: .*multiple documents/,
    ],
    "a tag that would make an object": [
      { "shop.yaml": "a: !!js/function 'x'" },
      /shop\.yaml: cannot be read: Unresolved tag/,
    ],
    "aliases that multiply": [
      {
        "shop.yaml": `a: &a [x, x, x, x, x, x, x, x, x]\n${["b", "c", "d", "e", "f", "g", "h"]
          .map((name, i) => {
            const before = String.fromCharCode(97 + i);
            return `${name}: &${name} [${Array(9).fill(`*${before}`).join(", ")}]`;
          })
          .join("\n")}`,
      },
      /shop\.yaml: cannot be read: Excessive alias count/,
    ],
    "brackets without end": [
      { "shop.yaml": "[".repeat(60_000) },
      /shop\.yaml: cannot be read: it is nested more than 20 levels deep/,
    ],
    "lists in lists without end": [
      { "shop.yaml": "- ".repeat(30_000) },
      /shop\.yaml: cannot be read: it is nested more than 20 levels deep/,
    ],
    "anchors without end": [
      { "shop.yaml": "&a ".repeat(20_000) },
      /shop\.yaml: cannot be read: it has more than 500 anchors/,
    ],
    "lists in lists of a JSON file": [
      { "shop.json": "[".repeat(21) + "]".repeat(21) },
      /shop\.json: cannot be read: it is nested more than 20 levels deep/,
    ],
    "keys without end": [
      { "shop.yaml": Array.from({ length: 2_001 }, (_, i) => `k${i}: 1`).join("\n") },
      /shop\.yaml: cannot be read: it has more than 2000 keys/,
    ],
    "bytes that are no UTF-8": [{ "shop.json": Buffer.from([0x7b, 0xff, 0x7d]) }, /shop\.json: cannot be read: /],
    "a file of more than 64 KB": [
      { "shop.json": " ".repeat(64 * 1024 + 1) },
      /shop\.json: cannot be read: it is larger than 64 KB/,
    ],
  };
  for (const [what, [given, message]] of Object.entries(files))
    it(`refuse ${what}`, async () => assert.match(await faults(given), message));

  it("refuse a folder that is not there", async () =>
    assert.rejects(loadDocuments("/no/such/folder"), /SERVICE_INBOUND_MAPPINGS_DIR: ENOENT/));

  const documents: Record<string, [unknown, RegExp]> = {
    "an unknown key at the top": [{ ...sound(), extra: 1 }, /shop\.json, Unrecognized key: "extra"/],
    "an own __proto__": [
      `{ "__proto__": {}, ${JSON.stringify(sound()).slice(1)}`,
      /shop\.json, Unrecognized key: "__proto__"/,
    ],
    "a missing version_compare": [
      { ...sound(), version_compare: undefined },
      /shop\.json, version_compare: is missing/,
    ],
    "an unknown version_compare": [
      { ...sound(), version_compare: "newest" },
      /shop\.json, version_compare: .*"iso_timestamp"\|"integer"\|"lexicographic"/,
    ],
    "an unknown resource": [documentWith({ orders: order([]) }), /shop\.json, resources: Unrecognized key: "orders"/],
    "a canonical_type that is not the resource's": [
      documentWith({ items: order([]) }),
      /shop\.json, items, canonical_type: has to be item/,
    ],
    "a column that no record is found by": [
      documentWith({ sales_orders: { ...order([field("memo")]), adopt_by: "memo" } }),
      /shop\.json, sales_orders, adopt_by: Invalid option/,
    ],
    "a column by which records of another resource are found": [
      documentWith({ sales_orders: { ...order([field("so_number")]), adopt_by: "sku" } }),
      /shop\.json, sales_orders, adopt_by: has to be so_number/,
    ],
    "a column to find records by that is not mapped": [
      documentWith({ items: { canonical_type: "item", adopt_by: "upc", fields: [field("sku")] } }),
      /shop\.json, items, adopt_by: upc is not mapped/,
    ],
    "an unknown key of a resource": [
      documentWith({ sales_orders: { ...order([]), extra: 1 } }),
      /shop\.json, sales_orders: Unrecognized key: "extra"/,
    ],
    "lines of a resource that has none": [
      documentWith({ items: { ...order([], [item, quantity]), canonical_type: "item" } }),
      /shop\.json, items, line_items: there are none/,
    ],
    "lines without item and quantity": [
      documentWith({ sales_orders: order([], [field("line_number")]) }),
      /sales_orders, line field item_id: is missing\n.*line field quantity_ordered: is missing/,
    ],
    "lines whose item is no item": [
      documentWith({
        sales_orders: order([], [{ ...item, cross_system_lookup: { source_type: "vendor" } }, quantity]),
      }),
      /line field item_id: cross_system_lookup has to be of source_type item/,
    ],
    "a line column of another resource": [
      documentWith({ sales_orders: order([], [item, quantity, line("unit_cost")]) }),
      /sales_orders, line field unit_cost: there is no such column/,
    ],
    "a line type": [
      documentWith({ sales_orders: order([], [{ ...item, type: "key" }, quantity]) }),
      /sales_orders, line field item_id, type: Invalid option/,
    ],
  };
  for (const [what, [document, message]] of Object.entries(documents))
    it(`refuse ${what}`, async () => assert.match(await faultsOf(document), message));

  const fields: Record<string, [object, RegExp]> = {
    "an unknown key": [field("memo", { extra: 1 }), /field memo: Unrecognized key: "extra"/],
    "no type": [{ canonical: "memo", source_path: "$.a" }, /field memo, type: is missing/],
    "an unknown type": [field("memo", { type: "float" }), /field memo, type: Invalid option/],
    "no name": [{ type: "string" }, /field 0 \(without a name\), canonical: /],
    "no column": [field("order_totl"), /field order_totl: there is no such column to map/],
    "a primary key": [field("so_id"), /field so_id: there is no such column/],
    "an external_id": [field("external_id"), /field external_id: there is no/],
    "an idempotency_key": [field("idempotency_key"), /field idempotency_key: there is no/],
    "a latest_inbound_id": [field("latest_inbound_id"), /field latest_inbound_id: there is no/],
    "a text column that was replaced": [field("billing_address"), /field billing_address: there is no such column/],
    "the name of something else": [
      field("constructor", { source_path: "$.a" }),
      /field constructor: there is no such column/,
    ],
    "the language's own name": [
      JSON.parse('{"canonical":"__proto__","type":"string","source_path":"$.a"}'),
      /field __proto__: there is no such column/,
    ],
    "nothing to take it from": [
      { canonical: "memo", type: "string" },
      /field memo, source_path: a source_path, a derived or a default is needed/,
    ],
    "an enum without words": [
      field("status", { type: "enum" }),
      /field status, enum_values: belongs to type enum, which needs it/,
    ],
    "words without an enum": [field("memo", { enum_values: ["a"] }), /field memo, enum_values: belongs to type enum/],
    "bounds without a decimal": [
      field("memo", { ge: 0, max_digits: 3 }),
      /field memo, max_digits: belongs to type decimal\n.*field memo, ge: belongs/,
    ],
    "a bound that is no number": [
      field("order_total", { type: "decimal", le: "much" }),
      /field order_total, le: "much" is not a number/,
    ],
    "a default outside its bounds": [
      field("order_total", { type: "decimal", default: "-1", ge: "0" }),
      /field order_total, default: -1 is below 0/,
    ],
    "a default that is none of the words": [
      field("status", { type: "enum", enum_values: ["OPEN"], default: "NEW" }),
      /field status, default: "NEW" is none of OPEN/,
    ],
    "a lookup without a path": [
      { canonical: "customer_id", type: "uuid", default: "7", cross_system_lookup: { source_type: "customer" } },
      /field customer_id, cross_system_lookup: needs a source_path or a derived/,
    ],
    "a lookup of an unknown kind": [
      field("customer_id", { cross_system_lookup: { source_type: "user" } }),
      /field customer_id, cross_system_lookup\.source_type: Invalid option/,
    ],
    "a path that is none": [field("memo", { source_path: "a.b" }), /field memo, source_path: a\.b is not a JSONPath/],
    "a path that ends in a dot": [
      field("memo", { source_path: "$.a." }),
      /field memo, source_path: .* is not a JSONPath/,
    ],
    "a filter with a regular expression": [
      field("memo", { source_path: "$.a[?match(@.b, '(a+)+$')]" }),
      /field memo, source_path: .* a filter has no functions/,
    ],
    "a filter of hundreds of brackets": [field("memo", { source_path: `$[?${"(".repeat(400)}` }), /is not a JSONPath/],
    "a search in the depth": [
      field("memo", { source_path: "$..a" }),
      /only names, single indexes, \* and filters are allowed/,
    ],
    "several selectors": [
      field("memo", { source_path: "$['a','b']" }),
      /only names, single indexes, \* and filters are allowed/,
    ],
    "a slice": [field("memo", { source_path: "$.a[0:2]" }), /only names, single indexes, \* and filters are allowed/],
    "a path to __proto__": [field("memo", { source_path: "$.__proto__.x" }), /the name __proto__ is not allowed/],
    "a path to a constructor": [
      field("memo", { source_path: "$['constructor']" }),
      /the name constructor is not allowed/,
    ],
    "a path without end": [field("memo", { source_path: `$${".a".repeat(300)}` }), /field memo, source_path: Too big/],
    "an expression that runs code": [
      { canonical: "memo", type: "string", derived: { expression: "__import__('os')" } },
      /field memo, derived\.expression: the name __import__ means nothing/,
    ],
    "an expression without end": [
      { canonical: "memo", type: "string", derived: { expression: "1+".repeat(600) } },
      /field memo, derived\.expression: Too big/,
    ],
    "an expression with a wrong guard": [
      { canonical: "memo", type: "string", derived: { expression: "1", when_present: "x" } },
      /field memo, derived\.when_present: x is not a JSONPath/,
    ],
    "an expression's path that is none": [
      { canonical: "memo", type: "string", derived: { expression: "a", paths: { a: "x" } } },
      /field memo, derived\.paths\.a: x is not a JSONPath/,
    ],
    "an expression's name of no path": [
      { canonical: "memo", type: "string", derived: { expression: "b", paths: { a: "$.a" } } },
      /field memo, derived\.expression: the name b means nothing here/,
    ],
    "a path under a name that means something": [
      { canonical: "memo", type: "string", derived: { expression: "len", paths: { len: "$.a" } } },
      /field memo, derived\.paths\.len: is a name that expressions use/,
    ],
    "a path under a name that is none": [
      { canonical: "memo", type: "string", derived: { expression: "1", paths: { __proto: "$.a" } } },
      /field memo, derived\.paths\.__proto: is no name of a path/,
    ],
    "blank as null that is neither": [field("memo", { empty_as_null: "yes" }), /field memo, empty_as_null: Invalid/],
    "an unknown key of derived": [
      { canonical: "memo", type: "string", derived: { expression: "1", else: "2" } },
      /field memo, derived: Unrecognized key: "else"/,
    ],
  };
  for (const [what, [given, message]] of Object.entries(fields))
    it(`refuse a field with ${what}`, async () => {
      const said = await faultsOf(documentWith({ sales_orders: order([given]) }));
      assert.match(said, message);
      assert.match(said, /shop\.json, sales_orders, field/);
    });

  it("refuse a column that is mapped twice", async () => {
    const twice = order([field("memo"), field("memo")]);
    assert.match(await faultsOf(documentWith({ sales_orders: twice })), /field memo: mapped twice/);
  });

  it("refuse an expression of a line as one of the header", async () => {
    const lines = [item, { ...quantity, derived: { expression: "eval('1')" } }];
    assert.match(
      await faultsOf(documentWith({ sales_orders: order([], lines) })),
      /sales_orders, line field quantity_ordered, derived\.expression: the name eval/,
    );
  });

  it("name all faults of all files in one message", async () => {
    const said = await faults({
      "a.yaml": "x: [",
      "shop.json": documentWith({
        items: { canonical_type: "item", fields: [field("sku", { type: "x" })] },
        sales_orders: order([field("nothing"), field("memo", { source_path: "$..x" })]),
      }),
    });
    assert.match(said, /^The mapping documents have 4 faults:\n/);
    for (const part of [
      /a\.yaml: cannot be read/,
      /shop\.json, items, field sku, type/,
      /shop\.json, sales_orders, field nothing/,
      /shop\.json, sales_orders, field memo, source_path/,
    ])
      assert.match(said, part);
    assert.match(said, /See docs\/mappings\.md\.$/);
  });
});

describe("mapping documents and the list of source systems", () => {
  const load = () => withFiles({ "shop.json": sound() }, loadDocuments);

  it("fit when each system has its document", async () => assert.deepEqual(checkAgainst(["shop"], await load()), []));

  it("fit without some, which are named", async () =>
    assert.deepEqual(checkAgainst(["shop", "erp", "pos"], await load()), ["erp", "pos"]));

  it("do not fit when a document's system is not on the list", async () => {
    const documents = await load();
    assert.throws(
      () => checkAgainst([], documents),
      /a fault:\n {2}.*shop\.json: shop is not on the list of source systems; add it to SERVICE_SOURCE_SYSTEMS/,
    );
  });
});

describe("the JSON Schema of mapping documents", () => {
  const accepts = validator(mappingJsonSchema);

  it("has a definition for each part", () =>
    assert.deepEqual(Object.keys(mappingJsonSchema.$defs as object).sort(), [
      "CrossSystemLookup",
      "DerivedExpression",
      "FieldMapping",
      "LineItemMapping",
      "ResourceMapping",
    ]));

  it("accepts the demo's document", () => {
    const file = new URL("../../../demo/mappings/acme-shop.yaml", import.meta.url);
    assert.ok(accepts(parse(readFileSync(file, "utf8"))));
  });

  it("refuses what the service refuses, as far as a schema can tell", () => {
    assert.ok(accepts(sound()));
    const { version_compare, ...without } = sound();
    for (const wrong of [
      without,
      { ...sound(), extra: 1 },
      documentWith({ orders: order([]) }),
      documentWith({ sales_orders: order([{ canonical: "memo", type: "string" }]) }),
      documentWith({ sales_orders: order([field("memo", { type: "float" })]) }),
      documentWith({ sales_orders: order([field("memo", { extra: 1 })]) }),
    ])
      assert.ok(!accepts(wrong), JSON.stringify(wrong));
    assert.ok(version_compare);
  });
});
