import { randomUUID } from "node:crypto";
import { type EncryptionKeys, unseal } from "../../src/auth/sealed.js";
import { channelSecretOwner } from "../../src/outbound/secrets.js";
import type { Caller } from "./caller.js";
import { db } from "./db.js";
import { publicUrl } from "./webhooks.js";

/** Channels, where no test needs a sender. */

export const CHANNELS = "/api/admin/channels";

/** What a channel needs; it wants an item that nobody has. */
export const newChannel = (fields: object = {}) => ({
  channel_id: `shop-${randomUUID()}`,
  display_name: "Web shop",
  delivery_url: publicUrl(),
  sku_scope: { skus: [randomUUID()] },
  ...fields,
});

/** Makes a channel over HTTP; gives the answer. */
export const channel = (by: Caller, fields: object = {}) => by.ok("POST", CHANNELS, newChannel(fields));

/** The secrets of a channel, the newest first, and in how many hours they end. */
export async function storedChannelSecrets(channelId: string, keys: EncryptionKeys) {
  const rows = await db.rows<{ generation: number; sealed: string; hours: number | null }>(
    `select generation, secret_ciphertext as sealed,
            (extract(epoch from expires_at - now()) / 3600)::float8 as hours
     from channel_secrets where channel_id = $1 order by generation`,
    [channelId],
  );
  return rows.map(({ sealed, ...row }) => ({ ...row, secret: unseal(sealed, channelSecretOwner(channelId), keys) }));
}
