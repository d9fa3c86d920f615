import { randomUUID } from "node:crypto";
import { MAX_ATTEMPTS, retryDelay } from "../../../../src/outbound/retry.js";
import { transaction } from "../../../../src/platform/db/db.js";
import { systemActor } from "../../../../src/platform/system-actor.js";
import { command } from "../../../command.js";
import { lockChannel, pauseChannel } from "../channel.js";
import type { DueItem } from "./batch.js";

/**
 * Stores that a channel took these items. One that has changed meanwhile waits for its debounce, counted from now.
 */
export function storePublished(channelId: string, items: DueItem[]): Promise<void> {
  return transaction(async (tx) => {
    await Promise.all([
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
export function storeFailed(
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
    const counts = await tx.row<{ dirty: number; parked: number }>(
      `select (select count(*) from channel_items where channel_id = $1 and due_at is not null) as dirty,
              (select count(*) from channel_items where channel_id = $1 and parked) as parked`,
      [channelId],
    );
    const { dirty = 0, parked = 0 } = counts ?? {};
    if (dirty >= channel.pending_ceiling) await pauseChannel(tx, channel, "pending_ceiling");
    else if (parked >= channel.dlq_ceiling) await pauseChannel(tx, channel, "dlq_ceiling");
  });
}
