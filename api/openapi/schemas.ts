import { z } from "zod";
import { annotate } from "./annotate.js";
import type { JsonSchema } from "./example.js";

type Direction = "input" | "output";

const PREFIX = "#/components/schemas/";
/** Ends the name of a request's variant until `finish` knows whether it differs from the answer's. */
const INPUT_MARK = "~Input";

/**
 * Makes the JSON Schemas (2020-12) of a document from zod schemas. A zod schema with `.meta({ id })` becomes one entry
 * of `components.schemas`, and a `$ref` wherever it is used. Where a request takes something else than an answer gives
 * (defaults, conversions), the request's variant is `<id>Input`.
 */
export class SchemaComponents {
  private readonly named = { input: new Map<string, JsonSchema>(), output: new Map<string, JsonSchema>() };

  /** The schema of a request (`input`) or of an answer (`output`). */
  use(schema: z.ZodType, io: Direction): JsonSchema {
    // As a property, a schema with an id of its own is referred to like any other.
    const { $defs = {}, properties } = z.toJSONSchema(z.object({ root: schema }), {
      io,
      unrepresentable: "any",
      override: ({ zodSchema, jsonSchema }) => simplify(jsonSchema as JsonSchema, zodSchema),
    }) as unknown as { $defs?: Record<string, JsonSchema>; properties: { root: JsonSchema } };
    for (const [id, definition] of Object.entries($defs)) this.add(id, definition, io);
    return this.prepared(properties.root, io);
  }

  /** The `components.schemas`, and the document with each request's references at the right variant. */
  finish<D extends object>(document: D): { document: D; schemas: Record<string, JsonSchema> } {
    const different = this.differentInInput();
    const settle = <V>(value: V): V =>
      JSON.parse(
        JSON.stringify(value).replaceAll(/"#\/components\/schemas\/([\w.-]+)~Input"/g, (_, id: string) =>
          JSON.stringify(PREFIX + (different.has(id) ? `${id}Input` : id)),
        ),
      );
    const { input, output } = this.named;
    const requests = [...input].map(([id, schema]) => [different.has(id) ? `${id}Input` : id, schema] as const);
    const answers = [...output].filter(([id]) => different.has(id) || !input.has(id));
    const schemas = [
      ...requests.map(([name, schema]) => [name, settle(schema)] as const),
      ...answers.map(([name, schema]) => [name, settle(forReading(schema))] as const),
    ];
    schemas.sort(([a], [b]) => (a < b ? -1 : 1));
    return { document: settle(document), schemas: Object.fromEntries(schemas) };
  }

  private add(id: string, definition: JsonSchema, io: Direction): void {
    const { id: _id, $schema: _schema, ...rest } = definition;
    const schema = this.prepared(rest, io);
    const known = this.named[io].get(id);
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`Two schemas have the id ${id}`);
    this.named[io].set(id, schema);
  }

  private prepared(schema: JsonSchema, io: Direction): JsonSchema {
    const mark = io === "input" ? INPUT_MARK : "";
    const text = JSON.stringify(schema).replaceAll(
      /"#\/\$defs\/([\w.-]+)"/g,
      (_, id: string) => `"${PREFIX}${id}${mark}"`,
    );
    return annotate(JSON.parse(text));
  }

  /** The ids whose request and answer differ, in themselves or in what they refer to. */
  private differentInInput(): Set<string> {
    const { input, output } = this.named;
    const different = new Set<string>();
    const text = (schema: JsonSchema) => JSON.stringify(schema).replaceAll(INPUT_MARK, "");
    for (const [id, schema] of input) {
      const answer = output.get(id);
      if (answer && text(schema) !== text(answer)) different.add(id);
    }
    for (let before = -1; before < different.size; ) {
      before = different.size;
      for (const [id, schema] of input) {
        const refers = [...different].some((other) =>
          JSON.stringify(schema).includes(`"${PREFIX}${other}${INPUT_MARK}"`),
        );
        if (refers && output.has(id)) different.add(id);
      }
    }
    return different;
  }
}

/** The schema of an answer, without the limits of integers, which only a sender needs. */
export function forReading(schema: JsonSchema): JsonSchema {
  const isInteger = [schema.type].flat().includes("integer");
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (isInteger && limits.includes(keyword)) return [];
    if (keyword === "properties")
      return [
        [keyword, Object.fromEntries(Object.entries(value as object).map(([name, of]) => [name, forReading(of)]))],
      ];
    if (keyword === "items" || keyword === "additionalProperties")
      return [[keyword, typeof value === "object" ? forReading(value as JsonSchema) : value]];
    return [[keyword, keyword === "anyOf" || keyword === "oneOf" ? (value as JsonSchema[]).map(forReading) : value]];
  });
  return Object.fromEntries(entries);
}

const limits = ["exclusiveMinimum", "minimum", "maximum"];

/** Leaves out keywords that only say that a number is a number. */
function simplify(schema: JsonSchema, zodSchema: unknown): void {
  // Our examples are the values on the wire; zod drops examples where the schema transforms the value.
  const { id: _, ...meta } = z.globalRegistry.get(zodSchema as z.ZodType) ?? {};
  if (!schema.$ref) Object.assign(schema, meta);
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  collapseNullable(schema);
}

/**
 * `anyOf: [{ type: "string", … }, { type: "null" }]` as `type: ["string", "null"], …`; of words and unions, only the
 * description moves to where both choices stand.
 */
function collapseNullable(schema: JsonSchema): void {
  const { anyOf } = schema;
  if (anyOf?.length !== 2 || anyOf[1]?.type !== "null") return;
  const [value] = anyOf as [JsonSchema, JsonSchema];
  if (value.$ref) return;
  if (typeof value.type !== "string" || value.enum || "const" in value) {
    const { description, ...undescribed } = value;
    if (description) Object.assign(schema, { description, ...schema, anyOf: [undescribed, anyOf[1]] });
    return;
  }
  delete schema.anyOf;
  const own = { ...schema };
  Object.assign(schema, value, own, { type: [value.type, "null"] });
}
