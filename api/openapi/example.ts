import { fieldExamples } from "./field-examples.js";

/** What of JSON Schema an example is made from. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  examples?: unknown[];
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  required?: string[];
  items?: JsonSchema;
  maxLength?: number;
  pattern?: string;
  description?: string;
  [keyword: string]: unknown;
}

type Resolve = (ref: string) => JsonSchema;

const formats: Record<string, string> = {
  "date-time": "2026-05-06T12:00:00.000Z",
  date: "2026-05-06",
  uuid: "3f2b6c1e-9a4d-4c58-8f0e-5d7a1b2c3d4e",
  email: "ann@example.com",
  uri: "https://example.com/",
};

const unknownReference: Resolve = (ref) => {
  throw new Error(`${ref} cannot be followed here`);
};

/**
 * A value that fits the schema: its own example where it has one, else that of the field's name, else put together
 * from its parts. `resolve` follows its references.
 */
export function exampleOf(schema: JsonSchema, resolve: Resolve = unknownReference, name?: string): unknown {
  if (schema.examples) return schema.examples[0];
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if ("default" in schema) return schema.default;
  if (schema.$ref) return exampleOf(resolve(schema.$ref), resolve, name);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return exampleOf(choices.find((choice) => choice.type !== "null") ?? { type: "null" }, resolve, name);
  switch ([schema.type].flat().find((type) => type !== "null")) {
    case "object": {
      const { properties, additionalProperties: other } = schema;
      const fields = properties ?? (typeof other === "object" ? { key: other } : {});
      return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, exampleOf(field, resolve, key)]));
    }
    case "array":
      return [exampleOf(schema.items ?? {}, resolve, name)];
    case "string":
      return formats[schema.format ?? ""] ?? textExample(schema, name);
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return true;
    default:
      return null;
  }
}

function textExample({ maxLength = Number.POSITIVE_INFINITY, pattern }: JsonSchema, name = ""): string {
  const example = fieldExamples[name];
  const fits = example !== undefined && example.length <= maxLength && (!pattern || new RegExp(pattern).test(example));
  return fits ? example : "text";
}
