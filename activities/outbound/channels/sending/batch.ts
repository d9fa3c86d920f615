import { createHash } from "node:crypto";
import { z } from "zod";
import type { EncryptionKeys } from "../../../../src/auth/sealed.js";
import { parseConfig, type Transform, transformed } from "../../../../src/outbound/channels/config.js";
import { channelSecretOwner } from "../../../../src/outbound/secrets.js";
import { bodyOf, headersOf } from "../../../../src/outbound/wire/message.js";
import { arrayOf, bool, int, json, text, time } from "../../../../src/platform/db/columns.js";
import { db } from "../../../../src/platform/db/db.js";
import { channelReceivers, pauseMalformedConfig, SealedSecret, unsealed, validSecrets } from "../../receivers.js";

/** Where and how a channel is sent to, valid as long as the channel is unchanged. */
export interface ChannelDestination {
  channel_id: string;
  /** The channel's `updated_at`. */
  version: string;
  url: string;
  transform: Transform;
  perSecond: number;
  batchSize: number;
  secrets: { generation: 1 | 2; secret: string }[];
}

const Row = z.strictObject({
  status: z.enum(["active", "paused", "revoked"]),
  delivery_url: text,
  sku_scope: json,
  transform: json,
  rate_limit_per_second: int,
  batch_size: int,
  updated_at: time,
  secrets: arrayOf(SealedSecret),
});

/** Reads the destination; undefined when nothing is sent. A malformed configuration pauses the channel. */
export async function channelDestination(
  channelId: string,
  keys: EncryptionKeys,
): Promise<ChannelDestination | undefined> {
  const row = await db.row(
    Row,
    `select status, delivery_url, sku_scope, transform, rate_limit_per_second, batch_size, updated_at,
            ${validSecrets(channelReceivers)}
     from channels r where channel_id = $1`,
    [channelId],
  );
  if (row?.status !== "active") return undefined;
  const config = parseConfig(row);
  if (!config) {
    await pauseMalformedConfig(channelId, row.updated_at);
    return undefined;
  }
  return {
    channel_id: channelId,
    version: row.updated_at,
    url: row.delivery_url,
    transform: config.transform,
    perSecond: row.rate_limit_per_second,
    batchSize: row.batch_size,
    secrets: unsealed(row.secrets, channelSecretOwner(channelId), keys),
  };
}

/** An item as it is to be sent. */
export const DueItem = z.strictObject({ sku: text, available: int, version: int });
export type DueItem = z.infer<typeof DueItem>;

export const Due = z.strictObject({
  /** Whether the channel is active and unchanged since its destination was read; otherwise there are no items. */
  current: bool,
  items: arrayOf(DueItem),
  /** Until something else is due; null when nothing is. */
  wait_ms: int.nullable(),
});
export type Due = z.infer<typeof Due>;

/**
 * The items that are to be sent next, those that wait longest first. Items that failed before are sent by themselves,
 * half as many after each attempt, so that in the end one that the channel never takes does not keep others from it.
 * What an item was called before is told first: a shop may not tell the two apart, as in another case.
 */
export const dueItems = async ({ channel_id, version, batchSize }: ChannelDestination): Promise<Due> =>
  (await db.row(Due, DUE, [channel_id, version, batchSize])) as Due;

const DUE = `
  with c as (
    select channel_id, retry_at from channels where channel_id = $1 and updated_at = $2 and status = 'active'
  ), first as (
    select i.attempts from c join channel_items i using (channel_id)
    where i.due_at <= now() and (c.retry_at is null or c.retry_at <= now()) order by i.due_at, i.item_id limit 1
  ), batch as (
    select due.* from first, lateral (
      select sku, available, version from channel_items i
      where i.channel_id = $1 and i.due_at <= now() and (i.attempts = 0) = (first.attempts = 0)
      order by i.due_at, i.item_id, i.in_scope limit greatest(1, $3::int >> first.attempts)) due
  )
  select exists (select from c) as current,
         (select coalesce(json_agg(batch), '[]') from batch) as items,
         (select ceil(extract(epoch from greatest(retry_at, next.at) - now()) * 1000)::int
          from c, (select min(due_at) as at from channel_items where channel_id = $1 and due_at is not null) next
          where next.at is not null) as wait_ms`;

/**
 * A request to a channel, signed as those to webhooks are (docs/channels.md). Its id follows from its content, so the
 * same one again has the same id.
 */
export function messageOf({ channel_id, transform, secrets }: ChannelDestination, items: DueItem[]) {
  const told = items.map(({ sku, available, version }) => transformed({ sku, available, version }, transform));
  const body = bodyOf({ channel_id, items: told });
  const messageId = `avl_${createHash("sha256").update(body).digest("hex").slice(0, 32)}`;
  const timestamp = Math.floor(Date.now() / 1_000);
  const headers = headersOf({
    ...{ body, messageId, timestamp, secrets },
    eventId: messageId,
    eventType: "channel.availability",
  });
  return { body, headers };
}
