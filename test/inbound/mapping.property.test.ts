import assert from "node:assert/strict";
import { Decimal } from "decimal.js";
import fc from "fast-check";
import { resources } from "../../src/auth/tokens/scope.js";
import { applyMapping, type Mapped } from "../../src/inbound/apply.js";
import { columns } from "../../src/inbound/columns.js";
import { compileDocument, type MappingDocument, type ResourceMapping } from "../../src/inbound/documents.js";
import { readExpression } from "../../src/inbound/expression/parse.js";
import { written } from "../../src/inbound/expression/values.js";
import { budget, Fault } from "../../src/inbound/fault.js";
import { fitInto } from "../../src/inbound/fit.js";
import { readPath } from "../../src/inbound/read-path.js";
import { DomainError } from "../../src/platform/problem.js";
import { documentWith, inTime, mapping } from "../support/mappings.js";
import { SEED } from "../support/seed.js";

const RUNS = Number(process.env.TEST_MAPPINGS ?? 2_000);
const check = <T>(arbitrary: fc.Arbitrary<T>, hold: (value: T) => void) =>
  fc.assert(fc.property(arbitrary, hold), { numRuns: RUNS, seed: SEED });

/** What it gives, in time; undefined when it was refused, by name. */
function bounded<T>(run: () => T): T | undefined {
  try {
    return inTime(run);
  } catch (error) {
    assert.ok(error instanceof DomainError, String((error as Error)?.stack));
    assert.equal(error.body.error_kind, "mapping_apply_error");
    assert.match(String(error.body.message), /^[a-z_]+\.[\w.[\]]+: ./);
    return undefined;
  }
}

const digits = (least: number, most: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: least, maxLength: most });
/** A decimal as text: up to 20 digits before, and 18 behind the point. */
const decimal = fc
  .tuple(fc.constantFrom("", "-"), digits(1, 20), digits(0, 18))
  .map(([sign, whole, places]) => sign + whole + (places && `.${places}`));

describe("mappings, whatever comes", function () {
  this.timeout(60_000 + RUNS * 20);

  const names = ["a", "b", "lines", "sku", "__proto__", "constructor", "toString", "length", "_x", ""];
  const scalar = fc.oneof(
    decimal,
    fc.constantFrom("", "OPEN", "true", "1e400", "NaN", "2026-05-06", "\u0000", "\ud800", "9".repeat(200)),
    fc.string(),
    fc.double(),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.constantFrom<unknown>(null, true, false, 2 ** 60, 1e300, -0),
  );
  const payload = fc
    .letrec((tie) => ({
      node: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        scalar,
        fc.array(tie("node"), { maxLength: 4 }),
        fc.dictionary(fc.constantFrom(...names), tie("node"), { maxKeys: 5 }),
      ),
    }))
    .node.map((value) => JSON.parse(JSON.stringify(value) ?? "null"));

  const step = fc.oneof(
    { weight: 150, arbitrary: fc.constantFrom(".a", ".b", ".lines", ".sku", "[0]", "[-1]", "[*]", ".*", "['a']") },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "..a",
        "[?length(@.a) > 1]",
        "[?match(@.a, '(a+)+b')]",
        "[?@.a && @.b && @.sku]",
        "[?@.__proto__]",
        "[?@.a == 99999999999999999999]",
        "[0:1]",
        "['a','b']",
        ".__proto__",
        ".",
        "[",
        "[99999999999999999999]",
      ),
    },
  );
  /** Conditions as a filter may have them, nested, over all the names of a payload. */
  const condition = fc.letrec<{ node: string }>((tie) => {
    const query = fc
      .tuple(
        fc.constantFrom("@", "@", "@", "$"),
        fc.array(fc.constantFrom(".a", ".b", ".sku", "[0]", "['a']"), { maxLength: 2 }),
      )
      .map(([root, steps]) => root + steps.join(""));
    const literal = fc.constantFrom("1", "-2.5", "'OPEN'", "''", "true", "null", "1e3");
    const side = fc.oneof(query, literal);
    return {
      node: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        query,
        fc.tuple(side, fc.constantFrom("==", "!=", "<", "<=", ">", ">="), side).map((all) => all.join("")),
        fc.tuple(tie("node"), fc.constantFrom("&&", "||"), tie("node")).map(([a, sign, b]) => `(${a}) ${sign} (${b})`),
        tie("node").map((a) => `!(${a})`),
        tie("node").map((a) => `@.lines[?${a}]`),
      ),
    };
  }).node;
  const filter = condition.map((one) => `[?(${one})]`);
  const path = fc
    .array(fc.oneof({ weight: 4, arbitrary: step }, { weight: 1, arbitrary: filter }), { maxLength: 4 })
    .map((steps) => `$${steps.join("")}`);

  const atom = fc.constantFrom(
    ..."found found.a found[0] source source.a source.b source.a.b source['a']".split(" "),
    ..."source.lines[0] source[source.a] source.a[:2]".split(" "),
    ..."1 0 2.5 1e30 'a' '' None True False [1,2]".split(" "),
  );
  const hostile = fc.constantFrom(
    "__import__('os')",
    "source.__class__",
    "lambda: 1",
    "eval",
    "9**9",
    "this",
    "(",
    "x",
    "source.a()",
    "'a'*99999999",
  );
  const expression = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      { weight: 150, arbitrary: atom },
      {
        weight: 150,
        arbitrary: fc
          .tuple(
            tie("node"),
            fc.constantFrom(
              "+",
              "-",
              "*",
              "/",
              "//",
              "%",
              "==",
              "!=",
              "<",
              "<=",
              ">",
              ">=",
              "in",
              "not in",
              "is",
              "and",
              "or",
            ),
            tie("node"),
          )
          .map(([a, op, b]) => `(${a} ${op} ${b})`),
      },
      {
        weight: 50,
        arbitrary: fc
          .tuple(
            fc.constantFrom("int", "float", "str", "len", "abs", "min", "max", "round"),
            fc.oneof({ weight: 20, arbitrary: fc.tuple(tie("node")) }, fc.tuple(tie("node"), tie("node"))),
          )
          .map(([name, values]) => `${name}(${values.join(", ")})`),
      },
      {
        weight: 30,
        arbitrary: fc.tuple(tie("node"), tie("node"), tie("node")).map(([a, b, c]) => `(${a} if ${b} else ${c})`),
      },
      { weight: 1, arbitrary: tie("node").map((a) => `not -${a}`) },
      { weight: 1, arbitrary: fc.oneof(hostile, fc.string({ maxLength: 12 })) },
    ),
  })).node;

  const field = (known: string[]) =>
    fc.record(
      {
        canonical: fc.oneof(
          { weight: 150, arbitrary: fc.constantFrom(...known) },
          { weight: 1, arbitrary: fc.constantFrom("nothing", "so_id", "__proto__") },
        ),
        type: fc.constantFrom("string", "integer", "decimal", "boolean", "uuid", "iso_timestamp"),
        source_path: path,
        required: fc.boolean(),
        default: fc.oneof({ weight: 20, arbitrary: decimal }, scalar),
        derived: fc.record(
          { expression, paths: path.map((found) => ({ found })), when_present: path },
          { requiredKeys: ["expression", "paths"] },
        ),
        empty_as_null: fc.boolean(),
        cross_system_lookup: fc.constant({ source_type: "item" }),
      },
      { requiredKeys: ["canonical", "type", "source_path"] },
    );
  const unique = (known: string[]) => fc.uniqueArray(field(known), { maxLength: 4, selector: (f) => f.canonical });
  const lineBlock = unique(["line_number", "unit_cost"]).map((fields) => ({
    source_path: "$.lines",
    canonical_path: "lines",
    fields: [
      { canonical: "item_id", type: "uuid", source_path: "$.sku", cross_system_lookup: { source_type: "item" } },
      { canonical: "quantity_ordered", type: "integer", source_path: "$.a" },
      ...fields,
    ],
  }));
  const document = fc
    .record({
      orders: unique(Object.keys(columns.purchase_orders)),
      line_items: fc.option(lineBlock, { nil: undefined }),
      items: unique(Object.keys(columns.items)),
      odd: fc.oneof(
        { weight: 20, arbitrary: fc.constant(undefined) },
        fc.record({ key: fc.constantFrom("extra", "resources", "__proto__"), value: scalar }),
      ),
    })
    .map(({ orders, line_items, items, odd }) => {
      const whole = documentWith({
        purchase_orders: { canonical_type: "purchase_order", fields: orders, ...(line_items && { line_items }) },
        items: { canonical_type: "item", fields: items },
      });
      return odd ? { ...whole, [odd.key]: odd.value } : whole;
    });

  const compile = (raw: unknown): MappingDocument | undefined => {
    const compiled = inTime(() => compileDocument(raw, { path: "shop.json", sha256: "" }));
    if (!Array.isArray(compiled)) return compiled;
    assert.ok(compiled.length > 0);
    for (const fault of compiled) assert.match(fault, /^shop\.json, ./);
    return undefined;
  };

  it(`are refused or applied, and their results fit the columns or are refused, always by name (seed ${SEED})`, () => {
    let compiled = 0;
    let applied = 0;
    check(fc.tuple(document, payload), ([raw, payload]) => {
      const document = compile(raw);
      if (!document) return;
      compiled++;
      for (const resource of resources) {
        const its: ResourceMapping | undefined = document.resources[resource];
        if (!its) continue;
        const mapped: Mapped | undefined = bounded(() => applyMapping(its, payload));
        if (!mapped) continue;
        applied++;
        assert.deepEqual(Object.keys(mapped.values).sort(), its.fields.map((f) => f.canonical).sort());
        const { values, faults } = fitInto(columns[resource], mapped.values);
        for (const fault of faults) assert.match(fault, /^[a-z_]+: ./);
        for (const [name, value] of Object.entries(values)) {
          assert.ok(Object.hasOwn(columns[resource], name));
          assert.notEqual(typeof value, "undefined");
        }
        assert.doesNotThrow(() => JSON.stringify(mapped));
      }
    });
    // The generators are of use: a good part of both is sound.
    assert.ok(compiled > RUNS / 2, `${compiled} documents were sound`);
    assert.ok(applied > RUNS / 3, `${applied} were applied`);
  });

  it("that are nothing like a document are refused", () =>
    check(fc.anything({ withNullPrototype: true, withSparseArray: true }), (raw) =>
      assert.equal(compile(raw), undefined),
    ));

  it("leave the language's own objects alone", () => {
    assert.deepEqual(Object.keys(Object.prototype), []);
    assert.equal(({} as Record<string, unknown>).a, undefined);
  });

  it("read any text as an expression, or refuse it by name", () =>
    check(
      fc.oneof(
        expression,
        fc.string({ maxLength: 200 }),
        fc.string({ unit: fc.constantFrom(..."()[].,:+-*/%<>=!'\"\\ 019aeinotrsu_"), maxLength: 80 }),
      ),
      (text) => {
        try {
          readExpression(
            text,
            new Map([["found", readPath("$.lines[?@.a]")]]),
          )({ source: { a: 1, b: "x", lines: [{}] }, spend: budget(100_000), skipsBlank: true });
        } catch (error) {
          assert.ok(error instanceof Fault, String((error as Error)?.stack));
        }
      },
    ));

  it("keep every decimal exactly", () => {
    const order = mapping("sales_orders", {
      fields: [{ canonical: "order_total", type: "decimal", source_path: "$.v" }],
    });
    check(decimal, (text) => {
      const value = applyMapping(order, { v: text }).values.order_total as string;
      assert.match(value, /^-?(0|[1-9]\d*)(\.\d*[1-9])?$/);
      assert.ok(new Decimal(value).eq(text) || new Decimal(text).sd() > 38, `${text} became ${value}`);
      assert.equal(normal(text), value);
    });
  });

  it("hold decimals to exactly their bounds", () => {
    check(
      fc.tuple(decimal, fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 6 })),
      ([text, digits, places]) => {
        fc.pre(places <= digits);
        const order = mapping("sales_orders", {
          fields: [
            {
              canonical: "order_total",
              type: "decimal",
              source_path: "$.v",
              max_digits: digits,
              decimal_places: places,
            },
          ],
        });
        const [whole = "", behind = ""] = normal(text).replace("-", "").split(".");
        const fits = behind.length <= places && (whole === "0" ? 0 : whole.length) + places <= digits;
        assert.equal(bounded(() => applyMapping(order, { v: text })) !== undefined, fits, text);
      },
    );
  });

  it("count in expressions as on paper", () => {
    const cents = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });
    const text = (n: bigint) => {
      const all = `${n < 0n ? -n : n}`.padStart(3, "0");
      return normal(`${n < 0n ? "-" : ""}${all.slice(0, -2)}.${all.slice(-2)}`);
    };
    const of = (expression: string, a: bigint, b: bigint) =>
      String(
        written(
          readExpression(expression)({ source: { a: text(a), b: text(b) }, spend: budget(1_000), skipsBlank: false }),
        ),
      );
    const floor = (a: bigint, b: bigint) => a / b - (a % b !== 0n && a < 0n !== b < 0n ? 1n : 0n);
    check(fc.tuple(cents, cents), ([a, b]) => {
      assert.equal(of("float(source.a) + float(source.b)", a, b), text(a + b));
      assert.equal(of("float(source.a) - float(source.b)", a, b), text(a - b));
      if (b === 0n) return;
      assert.equal(of("float(source.a) // float(source.b)", a, b), `${floor(a, b)}`);
      assert.equal(of("float(source.a) % float(source.b)", a, b), text(a - b * floor(a, b)));
    });
  });
});

/** A decimal text without what means nothing: zeros in front, zeros at the end, the sign of nothing. */
function normal(text: string): string {
  const [, sign = "", whole = "", places = ""] = /^(-?)0*(\d+?)(?:\.(\d*?)0*)?$/.exec(text) ?? [];
  const number = whole + (places && `.${places}`);
  return number === "0" ? number : sign + number;
}
