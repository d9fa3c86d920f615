/** The parts of JSON Schema that an example is made from. */
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

const formats: Record<string, string> = {
  "date-time": "2026-05-06T12:00:00.000Z",
  date: "2026-05-06",
  uuid: "3f2b6c1e-9a4d-4c58-8f0e-5d7a1b2c3d4e",
  email: "ann@example.com",
  uri: "https://example.com/",
};

/** A value that fits a schema without references: its own example, else one made from its parts. */
export function exampleOf(schema: JsonSchema): unknown {
  if (schema.examples) return schema.examples[0];
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if ("default" in schema) return schema.default;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return exampleOf(choices.find((choice) => choice.type !== "null") ?? { type: "null" });
  switch ([schema.type].flat().find((type) => type !== "null")) {
    case "object": {
      const { properties, additionalProperties: other } = schema;
      const fields = properties ?? (typeof other === "object" ? { key: other } : {});
      return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, exampleOf(field)]));
    }
    case "array":
      return [exampleOf(schema.items ?? {})];
    case "string":
      return formats[schema.format ?? ""] ?? "text";
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return true;
    default:
      return null;
  }
}
