import { createHash, randomUUID } from "node:crypto";
import { z } from "zod";
import type { EncryptionKeys } from "../../../src/auth/sealed.js";
import { parseConfig, type Transform, transformed } from "../../../src/outbound/channels/config.js";
import { MAX_ATTEMPTS, retryDelay } from "../../../src/outbound/retry.js";
import { channelSecretOwner } from "../../../src/outbound/secrets.js";
import { bodyOf, headersOf } from "../../../src/outbound/wire/send.js";
import { arrayOf, bool, int, json, text, time } from "../../../src/platform/db/columns.js";
import { db, transaction } from "../../../src/platform/db/db.js";
import { systemActor } from "../../../src/platform/system-actor.js";
import { command } from "../../command.js";
import {
  channelReceivers,
  lockChannel,
  pauseAtCeiling,
  pauseMalformedConfig,
  SealedSecret,
  unsealed,
  validSecrets,
} from "../receivers.js";
import { Attention, type Changes, type Ends } from "../sending/changes.js";
import { Rate, type Sending } from "../sending/wire.js";

/**
 * Tells one channel what is available, one request after the other, so that no older version of an item arrives after a
 * newer one, until it is stopped or the channel is no longer active. Used only under the channel's lock. What a killed
 * one had sent and not stored is sent again.
 */
export async function publish(channelId: string, sending: Sending, news: Changes, ends: Ends): Promise<void> {
  const attention = new Attention(news, channelId, ends);
  let to: ChannelDestination | undefined;
  let rate: Rate | undefined;
  try {
    for (;;) {
      ends.lost.throwIfAborted();
      if (ends.stop.aborted) return;
      if (!to) {
        to = await channelDestination(channelId, sending.config);
        if (!to) return;
        rate ??= new Rate(to.perSecond);
        rate.perSecond = to.perSecond;
      }
      // Before the rows are read: what comes later wakes the wait below.
      attention.changed = false;
      await rate?.available(ends.stop);
      const { current, items, wait_ms } = await dueItems(to);
      if (!current) to = undefined;
      else if (items.length === 0) await attention.wait(wait_ms ?? undefined);
      else {
        rate?.take();
        await tell(to, items, sending, attention);
      }
    }
  } finally {
    attention.end();
  }
}

/** Sends these items, or those that are due instead when the host has a slot, where something has changed by then. */
async function tell(
  to: ChannelDestination,
  due: DueItem[],
  { wire, config }: Sending,
  attention: Attention,
): Promise<void> {
  const { lost } = attention.ends;
  let items = due;
  const message = async () => {
    if (attention.changed) {
      attention.changed = false;
      ({ items } = await dueItems(to));
    }
    return items.length > 0 ? { ...messageOf(to, items), signal: lost } : undefined;
  };
  const outcome = await wire.send(to.url, message, attention.unwanted());
  lost.throwIfAborted();
  if (!outcome) return;
  if (outcome.ok) return storePublished(to.channel_id, items);
  const failure = `${outcome.error_kind}: ${outcome.error_detail}`.slice(0, 512);
  return storeFailed(to.channel_id, items, failure, config.dispatcherRetryDelaysMs);
}

/**
 * Stores that a channel took these items. One that has changed meanwhile waits for its debounce, counted from now.
 */
function storePublished(channelId: string, items: DueItem[]): Promise<void> {
  return transaction(async (tx) => {
    await tx.inOrder([
      lockChannel(tx, channelId),
      tx.run(
        `update channel_items i
         set dirty_since = case when i.version <> s.version then now() end,
             due_at = case when i.version <> s.version then now() + make_interval(secs => c.debounce_seconds) end,
             attempts = 0, last_error = null
         from channels c, unnest($2::text[], $3::bigint[]) as s(sku, version)
         where c.channel_id = $1 and i.channel_id = $1 and i.sku = s.sku`,
        [channelId, items.map(({ sku }) => sku), items.map(({ version }) => version)],
      ),
      tx.run(
        `update channels set failures = 0, retry_at = null, last_error = null, last_published_at = now()
         where channel_id = $1`,
        [channelId],
      ),
    ]);
  });
}

/** A channel that keeps failing is left alone no longer than after this many failures: a minute. */
const LONGEST_WAIT_AFTER = 4;

/**
 * Stores that a channel did not take these items: each waits for its next attempt, or is parked after the eighth; the
 * channel is left alone for a while, up to a minute. Too many items that wait or are parked pause it.
 */
function storeFailed(
  channelId: string,
  items: DueItem[],
  failure: string,
  retryDelaysMs: readonly number[],
): Promise<void> {
  const delays = retryDelaysMs.map((_, i) => retryDelay(i + 1, retryDelaysMs, Math.random()));
  const by = systemActor(`channel-attempt:${randomUUID()}`);
  return command("channels.fail", by, { channelId }, async (tx) => {
    const channel = await lockChannel(tx, channelId);
    // A paused one gets the whole again when it is resumed.
    if (channel?.status !== "active") return;
    await Promise.all([
      tx.run(
        `update channel_items
         set attempts = attempts + 1, last_error = $3, parked = attempts + 1 >= ${MAX_ATTEMPTS},
             due_at = case when attempts + 1 < ${MAX_ATTEMPTS}
               then now() + ($4::float8[])[attempts + 1] * interval '1 millisecond' end
         where channel_id = $1 and sku = any($2)`,
        [channelId, items.map(({ sku }) => sku), failure, delays],
      ),
      tx.run(
        `update channels
         set failures = failures + 1, last_error = $2,
             retry_at = now() + ($3::float8[])[least(failures + 1, ${LONGEST_WAIT_AFTER})] * interval '1 millisecond'
         where channel_id = $1`,
        [channelId, failure, delays],
      ),
    ]);
    await pauseAtCeiling(tx, channel);
  });
}

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
async function channelDestination(channelId: string, keys: EncryptionKeys): Promise<ChannelDestination | undefined> {
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

const Due = z.strictObject({
  /** Whether the channel is active and unchanged since its destination was read; otherwise there are no items. */
  current: bool,
  items: arrayOf(DueItem),
  /** Until something else is due; null when nothing is. */
  wait_ms: int.nullable(),
});
type Due = z.infer<typeof Due>;

/**
 * The items that are to be sent next, those that wait longest first. Items that failed before are sent by themselves,
 * half as many after each attempt, so that in the end one that the channel never takes does not keep others from it.
 * What an item was called before is told first: a shop may not tell the two apart, as in another case.
 */
const dueItems = async ({ channel_id, version, batchSize }: ChannelDestination): Promise<Due> =>
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
