import { z } from "zod";
import { exact } from "./decimals.js";
import { Fault } from "./fault.js";

const types = ["string", "integer", "decimal", "boolean", "uuid", "iso_timestamp", "enum"] as const;

/** A schema whose value is compiled by `read`; a Fault becomes an issue. */
export const compiled = <I, T>(schema: z.ZodType<I>, read: (given: I) => T) =>
  schema.transform((given, context): T => {
    try {
      return read(given);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      context.addIssue({ code: "custom", message: error.message });
      return z.NEVER;
    }
  });

const Bound = compiled(z.union([z.number(), z.string().max(100).describe("A numeral")]), exact);

/** The fields of a FieldMapping (schema.ts) that check values. */
export const rules = {
  type: z.enum(types),
  enum_values: z.array(z.string().max(256)).min(1).max(500).optional(),
  max_digits: z.int().min(1).max(38).optional(),
  decimal_places: z.int().min(0).max(30).optional(),
  ge: Bound.optional(),
  le: Bound.optional(),
};
export type Rules = z.output<z.ZodObject<typeof rules>>;
