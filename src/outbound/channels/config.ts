import { z } from "zod";
import { Id } from "../../platform/fields.js";
import { unique } from "../../platform/values.js";

/** Which items a channel is told of, and how they are written for it (docs/interface.md, Channels). */

const MAX_SKUS = 10_000;
const MAX_VALUES = 1_000;
const MAX_CONSTANTS = 50;

/** The fields are in the order of Postgres's jsonb. An empty list stands for everything, as one that is left out. */
export const SkuScope = z
  .strictObject({
    skus: z
      .array(z.string().min(1).max(128))
      .max(MAX_SKUS)
      .transform(unique)
      .describe("These items; one that is made later belongs to it, too.")
      .optional(),
    categories: z
      .array(z.string().min(1).max(128))
      .max(MAX_VALUES)
      .transform(unique)
      .describe("The items of these categories.")
      .optional(),
    warehouse_ids: z
      .array(Id)
      .max(MAX_VALUES)
      .transform(unique)
      .describe("The stock of these warehouses is what can be sold.")
      .optional(),
  })
  .transform(
    (scope): Scope => Object.fromEntries(Object.entries(scope).filter(([, values]) => values && values.length > 0)),
  )
  .meta({
    id: "ChannelScope",
    description: "Which items, and the stock of which warehouses; what is not named is not limited.",
    examples: [{ categories: ["Shoes"], warehouse_ids: [1] }],
  });

/** A scope without empty lists. */
export interface Scope {
  skus?: string[];
  categories?: string[];
  warehouse_ids?: number[];
}

/** What is published of an item. */
export const itemFields = ["sku", "available", "version"] as const;

const FieldName = z
  .string()
  .regex(/^[A-Za-z][\w.-]{0,63}$/, "Expected a letter, then up to 63 letters, digits, or _ . -")
  .meta({ examples: ["product_code"] });

/** As Postgres's jsonb sorts keys, so that what was stored equals what was sent. */
const sorted = <T>(values: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(values).sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1)));

export const Transform = z
  .strictObject({
    rename: z
      .strictObject({
        sku: FieldName.describe("Name for the item's SKU."),
        version: FieldName.describe("Name for the version of what is said of the item."),
        available: FieldName.describe("Name for the number of units that can be sold."),
      })
      .partial()
      .describe("Other names for the fields of an item.")
      .meta({ id: "ChannelRenames", description: "Other names for the fields of an item." })
      .optional(),
    constants: z
      .record(FieldName, z.union([z.string().max(256), z.number(), z.boolean(), z.null()]))
      .refine((fields) => Object.keys(fields).length <= MAX_CONSTANTS, `At most ${MAX_CONSTANTS} constants`)
      .transform(sorted)
      .describe("Fields that every item gets beside its own, always with these values.")
      .optional(),
  })
  .refine((transform) => {
    const names = namesIn(transform);
    return new Set(names).size === names.length;
  }, "Two fields of an item would have the same name")
  .meta({
    id: "ChannelTransform",
    description: "How an item is written for the channel.",
    examples: [{ rename: { available: "qty" }, constants: { location: "EU" } }],
  });
export interface Transform {
  rename?: { [F in (typeof itemFields)[number]]?: string | undefined } | undefined;
  constants?: Record<string, string | number | boolean | null> | undefined;
}

const namesIn = ({ rename, constants }: Transform): string[] => [
  ...itemFields.map((field) => rename?.[field] ?? field),
  ...Object.keys(constants ?? {}),
];
/** What is published of an item, as the channel wants it. */
export function transformed(
  item: Record<(typeof itemFields)[number], string | number>,
  { rename, constants }: Transform,
): Record<string, unknown> {
  const own = itemFields.map((field) => [rename?.[field] ?? field, item[field]]);
  return { ...constants, ...Object.fromEntries(own) };
}

export interface ChannelConfig {
  scope: Scope;
  transform: Transform;
}

/** The configuration as it is stored; undefined when it is malformed, and nothing may be published. */
export function parseConfig(stored: { sku_scope: unknown; transform: unknown }): ChannelConfig | undefined {
  const [scope, transform] = [SkuScope.safeParse(stored.sku_scope), Transform.safeParse(stored.transform)];
  return scope.success && transform.success ? { scope: scope.data, transform: transform.data } : undefined;
}
