import { pascalCase, ref } from "./components.js";
import type { JsonSchema } from "./example.js";

type Schemas = Record<string, JsonSchema>;
type Field = { name: string; schema: JsonSchema; uses: number };

/**
 * Fields that are equal in several records become schemas of their own, such as `SoId`. Of fields with one name, that
 * of answers is `Notes`, one that a request takes differently is `NotesInput`, and one that may be null is
 * `NotesOrNull`.
 */
export function fieldSchemas<D extends object>({ document, schemas }: { document: D; schemas: Schemas }) {
  const fields = new Map<string, Field>();
  eachProperty({ document, schemas }, (name, schema) => {
    if (!isPlain(schema)) return schema;
    const key = keyOf(name, schema);
    const known = fields.get(key) ?? { name, schema, uses: 0 };
    fields.set(key, { ...known, uses: known.uses + 1 });
    return schema;
  });
  const hasOtherWords = (name: string, { enum: words }: JsonSchema) =>
    words !== undefined &&
    [...fields.values()].some((other) => other.name === name && String(other.schema.enum) !== String(words));
  const shared: Schemas = {};
  const names = new Map<string, string>();
  for (const [key, { name, schema, uses }] of [...fields].sort(([, a], [, b]) => b.uses - a.uses)) {
    const candidates = [nameOf(name, schema, ""), ...(isLimited(schema) ? [nameOf(name, schema, "Input")] : [])];
    const named = candidates.find((candidate) => !(candidate in schemas) && !(candidate in shared));
    if (uses === 1 || hasOtherWords(name, schema) || !named || !shorter(named, schema, uses)) continue;
    shared[named] = schema;
    names.set(key, named);
  }
  const replaced = eachProperty({ document, schemas }, (name, schema) => {
    const named = isPlain(schema) && names.get(keyOf(name, schema));
    return named ? ref("schemas", named) : schema;
  });
  const all = Object.entries({ ...replaced.schemas, ...shared }).sort(([a], [b]) => (a < b ? -1 : 1));
  return { document: replaced.document, schemas: Object.fromEntries(all) as Schemas };
}

const keyOf = (name: string, schema: JsonSchema) => `${name} ${JSON.stringify(schema)}`;

const nameOf = (name: string, { type }: JsonSchema, direction: string) =>
  `${pascalCase(name)}${direction}${[type].flat().includes("null") ? "OrNull" : ""}`;

const isLimited = (schema: JsonSchema) =>
  /"(default|pattern|m(in|ax)(Length|Items|imum)|exclusiveMinimum)":/.test(JSON.stringify(schema));

/** Whether it is a value, or a list of values, without records in it, and not constant. */
const isPlain = (schema: JsonSchema) =>
  !/"(\$ref|properties|additionalProperties|const)":/.test(JSON.stringify(schema));

/** Whether the document becomes shorter when all uses refer to the name. */
function shorter(name: string, schema: JsonSchema, uses: number): boolean {
  const own = JSON.stringify(schema).length;
  const reference = JSON.stringify(ref("schemas", name)).length;
  return uses * own > uses * reference + own + name.length + 4;
}

/** The value with each property of its schemas replaced. */
function eachProperty<V>(value: V, replace: (name: string, schema: JsonSchema) => JsonSchema): V {
  const inside = (entry: unknown): unknown => {
    if (Array.isArray(entry)) return entry.map(inside);
    if (typeof entry !== "object" || entry === null) return entry;
    const entries = Object.entries(entry).map(([key, part]) => {
      if (key === "examples" || key === "enum" || key === "const" || key === "default") return [key, part];
      if (key !== "properties") return [key, inside(part)];
      const properties = Object.entries(part as Schemas).map(([name, schema]) => {
        const replaced = replace(name, schema);
        return [name, replaced === schema ? inside(schema) : replaced];
      });
      return [key, Object.fromEntries(properties)];
    });
    return Object.fromEntries(entries);
  };
  return inside(value) as V;
}
