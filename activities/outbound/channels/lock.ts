import { ChannelNotFound } from "../../../src/outbound/channels/problems.js";
import { CHANNEL, CHANNEL_WITHIN, type ChannelSettings } from "../../../src/outbound/channels/queries.js";
import { CHANNEL_NEWS } from "../../../src/outbound/channels/senders.js";
import { type Actor, scopeOf } from "../../../src/platform/actor.js";
import type { Sql } from "../../../src/platform/db/db.js";
import type { AuditEntry } from "../../command.js";

/**
 * Locks a channel, which is done before any change of it, its secrets or its items; undefined when there is none in the
 * scope.
 */
export const lockChannel = (tx: Sql, channelId: string, scope: number[] | null = null) =>
  tx.row<ChannelSettings>(
    `select ${CHANNEL} from channels c where ${CHANNEL_WITHIN} and c.channel_id = $2 for update`,
    [scope, channelId],
  );

/** The same for a user; 404 when there is none that the user may see. */
export async function lockVisibleChannel(tx: Sql, channelId: string, by: Actor): Promise<ChannelSettings> {
  const found = await lockChannel(tx, channelId, scopeOf(by));
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
