import { randomUUID } from "node:crypto";
import { z } from "zod";
import { totpOwner } from "../../src/auth/factors/totp.js";
import { CannotUnseal, type EncryptionKeys, keyId, seal, sealedPrefix, unseal } from "../../src/auth/sealed.js";
import { answerOwner } from "../../src/auth/tokens/token.js";
import { configOwner } from "../../src/carriers/secrets.js";
import { credentialOwner } from "../../src/connectors/stored-config.js";
import {
  channelSecretOwner,
  notificationSecretOwner,
  secretOwner,
  urlOwner,
  webhookKeyOwner,
  webhookKeys,
} from "../../src/outbound/secrets.js";
import { int, text } from "../../src/platform/db/columns.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { apiKeyOwner } from "../../src/printing/secrets.js";
import { command, type Tx } from "../command.js";
import { channelReceivers, type Receivers, webhookReceivers } from "../outbound/receivers.js";

/** Small, so that a subscription is not locked for long. */
const BATCH = 100;

export interface Resealed {
  webhook_secrets: number;
  /** Signing keys of webhooks, and what they show to their partners. */
  webhook_keys: number;
  channel_secrets: number;
  /** URLs and secrets of notification destinations. */
  notification_urls: number;
  connector_credentials: number;
  printer_keys: number;
  carrier_accounts: number;
  authenticator_apps: number;
  /** Stored answers of the last days that contain a secret, for a repeat under the same `Idempotency-Key`. */
  kept_answers: number;
  /** Texts that could not be encrypted anew, each with the reason. */
  unreadable: string[];
}

/** The last key of a batch; null after the last one. */
interface Batch {
  last: string | null;
  resealed: number;
  unreadable: string[];
}

/**
 * Encrypts every stored secret anew that is not encrypted under the current key, in batches, while other work goes on.
 * May be run again at any time.
 */
export async function resealSecrets(keys: EncryptionKeys): Promise<Resealed> {
  const secrets = await drain(resealWebhookSecrets, keys);
  const ofWebhooks = await drain(resealWebhookKeys, keys);
  const channels = await drain(resealChannelSecrets, keys);
  const notifications = await drain(resealNotificationUrls, keys);
  const credentials = await drain(resealCredentials, keys);
  const printers = await drain(resealPrinterKeys, keys);
  const carriers = await drain(resealCarriers, keys);
  const apps = await drain(resealTotp, keys);
  const answers = await drain(resealAnswers, keys);
  return {
    webhook_secrets: secrets.resealed,
    webhook_keys: ofWebhooks.resealed,
    channel_secrets: channels.resealed,
    notification_urls: notifications.resealed,
    connector_credentials: credentials.resealed,
    printer_keys: printers.resealed,
    carrier_accounts: carriers.resealed,
    authenticator_apps: apps.resealed,
    kept_answers: answers.resealed,
    unreadable: [secrets, ofWebhooks, channels, notifications, credentials, printers, carriers, apps, answers].flatMap(
      ({ unreadable }) => unreadable,
    ),
  };
}

async function drain(
  reseal: (after: string | null, keys: EncryptionKeys) => Promise<Batch>,
  keys: EncryptionKeys,
): Promise<Batch> {
  const all: Batch = { last: null, resealed: 0, unreadable: [] };
  do {
    const { last, resealed, unreadable } = await reseal(all.last, keys);
    all.last = last;
    all.resealed += resealed;
    all.unreadable.push(...unreadable);
  } while (all.last !== null);
  return all;
}

/** The secrets of receivers; a batch locks them, as every change of a secret does. */
const resealGenerations =
  ({ secrets, table, key, type }: Receivers, ownerOf: (id: string) => string) =>
  (after: string | null, keys: EncryptionKeys) =>
    batch(secrets, after, keys, async (tx, prefix) => {
      const locked = await tx.rows(
        { id: text },
        `select ${key} as id from ${table} r
         where ($1::${type} is null or ${key} > $1) and exists (
           select from ${secrets} k where k.${key} = r.${key} and not starts_with(secret_ciphertext, $2))
         order by ${key} limit ${BATCH} for update`,
        [after, prefix],
      );
      const ids = locked.map(({ id }) => id);
      const rows = await tx.rows(
        { id: text, generation: int, sealed: text },
        `select ${key} as id, generation, secret_ciphertext as sealed from ${secrets}
         where ${key} = any($1) and not starts_with(secret_ciphertext, $2)`,
        [ids, prefix],
      );
      const { done, unreadable } = resealed(rows, keys, ({ id }) => ownerOf(id));
      await tx.run(
        `update ${secrets} k set secret_ciphertext = n.sealed
         from unnest($1::${type}[], $2::smallint[], $3::text[]) as n (id, generation, sealed)
         where k.${key} = n.id and k.generation = n.generation`,
        [done.map((row) => row.id), done.map((row) => row.generation), done.map((row) => row.sealed)],
      );
      return { keys: ids, resealed: done.length, unreadable };
    });

const resealWebhookSecrets = resealGenerations(webhookReceivers, secretOwner);
const resealChannelSecrets = resealGenerations(channelReceivers, channelSecretOwner);

const WebhookKeyRow = z.strictObject({ id: text, kind: z.enum(webhookKeys), sealed: text });

/** Locks the subscriptions, as every change of a key does. */
const resealWebhookKeys = (after: string | null, keys: EncryptionKeys) =>
  batch("webhook_keys", after, keys, async (tx, prefix) => {
    const stale = await tx.rows(
      { id: text },
      `select distinct subscription_id as id from webhook_keys
       where ($1::uuid is null or subscription_id > $1) and not starts_with(sealed, $2)
       order by subscription_id limit ${BATCH}`,
      [after, prefix],
    );
    const ids = stale.map(({ id }) => id);
    await tx.run(
      `select from webhook_subscriptions where subscription_id = any($1) order by subscription_id for update`,
      [ids],
    );
    const rows = await tx.rows(
      WebhookKeyRow,
      `select subscription_id as id, kind, sealed from webhook_keys
       where subscription_id = any($1) and not starts_with(sealed, $2)`,
      [ids, prefix],
    );
    const { done, unreadable } = resealed(rows, keys, ({ id, kind }) => webhookKeyOwner(id, kind));
    await tx.run(
      `update webhook_keys k set sealed = n.sealed
       from unnest($1::uuid[], $2::text[], $3::text[]) as n (id, kind, sealed)
       where k.subscription_id = n.id and k.kind = n.kind`,
      [done.map(({ id }) => id), done.map(({ kind }) => kind), done.map(({ sealed }) => sealed)],
    );
    return { keys: ids, resealed: done.length, unreadable };
  });

const ResealNotificationUrlsRow = { webhook_id: int, url_sealed: text, secret_sealed: text.nullable() };

const resealNotificationUrls = (after: string | null, keys: EncryptionKeys) =>
  batch("notification_urls", after, keys, async (tx, prefix) => {
    const destinations = await tx.rows(
      ResealNotificationUrlsRow,
      `select webhook_id, url_sealed, secret_sealed from notification_webhooks
       where ($1::int is null or webhook_id > $1)
         and not (starts_with(url_sealed, $2) and coalesce(starts_with(secret_sealed, $2), true))
       order by webhook_id limit ${BATCH} for update`,
      [after, prefix],
    );
    const urls = destinations.map(({ webhook_id, url_sealed }) => ({ webhook_id, sealed: url_sealed }));
    const secrets = destinations.flatMap(({ webhook_id, secret_sealed: sealed }) =>
      sealed === null ? [] : [{ webhook_id, sealed }],
    );
    const newUrls = resealed(urls, keys, ({ webhook_id }) => urlOwner(webhook_id));
    const newSecrets = resealed(secrets, keys, ({ webhook_id }) => notificationSecretOwner(webhook_id));
    for (const [column, { done }] of [
      ["url_sealed", newUrls],
      ["secret_sealed", newSecrets],
    ] as const)
      await tx.run(
        `update notification_webhooks n set ${column} = r.sealed
         from unnest($1::int[], $2::text[]) as r (webhook_id, sealed) where n.webhook_id = r.webhook_id`,
        [done.map(({ webhook_id }) => webhook_id), done.map(({ sealed }) => sealed)],
      );
    return {
      keys: destinations.map(({ webhook_id }) => `${webhook_id}`),
      resealed: newUrls.done.length + newSecrets.done.length,
      unreadable: [...newUrls.unreadable, ...newSecrets.unreadable],
    };
  });

const CredentialRow = z.strictObject({ id: text, connector: text, warehouse_id: int, key: text, sealed: text });

const resealCredentials = (after: string | null, keys: EncryptionKeys) =>
  batch("connector_credentials", after, keys, async (tx, prefix) => {
    const rows = await tx.rows(
      CredentialRow,
      `select id, connector_name as connector, warehouse_id, credential_key as key, encrypted_value as sealed
       from connector_credentials, concat_ws(':', connector_name, warehouse_id, credential_key) as id
       where ($1::text is null or id > $1) and not starts_with(encrypted_value, $2)
       order by id limit ${BATCH} for update of connector_credentials`,
      [after, prefix],
    );
    const { done, unreadable } = resealed(rows, keys, (row) =>
      credentialOwner(row.connector, row.warehouse_id, row.key),
    );
    await tx.run(
      `update connector_credentials c set encrypted_value = n.sealed
       from unnest($1::text[], $2::int[], $3::text[], $4::text[]) as n (connector, warehouse_id, key, sealed)
       where c.connector_name = n.connector and c.warehouse_id = n.warehouse_id and c.credential_key = n.key`,
      [
        ...[done.map(({ connector }) => connector), done.map(({ warehouse_id }) => warehouse_id)],
        ...[done.map(({ key }) => key), done.map(({ sealed }) => sealed)],
      ],
    );
    return { keys: rows.map(({ id }) => id), resealed: done.length, unreadable };
  });

/** One column of a table, of rows that have a number. */
const resealColumn =
  (of: string, { table, key, column }: Record<"table" | "key" | "column", string>, ownerOf: (id: number) => string) =>
  (after: string | null, keys: EncryptionKeys) =>
    batch(of, after, keys, async (tx, prefix) => {
      const rows = await tx.rows(
        { id: int, sealed: text },
        `select ${key} as id, ${column} as sealed from ${table}
         where ($1::int is null or ${key} > $1) and not starts_with(${column}, $2)
         order by ${key} limit ${BATCH} for update`,
        [after, prefix],
      );
      const { done, unreadable } = resealed(rows, keys, (row) => ownerOf(row.id));
      await tx.run(
        `update ${table} t set ${column} = n.sealed
         from unnest($1::int[], $2::text[]) as n (id, sealed) where t.${key} = n.id`,
        [done.map((row) => row.id), done.map((row) => row.sealed)],
      );
      return { keys: rows.map((row) => `${row.id}`), resealed: done.length, unreadable };
    });

const resealPrinterKeys = resealColumn(
  "printer_keys",
  { table: "printers", key: "printer_id", column: "api_key_sealed" },
  apiKeyOwner,
);
const resealCarriers = resealColumn(
  "carrier_accounts",
  { table: "carrier_accounts", key: "account_id", column: "config_sealed" },
  configOwner,
);
const resealTotp = resealColumn(
  "authenticator_apps",
  { table: "user_totp", key: "user_id", column: "secret_sealed" },
  totpOwner,
);

/** What a secret in a stored answer was encrypted for, by the operation that answered. */
const ownersOfAnswers: Record<string, (row: AnswerRow) => string> = {
  "webhooks.create": ({ answer }) => secretOwner(`${answer.subscription_id}`),
  "webhooks.rotateSecret": ({ answer }) => secretOwner(`${answer.subscription_id}`),
  "channels.create": ({ answer }) => channelSecretOwner(`${answer.channel_id}`),
  "channels.rotateSecret": ({ answer }) => channelSecretOwner(`${answer.channel_id}`),
  "tokens.issue": ({ command_id }) => answerOwner(command_id),
  "tokens.rotate": ({ command_id }) => answerOwner(command_id),
  "keys.make": ({ command_id }) => answerOwner(command_id),
  "passkeys.add": ({ command_id }) => answerOwner(command_id),
  "totp.begin": ({ answer }) => totpOwner(Number(answer.user_id)),
  "totp.confirm": ({ command_id }) => answerOwner(command_id),
  "recoveryCodes.make": ({ command_id }) => answerOwner(command_id),
};

const AnswerRow = z.strictObject({
  command_id: text,
  operation: text,
  answer: z.looseObject({
    sealed: text,
    user_id: int.optional(),
    subscription_id: text.optional(),
    channel_id: text.optional(),
  }),
  sealed: text,
});
type AnswerRow = z.infer<typeof AnswerRow>;

const resealAnswers = (after: string | null, keys: EncryptionKeys) =>
  batch("kept_answers", after, keys, async (tx, prefix) => {
    const rows = await tx.rows(
      AnswerRow,
      `select command_id, operation, answer, answer->>'sealed' as sealed from command_log
       where operation = any($1) and ($2::text is null or command_id > $2) and not starts_with(answer->>'sealed', $3)
       order by command_id limit ${BATCH} for update`,
      [Object.keys(ownersOfAnswers), after, prefix],
    );
    const { done, unreadable } = resealed(rows, keys, (row) => ownersOfAnswers[row.operation]?.(row) ?? "");
    await tx.run(
      `update command_log c set answer = n.answer
       from unnest($1::text[], $2::json[]) as n (command_id, answer) where c.command_id = n.command_id`,
      [done.map((row) => row.command_id), done.map(({ answer, sealed }) => JSON.stringify({ ...answer, sealed }))],
    );
    const ids = rows.map(({ command_id }) => command_id);
    return { keys: ids, resealed: done.length, unreadable };
  });

/** One batch as one command. A batch that changed something gets an audit row, without any secret. */
function batch(
  what: string,
  after: string | null,
  keys: EncryptionKeys,
  work: (tx: Tx, prefix: string) => Promise<{ keys: string[]; resealed: number; unreadable: string[] }>,
): Promise<Batch> {
  const by = systemActor(randomUUID());
  const key_id = keyId(keys.encryptionKey);
  const input = { what, after, key_id };
  return command("encryptionKey.rotate", by, input, async (tx) => {
    const done = await work(tx, sealedPrefix(keys));
    const { resealed, unreadable } = done;
    if (resealed > 0)
      tx.audit({
        action: "ENCRYPTION_KEY_ROTATE",
        entity: "ENCRYPTION_KEY",
        entityId: 0,
        details: { key_id, [what]: resealed },
      });
    const last = done.keys.length < BATCH ? null : (done.keys.at(-1) ?? null);
    return { last, resealed, unreadable };
  });
}

/** The rows with their texts encrypted anew, and the reasons why others cannot be. */
function resealed<R extends { sealed: string }>(
  rows: R[],
  keys: EncryptionKeys,
  ownerOf: (row: R) => string,
): { done: R[]; unreadable: string[] } {
  const done: R[] = [];
  const unreadable: string[] = [];
  for (const row of rows) {
    const owner = ownerOf(row);
    try {
      const text = unseal(row.sealed, owner, keys);
      done.push({ ...row, sealed: seal(text, owner, keys) });
    } catch (error) {
      if (!(error instanceof CannotUnseal)) throw error;
      unreadable.push(error.message);
    }
  }
  return { done, unreadable };
}
