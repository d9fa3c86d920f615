import type { ChannelPauseReason } from "../../../../src/outbound/channels/queries.js";
import { log } from "../../../../src/platform/log.js";
import { systemActor } from "../../../../src/platform/system-actor.js";
import { command, type Tx } from "../../../command.js";
import { channelEntry, lockChannel, notifyChannel } from "../lock.js";

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
