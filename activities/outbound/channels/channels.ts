import type { Scope } from "../../../src/outbound/channels/config.js";
import { type ChannelSettings, channels } from "../../../src/outbound/channels/queries.js";
import type { Channel, NewChannel } from "../../../src/outbound/channels/shapes.js";
import {
  CannotModifyRevokedChannel,
  CannotRotateRevokedChannel,
  ChannelIdTaken,
} from "../../../src/outbound/problems.js";
import { type Actor, visibleWarehouses } from "../../../src/platform/actor.js";
import { WarehouseDenied } from "../../../src/platform/problem.js";
import { channelStates, mayBecome } from "../../../src/platform/states.js";
import { checkScope } from "../../auth/token-scope.js";
import { command, type Tx } from "../../command.js";
import { auditEdit, type Changes, refusingDuplicate, withChanges } from "../../edit.js";
import {
  channelReceivers,
  entry,
  lockVisibleChannel,
  notifySenders,
  pauseReasonOf,
  storeNewSecret,
} from "../receivers.js";
import { type Destination, refuseDestination } from "../webhooks/rules.js";

type Settings = Omit<NewChannel, "channel_id" | "delivery_url">;

export type ChannelToMake = Settings & { channel_id: string; destination: Destination };

/**
 * Makes a channel (docs/interface.md, Channels). It is active at once, and its whole availability is published.
 * @param sealed Its secret, sealed for it.
 */
export function createChannel(input: ChannelToMake, sealed: string, allowHttp: boolean, by: Actor) {
  return command("channels.create", by, { ...input, sealed }, async (tx) => {
    const { destination, ...settings } = input;
    await refuseScope(tx, settings.sku_scope, by);
    refuseDestination(destination, allowHttp);
    await refusingDuplicate(
      tx.run(
        `with c as (
           insert into channels (channel_id, display_name, delivery_url, sku_scope, transform, rate_limit_per_second,
                                 batch_size, debounce_seconds, pending_ceiling, dlq_ceiling, whole_after)
           values (:channel_id, :display_name, :delivery_url, :sku_scope, :transform, :rate_limit_per_second,
                   :batch_size, :debounce_seconds, :pending_ceiling, :dlq_ceiling, 0) returning channel_id
         )
         insert into channel_secrets (channel_id, generation, secret_ciphertext) select channel_id, 1, :sealed from c`,
        { ...settings, ...inJson(settings), delivery_url: destination.url, sealed },
      ),
      ChannelIdTaken(),
    );
    const { details, ...of } = entry(settings);
    tx.audit({
      ...of,
      action: "CHANNEL_CREATE",
      details: { ...details, delivery_url: destination.url, sku_scope: settings.sku_scope },
    });
    await notifySenders(tx, channelReceivers, settings.channel_id);
    const [made] = await channels(tx, null, settings.channel_id);
    return { ...(made as Channel), sealed, secret_generation: 1 as const };
  });
}

export type ChannelChanges = Changes<Omit<Settings, "status">> & {
  destination?: Destination | undefined;
  status?: "active" | "paused" | undefined;
};

/**
 * Changes, pauses or resumes a channel. When it is resumed, or gets another scope, transform or URL, its whole
 * availability is published again.
 */
export function updateChannel(
  channel_id: string,
  changes: ChannelChanges,
  allowHttp: boolean,
  by: Actor,
): Promise<Channel> {
  return command("channels.update", by, { channel_id, ...changes }, async (tx) => {
    const before = await lockVisibleChannel(tx, channel_id, by);
    if (before.status === "revoked") throw CannotModifyRevokedChannel();
    const { destination, status = before.status, ...settings } = changes;
    const pause_reason = pauseReasonOf(status, before);
    const after = withChanges(before, { ...settings, status, pause_reason });
    if (settings.sku_scope) await refuseScope(tx, settings.sku_scope, by);
    if (destination && destination.url !== before.delivery_url) {
      refuseDestination(destination, allowHttp);
      after.delivery_url = destination.url;
    }
    if (JSON.stringify(before) !== JSON.stringify(after)) {
      await save(tx, before, after);
      auditEdit(tx, { ...entry(after), action: "CHANNEL_UPDATE" }, before, after);
      await notifySenders(tx, channelReceivers, channel_id);
    }
    const [record] = await channels(tx, null, channel_id);
    return record as Channel;
  });
}

const WHOLE_AGAIN = ["sku_scope", "transform", "delivery_url"] as const;

async function save(tx: Tx, before: ChannelSettings, after: ChannelSettings): Promise<void> {
  const resumed = before.status === "paused" && after.status === "active";
  const whole = resumed || WHOLE_AGAIN.some((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  await tx.run(
    `update channels
     set display_name = :display_name, delivery_url = :delivery_url, sku_scope = :sku_scope, transform = :transform,
         rate_limit_per_second = :rate_limit_per_second, batch_size = :batch_size,
         debounce_seconds = :debounce_seconds, pending_ceiling = :pending_ceiling, dlq_ceiling = :dlq_ceiling,
         status = :status, pause_reason = :pause_reason, updated_at = clock_timestamp(),
         whole_after = case when :whole then 0 else whole_after end,
         failures = case when :whole then 0 else failures end, retry_at = case when :whole then null else retry_at end,
         last_error = case when :whole then null else last_error end
     where channel_id = :channel_id`,
    { ...after, ...inJson(after), whole },
  );
  // What waits for a longer debounce than it has now.
  if (after.debounce_seconds < before.debounce_seconds)
    await tx.run(
      `update channel_items set due_at = least(due_at, now() + make_interval(secs => $2::int))
       where channel_id = $1 and due_at is not null and attempts = 0`,
      [after.channel_id, after.debounce_seconds],
    );
}

const inJson = ({ sku_scope, transform }: { sku_scope: unknown; transform: unknown }) => ({
  sku_scope: JSON.stringify(sku_scope),
  transform: JSON.stringify(transform),
});

/** Refuses warehouses that do not exist; a USER's channel must name warehouses of the user, and no others. */
async function refuseScope(tx: Tx, { warehouse_ids = [] }: Scope, by: Actor): Promise<void> {
  await checkScope(tx, { warehouse_ids, event_types: [], endpoints: [] }, by);
  if (warehouse_ids.length === 0 && visibleWarehouses(by)) throw WarehouseDenied();
}

/** Revokes a channel for good; it stays listed, and its id stays taken. Asked again, it changes nothing. */
export function revokeChannel(channel_id: string, by: Actor) {
  return command("channels.revoke", by, { channel_id }, async (tx) => {
    const channel = await lockVisibleChannel(tx, channel_id, by);
    if (mayBecome(channelStates, channel.status, "revoked")) {
      await tx.run(
        `update channels set status = 'revoked', pause_reason = null, whole_after = null, failures = 0, retry_at = null,
           last_error = null, updated_at = clock_timestamp()
         where channel_id = $1`,
        [channel_id],
      );
      tx.audit({ ...entry(channel), action: "CHANNEL_REVOKE" });
      await notifySenders(tx, channelReceivers, channel_id);
    }
    return { channel_id, status: "revoked" as const };
  });
}

/**
 * Gives a channel a new secret; the one before holds for another 24 hours (as of webhooks, docs/interface.md,
 * Webhooks).
 */
export function rotateChannelSecret(channel_id: string, sealed: string, by: Actor) {
  return command("channels.rotateSecret", by, { channel_id, sealed }, async (tx) => {
    const channel = await lockVisibleChannel(tx, channel_id, by);
    if (channel.status === "revoked") throw CannotRotateRevokedChannel();
    await storeNewSecret(tx, channelReceivers, channel_id, sealed);
    tx.audit({ ...entry(channel), action: "CHANNEL_SECRET_ROTATE" });
    await notifySenders(tx, channelReceivers, channel_id);
    return { channel_id, sealed, secret_generation: 1 as const };
  });
}
