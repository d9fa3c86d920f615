import { z } from "zod";

/** Sizes in inches, to a hundredth, and weights in pounds, to a ten-thousandth, as they are stored. */

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
