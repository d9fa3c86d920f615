import { z } from "zod";

/** The types of environment variables. */

/** The name of the variable and its description in the documentation. */
export const env = (name: string, description: string) => ({ env: name, description });

export const wholeNumber = (least: number, most = 1_000_000) =>
  z.coerce
    .number(`a whole number from ${least} to ${most}`)
    .refine((n) => Number.isInteger(n) && n >= least && n <= most, `a whole number from ${least} to ${most}`);

export const flag = z.stringbool({ truthy: ["true", "1", "yes"], falsy: ["false", "0", "no"], error: "true or false" });
