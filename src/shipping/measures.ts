import { z } from "zod";

/** Sizes in inches, to a hundredth, weights in pounds, to a ten-thousandth, and costs, as they are stored. */

export const Length = z
  .number()
  .nonnegative()
  .max(999)
  .meta({ description: "In inches, to a hundredth.", examples: [12.5] });
export const ParcelWeight = z
  .number()
  .nonnegative()
  .max(99_999)
  .meta({ description: "In pounds, to a ten-thousandth.", examples: [4.25] });

export const CostMinor = z
  .int()
  .nonnegative()
  .max(2_147_483_647)
  .meta({ description: "In the smallest unit of the currency, as cents.", examples: [1295] });
export const Currency = z
  .string()
  .regex(/^[A-Z]{3}$/, "Expected three capitals, as EUR")
  .meta({ description: "Currency of the cost, by its ISO 4217 code.", examples: ["EUR"] });

/** What a pound is in grams, exactly. */
export const GRAMS_PER_POUND = "453.59237";
