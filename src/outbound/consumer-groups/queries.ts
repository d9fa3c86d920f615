import { z } from "zod";
import { db } from "../../platform/db/db.js";
import { ConsumerGroup, type Subscription } from "./shapes.js";

export const GROUP = `consumer_group_id, connector_id, last_cursor, last_heartbeat, subscription, created_at,
  updated_at`;

/** The groups that a user may see and change: those without warehouses of others. $1 is null for all warehouses. */
export const WITHIN = "($1::int[] is null or coalesce(subscription -> 'warehouse_ids', '[]') <@ to_jsonb($1::int[]))";

/** The consumer groups that the user may see, by id; not paged (docs/interface.md, Consumer groups). */
export function consumerGroups(warehouseIds: number[] | null): Promise<ConsumerGroup[]> {
  return db.rows(ConsumerGroup, `select ${GROUP} from consumer_groups where ${WITHIN} order by consumer_group_id`, [
    warehouseIds,
  ]);
}

const Stored: z.ZodType<Subscription> = z.strictObject({
  event_types: z.array(z.string()).min(1).optional(),
  warehouse_ids: z.array(z.int()).min(1).optional(),
});

/** Parses a stored subscription; undefined when it is invalid, as one that was written by hand may be. */
export const parseSubscription = (stored: unknown): Subscription | undefined => Stored.safeParse(stored).data;
