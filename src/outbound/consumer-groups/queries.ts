import { db } from "../../platform/db/db.js";
import { ConsumerGroup } from "./shapes.js";

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
