import { z } from "zod";
import { type EncryptionKeys, unseal } from "../../src/auth/sealed.js";
import { CHANGES, CHANNEL_NEWS } from "../../src/outbound/locks.js";
import { text, time } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import type { Tx } from "../command.js";

/** Where the secrets of one kind of receiver are; both generations are sealed for the same owner. */
export interface SecretTable {
  secrets: "webhook_secrets" | "channel_secrets";
  receivers: "webhook_subscriptions" | "channels";
  key: "subscription_id" | "channel_id";
  type: "uuid" | "text";
  /** The Postgres channel that notifies senders of changed receivers. */
  news: string;
}

export const webhookSecrets: SecretTable = {
  secrets: "webhook_secrets",
  receivers: "webhook_subscriptions",
  key: "subscription_id",
  type: "uuid",
  news: CHANGES,
};

export const channelSecrets: SecretTable = {
  secrets: "channel_secrets",
  receivers: "channels",
  key: "channel_id",
  type: "text",
  news: CHANNEL_NEWS,
};

/** A secret that is valid, sealed; generation 1 is the newest. */
export const SealedSecret = z.strictObject({ generation: z.union([z.literal(1), z.literal(2)]), sealed: text });
export type SealedSecret = z.infer<typeof SealedSecret>;

/** SQL: the valid secrets of a receiver `r`, the newest first. */
export const validSecrets = ({ secrets, key }: SecretTable) =>
  `(select coalesce(json_agg(json_build_object('generation', generation, 'sealed', secret_ciphertext)
                             order by generation), '[]')
    from ${secrets} k where k.${key} = r.${key} and (expires_at is null or expires_at > now())) as secrets`;

/** @param owner Whom they are sealed for. */
export const unsealed = (secrets: SealedSecret[], owner: string, keys: EncryptionKeys) =>
  secrets.map(({ generation, sealed }) => ({ generation, secret: unseal(sealed, owner, keys) }));

/**
 * Stores a new secret of a locked receiver; the one before holds for another 24 hours (docs/interface.md, Webhooks).
 * @returns Until when the one before holds.
 */
export async function storeNewSecret(
  tx: Tx,
  { secrets, receivers, key }: SecretTable,
  id: string,
  sealed: string,
): Promise<string | undefined> {
  const [, before] = await Promise.all([
    tx.run(`delete from ${secrets} where ${key} = $1 and generation = 2`, [id]),
    tx.row(
      { expires_at: time },
      `update ${secrets} set generation = 2, expires_at = now() + interval '24 hours'
       where ${key} = $1 and generation = 1 returning expires_at`,
      [id],
    ),
    tx.run(`insert into ${secrets} (${key}, generation, secret_ciphertext) values ($1, 1, $2)`, [id, sealed]),
    tx.run(`update ${receivers} set updated_at = clock_timestamp() where ${key} = $1`, [id]),
  ]);
  return before?.expires_at;
}

/**
 * Forgets the secrets that were replaced 24 hours ago, and has the senders of their receivers read again what they sign
 * with. Gives how many there were.
 */
export async function forgetReplaced({ secrets, receivers, key, news }: SecretTable): Promise<number> {
  return db.run(
    `with due as materialized (
       select ${key} from ${receivers} where ${key} in (select ${key} from ${secrets} where expires_at <= now())
       order by ${key} for update
     ), forgotten as (
       delete from ${secrets} where expires_at <= now() and ${key} in (select ${key} from due) returning ${key}
     ), changed as (
       update ${receivers} set updated_at = clock_timestamp() where ${key} in (select ${key} from forgotten)
     )
     select pg_notify($1, ${key}::text) from forgotten`,
    [news],
  );
}
