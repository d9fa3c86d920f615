import { z } from "zod";
import { type EncryptionKeys, unseal } from "../../src/auth/sealed.js";
import {
  CHANNEL,
  CHANNEL_WITHIN,
  type ChannelPauseReason,
  ChannelSettings,
} from "../../src/outbound/channels/queries.js";
import { ChannelNotFound, SubscriptionNotFound } from "../../src/outbound/problems.js";
import { CHANGES, CHANNEL_NEWS } from "../../src/outbound/sending.js";
import {
  type PauseReason,
  SUBSCRIPTION,
  Subscription,
  WITHIN,
  webhookWarehouses,
} from "../../src/outbound/webhooks/queries.js";
import { type Actor, visibleWarehouses } from "../../src/platform/actor.js";
import { int, text, time } from "../../src/platform/db/columns.js";
import { db, type Effects, type Sql } from "../../src/platform/db/db.js";
import { log } from "../../src/platform/log.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { type AuditEntry, command, type Tx } from "../command.js";

/**
 * What webhooks and channels have in common: each receives what is sent, signed with its secrets, and is paused when it
 * does not take it. A receiver is locked before any change of it, its secrets, or what is to be sent to it.
 */
export interface Receivers {
  table: "webhook_subscriptions" | "channels";
  key: "subscription_id" | "channel_id";
  type: "uuid" | "text";
  secrets: "webhook_secrets" | "channel_secrets";
  /** The Postgres channel that notifies senders of changed receivers. */
  news: string;
  entity: "WEBHOOK_SUBSCRIPTION" | "CHANNEL";
  paused: "WEBHOOK_SUBSCRIPTION_AUTO_PAUSE" | "CHANNEL_AUTO_PAUSE";
  /** SQL: how much for the receiver $1 `waits`, and how much was given up. */
  counts: string;
}

export const webhookReceivers: Receivers = {
  ...{ table: "webhook_subscriptions", key: "subscription_id", type: "uuid", secrets: "webhook_secrets" },
  ...{ news: CHANGES, entity: "WEBHOOK_SUBSCRIPTION", paused: "WEBHOOK_SUBSCRIPTION_AUTO_PAUSE" },
  counts: `select (select count(*) from webhook_deliveries
                   where subscription_id = $1 and status in ('pending', 'in_flight')) as waits,
                  (select count(*) from webhook_deliveries where subscription_id = $1 and status = 'dlq') as given_up`,
};

export const channelReceivers: Receivers = {
  ...{ table: "channels", key: "channel_id", type: "text", secrets: "channel_secrets" },
  ...{ news: CHANNEL_NEWS, entity: "CHANNEL", paused: "CHANNEL_AUTO_PAUSE" },
  counts: `select (select count(*) from channel_items where channel_id = $1 and due_at is not null) as waits,
                  (select count(*) from channel_items where channel_id = $1 and parked) as given_up`,
};

/** One of them, by its id. */
type Receiver = ({ subscription_id: string } | { channel_id: string }) & { display_name: string };

const kindOf = (receiver: Receiver) =>
  "channel_id" in receiver
    ? { ...channelReceivers, id: receiver.channel_id }
    : { ...webhookReceivers, id: receiver.subscription_id };

/** What is stored may be outside the limits of requests. */
const Stored = Subscription.extend({ rate_limit_per_second: int });

/** Undefined when there is none in these warehouses. */
export const lockSubscription = (tx: Sql, subscriptionId: string, warehouseIds: number[] | null = null) =>
  tx.row(
    Stored,
    `select ${SUBSCRIPTION} from webhook_subscriptions s where ${WITHIN} and s.subscription_id = $2 for update`,
    [warehouseIds, subscriptionId],
  );

/** Undefined when there is none in these warehouses. */
export const lockChannel = (tx: Sql, channelId: string, warehouseIds: number[] | null = null) =>
  tx.row(
    ChannelSettings,
    `select ${CHANNEL} from channels c where ${CHANNEL_WITHIN} and c.channel_id = $2 for update`,
    [warehouseIds, channelId],
  );

/** The same for a user or a partner; 404 when there is none that the caller may see. */
export async function lockVisibleSubscription(tx: Sql, subscriptionId: string, by: Actor): Promise<Subscription> {
  const found = await lockSubscription(tx, subscriptionId, webhookWarehouses(by));
  if (!found || (by.connectorId !== undefined && found.connector_id !== by.connectorId)) throw SubscriptionNotFound();
  return found;
}

export async function lockVisibleChannel(tx: Sql, channelId: string, by: Actor): Promise<ChannelSettings> {
  const found = await lockChannel(tx, channelId, visibleWarehouses(by));
  if (!found) throw ChannelNotFound();
  return found;
}

/** The entity of an audit row. Entity ids are numbers; a receiver has none, so its id is in the details. */
export function entry(receiver: Receiver): Omit<AuditEntry, "action"> {
  const { entity, key, id } = kindOf(receiver);
  return { entity, entityId: 0, details: { [key]: id, display_name: receiver.display_name } };
}

/** Notifies senders, when the transaction commits, that the receiver has changed or has something to get. */
export async function notifySenders(tx: Effects, { news }: Receivers, id: string): Promise<void> {
  await tx.run("select pg_notify($1, $2)", [news, id]);
}

/** Why one is paused that a request pauses: one that is paused already keeps its reason. */
export const pauseReasonOf = <Reason>(status: "active" | "paused", before: { pause_reason: Reason }) =>
  status === "active" ? null : (before.pause_reason ?? "manual");

/** Pauses a locked receiver, as the system. */
async function pause(tx: Tx, receiver: Receiver, pause_reason: PauseReason | ChannelPauseReason): Promise<void> {
  const { id, ...kind } = kindOf(receiver);
  const { table, key, paused: action } = kind;
  await tx.run(
    `update ${table} set status = 'paused', pause_reason = $2, updated_at = clock_timestamp() where ${key} = $1`,
    [id, pause_reason],
  );
  const { details, ...of } = entry(receiver);
  tx.audit({ ...of, action, details: { ...details, pause_reason } });
  await notifySenders(tx, kind, id);
  log.warn({ [key]: id, pause_reason }, "receiver paused");
}

/**
 * Pauses a locked receiver for which too much waits or was given up (docs/interface.md, Webhooks and Channels); true if
 * it did.
 */
export async function pauseAtCeiling(
  tx: Tx,
  receiver: Receiver & { pending_ceiling: number; dlq_ceiling: number },
): Promise<boolean> {
  const { counts, id } = kindOf(receiver);
  const { waits = 0, given_up = 0 } = (await tx.row({ waits: int, given_up: int }, counts, [id])) ?? {};
  if (waits >= receiver.pending_ceiling) await pause(tx, receiver, "pending_ceiling");
  else if (given_up >= receiver.dlq_ceiling) await pause(tx, receiver, "dlq_ceiling");
  else return false;
  return true;
}

/** Pauses a locked subscription that its partner has ended: nothing is sent until a person turns it on again. */
export const pauseGone = (tx: Tx, subscription: Subscription): Promise<void> => pause(tx, subscription, "gone");

/** Pauses a subscription whose stored filter is malformed: no event is better than a wrong one. */
export function pauseMalformedFilter(subscriptionId: string, version: string): Promise<void> {
  const by = systemActor(`webhook-malformed:${subscriptionId}:${version}`);
  return command("webhooks.pauseMalformed", by, { subscriptionId }, async (tx) => {
    const subscription = await lockSubscription(tx, subscriptionId);
    if (subscription?.status === "active" && subscription.updated_at === version)
      await pause(tx, subscription, "malformed_filter");
  });
}

/** Pauses a channel whose stored scope or transform is malformed: nothing said is better than something wrong. */
export function pauseMalformedConfig(channelId: string, version: string): Promise<void> {
  const by = systemActor(`channel-malformed:${channelId}:${version}`);
  return command("channels.pauseMalformed", by, { channelId }, async (tx) => {
    const channel = await lockChannel(tx, channelId);
    if (channel?.status === "active" && channel.updated_at === version) await pause(tx, channel, "malformed_config");
  });
}

/** A secret that is valid, sealed; generation 1 is the newest. */
export const SealedSecret = z.strictObject({ generation: z.union([z.literal(1), z.literal(2)]), sealed: text });
export type SealedSecret = z.infer<typeof SealedSecret>;

/** SQL: the valid secrets of a receiver `r`, the newest first. */
export const validSecrets = ({ secrets, key }: Receivers) =>
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
  { secrets, table, key }: Receivers,
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
    tx.run(`update ${table} set updated_at = clock_timestamp() where ${key} = $1`, [id]),
  ]);
  return before?.expires_at;
}

/**
 * Forgets the secrets that were replaced 24 hours ago, and has the senders of their table read again what they sign
 * with. Gives how many there were.
 */
export async function forgetReplaced({ secrets, table, key, news }: Receivers): Promise<number> {
  return db.run(
    `with due as materialized (
       select ${key} from ${table} where ${key} in (select ${key} from ${secrets} where expires_at <= now())
       order by ${key} for update
     ), forgotten as (
       delete from ${secrets} where expires_at <= now() and ${key} in (select ${key} from due) returning ${key}
     ), changed as (
       update ${table} set updated_at = clock_timestamp() where ${key} in (select ${key} from forgotten)
     )
     select pg_notify($1, ${key}::text) from forgotten`,
    [news],
  );
}
