import { ChannelNotFound } from "../../../src/outbound/channels/problems.js";
import {
  CHANNEL,
  CHANNEL_WITHIN,
  type ChannelPauseReason,
  ChannelSettings,
} from "../../../src/outbound/channels/queries.js";
import { CHANNEL_NEWS } from "../../../src/outbound/locks.js";
import { type Actor, visibleWarehouses } from "../../../src/platform/actor.js";
import type { Sql } from "../../../src/platform/db/db.js";
import { log } from "../../../src/platform/log.js";
import { systemActor } from "../../../src/platform/system-actor.js";
import { type AuditEntry, command, type Tx } from "../../command.js";

/**
 * Locks a channel, which is done before any change of it, its secrets or its items; undefined when there is none in the
 * scope.
 */
export const lockChannel = (tx: Sql, channelId: string, scope: number[] | null = null) =>
  tx.row(
    ChannelSettings,
    `select ${CHANNEL} from channels c where ${CHANNEL_WITHIN} and c.channel_id = $2 for update`,
    [scope, channelId],
  );

/** The same for a user; 404 when there is none that the user may see. */
export async function lockVisibleChannel(tx: Sql, channelId: string, by: Actor): Promise<ChannelSettings> {
  const found = await lockChannel(tx, channelId, visibleWarehouses(by));
  if (!found) throw ChannelNotFound();
  return found;
}

/** The entity of an audit row. Entity ids are numbers; a channel has none, so its id is in the details. */
export const channelEntry = ({
  channel_id,
  display_name,
}: Pick<ChannelSettings, "channel_id" | "display_name">): Omit<AuditEntry, "action"> => ({
  entity: "CHANNEL",
  entityId: 0,
  details: { channel_id, display_name },
});

/**
 * Notifies the sender of a channel, when the transaction commits, that the channel has changed or has items to send.
 */
export async function notifyChannel(tx: Sql, channelId: string): Promise<void> {
  await tx.run("select pg_notify($1, $2)", [CHANNEL_NEWS, channelId]);
}

/** Pauses a locked channel, as the system. */
export async function pauseChannel(
  tx: Tx,
  channel: { channel_id: string; display_name: string },
  pause_reason: Exclude<ChannelPauseReason, "manual">,
): Promise<void> {
  const { channel_id } = channel;
  await tx.run(
    "update channels set status = 'paused', pause_reason = $2, updated_at = clock_timestamp() where channel_id = $1",
    [channel_id, pause_reason],
  );
  const { details, ...of } = channelEntry(channel);
  tx.audit({ ...of, action: "CHANNEL_AUTO_PAUSE", details: { ...details, pause_reason } });
  await notifyChannel(tx, channel_id);
  log.warn({ channel_id, pause_reason }, "channel paused");
}

/** Pauses a channel whose stored scope or transform is malformed: nothing said is better than something wrong. */
export function pauseMalformed(channelId: string, version: string): Promise<void> {
  const by = systemActor(`channel-malformed:${channelId}:${version}`);
  return command("channels.pauseMalformed", by, { channelId }, async (tx) => {
    const channel = await lockChannel(tx, channelId);
    if (channel?.status === "active" && channel.updated_at === version)
      await pauseChannel(tx, channel, "malformed_config");
  });
}
