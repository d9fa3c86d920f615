import type { z } from "zod";
import { db, type Sql } from "../../platform/db/db.js";
import { builder } from "../../platform/db/list.js";
import { type ListSlice, listSlice } from "../../platform/db/listing.js";
import { Channel, ParkedItem, type ParkedQuery, parkedList } from "./shapes.js";

/** A channel without its figures, and never with its secrets. */
export const ChannelSettings = Channel.omit({
  item_count: true,
  dirty_count: true,
  dlq_count: true,
  failures: true,
  retry_at: true,
  last_error: true,
  last_published_at: true,
});
export type ChannelSettings = z.infer<typeof ChannelSettings>;
export type ChannelPauseReason = NonNullable<Channel["pause_reason"]>;

/** The columns of `channels c` that make a channel. */
export const CHANNEL = `c.channel_id, c.display_name, c.delivery_url, c.sku_scope, c.transform, c.status,
  c.pause_reason, c.rate_limit_per_second, c.batch_size, c.debounce_seconds, c.pending_ceiling, c.dlq_ceiling,
  c.created_at, c.updated_at`;

/**
 * The channels `c` that a user may see and change: those with stock of the user's warehouses only. A channel's scope
 * without warehouses is of all. $1 is null for all warehouses.
 */
export const CHANNEL_WITHIN = "($1::int[] is null or c.sku_scope->'warehouse_ids' <@ to_jsonb($1::int[]))";

/** All channels that the user may see, or one of them, newest first; not paged, revoked ones too. */
export const channels = (
  sql: Sql,
  warehouseIds: number[] | null,
  channelId: string | null = null,
): Promise<Channel[]> =>
  sql.rows(
    Channel,
    `select ${CHANNEL}, items.*, c.failures, c.retry_at, c.last_error, c.last_published_at
     from channels c cross join lateral (
       select (count(*) filter (where in_scope))::int as item_count,
              (count(*) filter (where due_at is not null))::int as dirty_count,
              (count(*) filter (where parked))::int as dlq_count
       from channel_items i where i.channel_id = c.channel_id) items
     where ${CHANNEL_WITHIN} and ($2::text is null or c.channel_id = $2)
     order by c.created_at desc, c.channel_id`,
    [warehouseIds, channelId],
  );

/** The dead-letter list of a channel: a page, and how long it is; undefined when the user may see no such channel. */
export async function parkedItems(warehouseIds: number[] | null, channel_id: string, filters: ParkedQuery) {
  const found = await db.row({}, `select from channels c where ${CHANNEL_WITHIN} and c.channel_id = $2`, [
    warehouseIds,
    channel_id,
  ]);
  if (!found) return undefined;
  const query = builder("channel_items")
    .select("item_id", "sku", { available_qty: "available", attempt_count: "attempts" }, "last_error")
    .where({ channel_id })
    .whereRaw("parked")
    .orderBy(["item_id", "sku"]);
  return listSlice(ParkedItem, query, filters, parkedList, ({ records, total }: ListSlice<ParkedItem>) => ({
    parked: records,
    total,
  }));
}
