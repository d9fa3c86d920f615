import type { Sql } from "../../db/db.js";
import type { Channel, ParkedItem } from "./shapes.js";

/** A channel without its figures, and never with its secrets. */
export type ChannelSettings = Omit<
  Channel,
  "item_count" | "dirty_count" | "dlq_count" | "failures" | "retry_at" | "last_error" | "last_published_at"
>;
export type ChannelPauseReason = NonNullable<Channel["pause_reason"]>;

/** The columns of `channels c` that make a channel. */
export const CHANNEL = `c.channel_id, c.display_name, c.delivery_url, c.sku_scope, c.transform, c.status,
  c.pause_reason, c.rate_limit_per_second, c.batch_size, c.debounce_seconds, c.pending_ceiling, c.dlq_ceiling,
  c.created_at, c.updated_at`;

/**
 * The channels `c` that a user may see and change: those with stock of the user's warehouses only. A scope without
 * warehouses is of all. $1 is null for all warehouses.
 */
export const CHANNEL_WITHIN = "($1::int[] is null or c.sku_scope->'warehouse_ids' <@ to_jsonb($1::int[]))";

/** All channels that the user may see, or one of them, newest first; not paged, revoked ones too. */
export const channels = (sql: Sql, scope: number[] | null, channelId: string | null = null): Promise<Channel[]> =>
  sql.rows<Channel>(
    `select ${CHANNEL}, items.*, c.failures, c.retry_at, c.last_error, c.last_published_at
     from channels c cross join lateral (
       select (count(*) filter (where in_scope))::int as item_count,
              (count(*) filter (where due_at is not null))::int as dirty_count,
              (count(*) filter (where parked))::int as dlq_count
       from channel_items i where i.channel_id = c.channel_id) items
     where ${CHANNEL_WITHIN} and ($2::text is null or c.channel_id = $2)
     order by c.created_at desc, c.channel_id`,
    [scope, channelId],
  );

/** The dead-letter list of a channel: a page, and how long it is; undefined when the user may see no such channel. */
export async function parkedItems(
  sql: Sql,
  scope: number[] | null,
  channelId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ parked: ParkedItem[]; total: number } | undefined> {
  const [found, parked] = await Promise.all([
    sql.row<{ total: number }>(
      `select (select count(*) from channel_items i where i.channel_id = c.channel_id and parked)::int as total
       from channels c where ${CHANNEL_WITHIN} and c.channel_id = $2`,
      [scope, channelId],
    ),
    sql.rows<ParkedItem>(
      `select item_id, sku, available as available_qty, attempts as attempt_count, last_error
       from channel_items where channel_id = $1 and parked order by item_id limit $2 offset $3`,
      [channelId, limit, offset],
    ),
  ]);
  return found && { parked, total: found.total };
}
