import { db } from "../db.js";

/** Which events a group is for; what is not said is not narrowed. */
export interface Subscription {
  event_types?: string[] | undefined;
  warehouse_ids?: number[] | undefined;
}

/** A reader of events that the service keeps the place of. */
export interface ConsumerGroup {
  consumer_group_id: string;
  connector_id: string;
  /** The newest event that it has acknowledged. */
  last_cursor: number;
  last_heartbeat: string | null;
  subscription: Subscription;
  created_at: string;
  updated_at: string;
}

export const GROUP = `consumer_group_id, connector_id, last_cursor, last_heartbeat, subscription, created_at, updated_at`;

/** Which groups somebody may see and change: those that are not for a warehouse of others. A null is for all. */
export const WITHIN =
  "($1::int[] is null or coalesce(subscription -> 'warehouse_ids', '[]') <@ to_jsonb($1::int[]))";

/** The consumer groups that the keeper may see, by id; not paged (reference 04 §2). */
export function consumerGroups(
  warehouseIds: number[] | null,
): Promise<ConsumerGroup[]> {
  return db.rows<ConsumerGroup>(
    `select ${GROUP} from consumer_groups where ${WITHIN} order by consumer_group_id`,
    [warehouseIds],
  );
}
