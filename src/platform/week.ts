import { z } from "zod";

/** Days of the week and times of the day at which something happens, by the clock of a warehouse. */

export const WeekDays = z
  .array(z.int().min(1).max(7))
  .min(1)
  .max(7)
  .meta({ examples: [[1, 2, 3, 4, 5]], description: "Days of the week, 1 for Monday to 7 for Sunday." });
export const ClockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
