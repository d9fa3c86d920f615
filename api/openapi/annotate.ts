import { descriptionOf } from "./descriptions.js";
import type { JsonSchema } from "./example.js";
import { numberExamples, textExamples } from "./field-examples.js";

/** The schema with descriptions and examples at the fields within that have none of their own, by their names. */
export function annotate(schema: JsonSchema, name = ""): JsonSchema {
  const { examples = exampleFor(schema, name), ...rest } = withoutRepetition(schema);
  const entries = Object.entries(rest).map(([keyword, value]) => [keyword, within(keyword, value, name)]);
  return { ...Object.fromEntries(entries), ...(examples && { examples }) };
}

function within(keyword: string, value: unknown, name: string): unknown {
  switch (keyword) {
    case "properties":
      return Object.fromEntries(Object.entries(value as Record<string, JsonSchema>).map(property));
    case "items":
    case "additionalProperties":
    case "propertyNames":
    case "anyOf":
    case "oneOf":
    case "allOf":
      if (Array.isArray(value)) return value.map((choice) => annotate(choice, name));
      return typeof value === "object" ? annotate(value as JsonSchema, name) : value;
    default:
      return value;
  }
}

function property([name, schema]: [string, JsonSchema]): [string, JsonSchema] {
  const description = schema.description ?? descriptionOf(name);
  // A reference is described by what it refers to.
  return [name, { ...annotate(schema, name), ...(description && !schema.$ref && { description }) }];
}

function exampleFor(schema: JsonSchema, name: string): unknown[] | undefined {
  if (schema.enum || schema.format || "const" in schema || "default" in schema) return undefined;
  const types = [schema.type].flat();
  if (types.includes("string")) {
    const { maxLength = Number.POSITIVE_INFINITY, pattern } = schema;
    const example = textExamples[name] ?? (name.endsWith("_external_id") ? UUID : undefined);
    const fits = example && example.length <= maxLength && (!pattern || new RegExp(pattern).test(example));
    return fits ? [example] : undefined;
  }
  if (types.includes("integer") || types.includes("number")) return [numberExamples[name] ?? 1];
  return undefined;
}

const UUID = "3f2b6c1e-9a4d-4c58-8f0e-5d7a1b2c3d4e";

/** The formats of times, days and UUIDs say what their long patterns say, and all names of properties are texts. */
function withoutRepetition(schema: JsonSchema): JsonSchema {
  const { pattern, propertyNames, ...rest } = schema;
  const inFormat = ["date", "date-time", "uuid"].includes(rest.format ?? "");
  const anyName = JSON.stringify(propertyNames) === '{"type":"string"}';
  return {
    ...rest,
    ...(pattern !== undefined && !inFormat && { pattern }),
    ...(propertyNames !== undefined && !anyName && { propertyNames }),
  };
}
