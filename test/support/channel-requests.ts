import { randomUUID } from "node:crypto";
import type { Change, Floor } from "./change.js";
import { CHANNELS, channel, newChannel } from "./channels.js";

/** How what is done to channels is asked twice. */

/** Of the warehouse, for an item that nobody has. */
const narrow = ({ warehouse_id }: Floor) => ({ sku_scope: { skus: [randomUUID()], warehouse_ids: [warehouse_id] } });

/** A request for a channel that somebody just made, and another one. */
const on =
  (action: string, body: object = {}, other: object = { again: true }) =>
  async (at: Floor): Promise<Change> => {
    const { by } = at;
    const { channel_id } = await channel(by, narrow(at));
    return { by, path: `${CHANNELS}/${channel_id}${action}`, body, other };
  };

export const channelChanges: Record<string, (at: Floor) => Promise<Change>> = {
  "post /api/admin/channels": async (at) => {
    const body = newChannel(narrow(at));
    return { by: at.by, body, other: { ...body, display_name: "Other" } };
  },
  "patch /api/admin/channels/:channel_id": on("", { status: "paused", batch_size: 5 }, { status: "paused" }),
  "delete /api/admin/channels/:channel_id": on(""),
  "post /api/admin/channels/:channel_id/rotate-secret": on("/rotate-secret"),
};
