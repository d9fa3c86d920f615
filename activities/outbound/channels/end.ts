import { CannotRotateRevokedChannel } from "../../../src/outbound/channels/problems.js";
import type { Actor } from "../../../src/platform/actor.js";
import { channelStates, mayBecome } from "../../../src/platform/states.js";
import { command } from "../../command.js";
import { channelSecrets, storeNewSecret } from "../secret-tables.js";
import { channelEntry, lockVisibleChannel, notifyChannel } from "./channel.js";

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
      tx.audit({ ...channelEntry(channel), action: "CHANNEL_REVOKE" });
      await notifyChannel(tx, channel_id);
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
    await storeNewSecret(tx, channelSecrets, channel_id, sealed);
    tx.audit({ ...channelEntry(channel), action: "CHANNEL_SECRET_ROTATE" });
    await notifyChannel(tx, channel_id);
    return { channel_id, sealed, secret_generation: 1 as const };
  });
}
