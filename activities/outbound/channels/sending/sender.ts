import { randomUUID } from "node:crypto";
import type { EncryptionKeys } from "../../../../src/auth/sealed.js";
import { MAX_ATTEMPTS, retryDelay } from "../../../../src/outbound/retry.js";
import { transaction } from "../../../../src/platform/db/db.js";
import { systemActor } from "../../../../src/platform/system-actor.js";
import { command } from "../../../command.js";
import { lockChannel, pauseAtCeiling } from "../../receivers.js";
import { Attention, type Changes, type Ends } from "../../sending/changes.js";
import { Rate, type SharedWire } from "../../sending/wire.js";
import { type ChannelDestination, channelDestination, type DueItem, dueItems, messageOf } from "./batch.js";

/** Shared by all channels of a worker. */
export interface Publishing {
  keys: EncryptionKeys;
  retryDelaysMs: readonly number[];
  news: Changes;
  wire: SharedWire;
}

/**
 * Tells one channel what is available, one request after the other, so that no older version of an item arrives after a
 * newer one, until it is stopped or the channel is no longer active. Used only under the channel's lock. What a killed
 * one had sent and not stored is sent again.
 */
export async function publish(channelId: string, publishing: Publishing, ends: Ends): Promise<void> {
  const attention = new Attention(publishing.news, channelId, ends);
  let to: ChannelDestination | undefined;
  let rate: Rate | undefined;
  try {
    for (;;) {
      ends.lost.throwIfAborted();
      if (ends.stop.aborted) return;
      if (!to) {
        to = await channelDestination(channelId, publishing.keys);
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
        await tell(to, items, publishing, attention);
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
  { wire, retryDelaysMs }: Publishing,
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
  return storeFailed(to.channel_id, items, failure, retryDelaysMs);
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
