import { z } from "zod";
import type { Subscription } from "./queries.js";

const Stored: z.ZodType<Subscription> = z.strictObject({
  event_types: z.array(z.string()).min(1).optional(),
  warehouse_ids: z.array(z.int()).min(1).optional(),
});

/** A group's subscription as it is stored; undefined when it is none, because somebody wrote it by hand. */
export const parseSubscription = (stored: unknown): Subscription | undefined =>
  Stored.safeParse(stored).data;
