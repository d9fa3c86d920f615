import type { JsonSchema } from "./example.js";
import { masterDataDescriptions, orderDescriptions, stockDescriptions } from "./field-descriptions.js";
import { integrationDescriptions, systemDescriptions } from "./system-field-descriptions.js";

/** What a field means, by its name: for properties and parameters without a description of their own. */
const descriptions: Record<string, string> = {
  ...masterDataDescriptions,
  ...stockDescriptions,
  ...orderDescriptions,
  ...integrationDescriptions,
  ...systemDescriptions,
};

const addressParts: Record<string, string> = { line1: "first line", line2: "second line" };

/** The description of a field of this name, if names like it are known. */
export function descriptionOf(name: string): string | undefined {
  if (Object.hasOwn(descriptions, name)) return descriptions[name];
  const external = /^(.+?)_external_id$/.exec(name);
  if (external) return `Id of the ${external[1]?.replaceAll("_", " ")} in its source system, else our UUID.`;
  const [, kind, part = ""] = /^(billing|shipping)_address_(.+)$/.exec(name) ?? [];
  if (kind) return `The ${addressParts[part] ?? part.replaceAll("_", " ")} of the ${kind} address.`;
  return undefined;
}

/** The schema with descriptions at all properties within, as far as their names are known. */
export function describeProperties(schema: JsonSchema): JsonSchema {
  const inside = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inside);
    if (typeof value !== "object" || value === null) return value;
    return describeProperties(value as JsonSchema);
  };
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (keyword === "examples" || keyword === "enum" || keyword === "const" || keyword === "default")
      return [keyword, value];
    if (keyword !== "properties") return [keyword, inside(value)];
    const properties = Object.entries(value as Record<string, JsonSchema>).map(([name, property]) => {
      const description = property.description ?? descriptionOf(name);
      // A reference is described by what it refers to.
      return [name, { ...describeProperties(property), ...(description && !property.$ref && { description }) }];
    });
    return [keyword, Object.fromEntries(properties)];
  });
  return Object.fromEntries(entries);
}
