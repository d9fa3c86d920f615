import fc from "fast-check";
import type { JsonSchema } from "../../../api/openapi/example.js";
import { meaningOf } from "../matrix/id-names.js";

/** Stands for something that is there when the request is sent: of a kind, the n-th that is known. */
export class Known {
  constructor(
    readonly what: string,
    readonly n: number,
    readonly whole = false,
  ) {}
}

/** A copy of a value, with something in the places of what is known. */
export function resolved(value: unknown, look: (known: Known) => unknown): unknown {
  if (value instanceof Known) return look(value);
  if (Array.isArray(value)) return value.map((entry) => resolved(entry, look));
  if (!value || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, resolved(entry, look)]));
}

const known = (what: string, whole = false) => fc.noBias(fc.nat(10_000)).map((n) => new Known(what, n, whole));

/** What nobody should send, and somebody does. */
export const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    ...["", " ", "\u0000", "\ud800", "x".repeat(3_000), "1e400", "-0", "NaN"],
    ...["0x10", "1.6e1", "+16", " 16", "16.0", "\u00a016", "١٦", "9".repeat(30)],
    ...["2026-02-30", "0000-01-01", "2026-13-45T99:99:99Z", "true", "null"],
    ...[null, true, false, 0, -1, 1e308, 2 ** 53, 0.1, -0, 2_147_483_648],
    ...[2_147_483_647, 2 ** 63, 1e-7, 100_001, 1_000_001],
    ...[[], {}, [[]], [null], [1, 1], { $where: "1" }, { toString: 1 }],
    ...["'; drop table items; --", "%", "_", "\\", "%_\\", "{{7*7}}"],
    ...["__proto__", "constructor", "../../etc/passwd", "\u202e", "😀", "ß\u0301"],
    ...["https://user:password@127.0.0.1/", "javascript:alert(1)", "//x", "a\r\nb"],
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ maxLength: 300, unit: "binary" }),
  fc.maxSafeInteger(),
);

const moments = fc.oneof(
  fc
    .tuple(
      fc.date({ min: new Date("2024-01-01"), max: new Date("2028-01-01"), noInvalidDate: true }),
      fc.constantFrom("Z", "+00:00", "+05:30", "-12:00", "+14:00", "+16:00", "-23:59"),
    )
    .map(([at, zone]) => at.toISOString().replace("Z", zone)),
  fc.constantFrom(
    ...["1970-01-01T00:00:00Z", "9998-12-31T23:59:59.999999Z", "0000-01-01T00:00:00Z"],
    ...["9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+14:00", "2026-06-30T23:59:60Z"],
  ),
);
const days = fc
  .date({ min: new Date("2026-11-01"), max: new Date("2026-12-31"), noInvalidDate: true })
  .map((at) => at.toISOString().slice(0, 10));

/** What a row of a file, or a record of another system, may hold. */
const columns = {
  ...{ sku: known("sku"), item_name: fc.string(), name: fc.string() },
  ...{ upc: fc.string(), weight_lbs: fc.float({ noNaN: true }) },
  ...{ bin: known("code"), bin_code: known("code"), default_bin: known("code") },
  ...{ zone_id: known("zone"), zone: fc.string(), bin_type: fc.string() },
  ...{ warehouse_id: known("warehouse"), warehouse: fc.string() },
  ...{ po_number: fc.string(), so_number: fc.string(), vendor: fc.string() },
  ...{ customer: fc.string(), customer_name: fc.string(), memo: fc.string() },
  ...{ quantity: fc.integer(), qty: fc.integer({ min: -50, max: 50 }) },
  ...{ expected_date: days, order_date: days, status: fc.string() },
  ...{ vendor_name: fc.string(), email: fc.string(), is_active: fc.boolean(), notes: fc.string() },
  ...{ order_total: fc.float({ noNaN: true }), reorder_point: fc.integer() },
  lines: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    fc.array(fc.record({ item_id: fc.string(), quantity_ordered: fc.nat(9) }), { maxLength: 3 }),
  ),
  ...{ item_external_id: known("item_id"), target_quantity: fc.nat(50) },
  reason_code: fc.constant("RECOUNT"),
};
const row: fc.Arbitrary<unknown> = fc.record(
  Object.fromEntries(
    Object.entries(columns).map(([name, value]) => [
      name,
      fc.oneof({ weight: 15, arbitrary: value }, { weight: 1, arbitrary: odd }),
    ]),
  ),
  {
    requiredKeys: [
      ...(["sku", "item_name", "quantity", "warehouse_id", "lines"] as const),
      ...(["customer_name", "vendor_name", "po_number", "so_number"] as const),
    ],
  },
);

const isScalar = ({ type, anyOf, oneOf, enum: words }: JsonSchema): boolean =>
  (!words && [type].flat().some((t) => t === "integer" || t === "string")) || (anyOf ?? oneOf ?? []).some(isScalar);

const isWhole = ({ type, anyOf = [] }: JsonSchema): boolean =>
  type === "integer" || type === "number" || anyOf.some(isWhole);

/** Values that fit the schema, as far as it tells; ids mostly of what is there. */
export function fitting(schema: JsonSchema, place = "body", name = ""): fc.Arbitrary<unknown> {
  const plain = bare(schema, place, name);
  // A name of the wide world would be looked up there.
  if (name === "delivery_url") return fc.webPath().map((path) => `https://93.184.216.34${path}`);
  const what = meaningOf(place, name);
  if (!what || !isScalar(schema)) return plain;
  return fc.oneof({ weight: 9, arbitrary: known(what, isWhole(schema)) }, { weight: 1, arbitrary: plain });
}

function bare(schema: JsonSchema, place: string, name: string): fc.Arbitrary<unknown> {
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((one) => fitting(one, place, name)));
  switch ([schema.type].flat()[0]) {
    case "object":
      return objects(schema);
    case "array":
      return fc.array(fitting(schema.items ?? {}, place, name), {
        minLength: number(schema.minItems, 0),
        maxLength: Math.min(number(schema.maxItems, 4), 4),
      });
    case "string":
      return texts(schema);
    case "integer":
      return fc.oneof(
        { weight: 4, arbitrary: fc.integer(bounds(schema, 12)) },
        { weight: 1, arbitrary: fc.integer(bounds(schema)) },
      );
    case "number":
      return fc.integer(bounds(schema, 100_000)).map((whole) => Math.max(number(schema.minimum, 0), whole / 100));
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return fc.oneof({ weight: 9, arbitrary: row }, odd);
  }
}

const number = (value: unknown, otherwise: number) => (typeof value === "number" ? value : otherwise);

function bounds(schema: JsonSchema, width = 4_294_967_296) {
  const { exclusiveMinimum: above, minimum, maximum } = schema;
  const min = Math.ceil(number(minimum, number(above, -1) + 1));
  const max = Math.min(number(maximum, 2_147_483_647), min + width);
  return { min, max: Math.max(min, max) };
}

function texts(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { format, pattern, examples = [] } = schema;
  if (format === "date-time") return moments;
  if (format === "date") return days;
  if (format === "uuid") return fc.uuid();
  const maxLength = number(schema.maxLength, 40);
  const ownWords = fc.constantFrom(...(examples.length > 0 ? examples : ["a"]));
  if (typeof pattern === "string")
    return fc.oneof(
      ownWords,
      // The longest of them are about times, of which the example says enough.
      pattern.length > 100 ? moments : fc.stringMatching(new RegExp(pattern)),
    );
  return fc.oneof(
    { weight: 1, arbitrary: fc.nat(20).map(String) },
    { weight: 2, arbitrary: ownWords },
    { weight: 1, arbitrary: days },
    {
      weight: 4,
      arbitrary: fc.string({
        minLength: number(schema.minLength, 0),
        maxLength: Math.min(maxLength, 40),
        unit: "grapheme",
      }),
    },
  );
}

function objects(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { properties, additionalProperties: others, required = [] } = schema;
  if (properties)
    return fc.record(
      Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, fitting(field, "body", name)])),
      { requiredKeys: required },
    );
  if (typeof others !== "object" || Object.keys(others).length === 0) return row;
  return fc.dictionary(
    fc.oneof(
      fc.constantFrom("count_show_expected", "require_packing_before_shipping"),
      fc.constantFrom("allow_over_receiving", "warehouse_id", "memo", "x"),
      fc.stringMatching(/^\w{1,20}$/),
    ),
    fc.oneof(fc.constantFrom<unknown>("true", "false", "8"), fitting(others)),
    { maxKeys: 3 },
  );
}
