import type { JsonSchema } from "./example.js";

/** The schema with examples for the numbers in it that have none, and without keywords that say nothing. */
export function annotate(schema: JsonSchema): JsonSchema {
  const { examples = exampleFor(schema), description, ...rest } = withoutRepetition(schema);
  const entries = Object.entries(rest).map(([keyword, value]) => [keyword, within(keyword, value)]);
  // The keywords in a fixed order, so that equal schemas have equal texts (field-schemas.ts).
  return { ...Object.fromEntries(entries), ...(examples && { examples }), ...(description && { description }) };
}

function within(keyword: string, value: unknown): unknown {
  switch (keyword) {
    case "properties":
      return Object.fromEntries(
        Object.entries(value as Record<string, JsonSchema>).map(([name, schema]) => [name, annotate(schema)]),
      );
    case "items":
    case "additionalProperties":
    case "propertyNames":
    case "anyOf":
    case "oneOf":
    case "allOf":
      if (Array.isArray(value)) return value.map((choice) => annotate(choice));
      return typeof value === "object" ? annotate(value as JsonSchema) : value;
    default:
      return value;
  }
}

function exampleFor(schema: JsonSchema): unknown[] | undefined {
  if (schema.enum || schema.format || "const" in schema || "default" in schema) return undefined;
  const types = [schema.type].flat();
  const isNumber = types.includes("integer") || types.includes("number");
  return isNumber && !types.includes("string") ? [1] : undefined;
}

/** The formats of times, days and UUIDs replace their long patterns, and all property names are texts. */
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
