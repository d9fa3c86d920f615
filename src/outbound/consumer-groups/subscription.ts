import { z } from "zod";
import type { Subscription } from "./shapes.js";

const Stored: z.ZodType<Subscription> = z.strictObject({
  event_types: z.array(z.string()).min(1).optional(),
  warehouse_ids: z.array(z.int()).min(1).optional(),
});

/** Parses a stored subscription; undefined when it is invalid, as one that was written by hand may be. */
export const parseSubscription = (stored: unknown): Subscription | undefined => Stored.safeParse(stored).data;
