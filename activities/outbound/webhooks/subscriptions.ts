import { checkKept, checkPlace, STREAM, Stream } from "../../../src/outbound/polling/stream.js";
import {
  CannotModifyRevoked,
  CannotRotateRevoked,
  LiveDeliveries,
  UnknownConnector,
} from "../../../src/outbound/problems.js";
import { canonicalUrl } from "../../../src/outbound/webhooks/canonical-url.js";
import { keyFields } from "../../../src/outbound/webhooks/key-shapes.js";
import { SUBSCRIPTION, Subscription, subscriptions } from "../../../src/outbound/webhooks/queries.js";
import type { NewWebhook, StartFrom, WebhookSubscription } from "../../../src/outbound/webhooks/shapes.js";
import type { Actor } from "../../../src/platform/actor.js";
import { int } from "../../../src/platform/db/columns.js";
import { mayBecome, webhookSubscriptionStates } from "../../../src/platform/states.js";
import { command, type Tx } from "../../command.js";
import { auditEdit, type Changes, withChanges } from "../../edit.js";
import { shareLockConnector } from "../connector-registry.js";
import {
  entry,
  lockVisibleSubscription,
  notifySenders,
  pauseReasonOf,
  storeNewSecret,
  webhookReceivers,
} from "../receivers.js";
import { sequenceAll } from "../sequencer.js";
import { changeKeys, type KeyChanges, type NewKey, replaceSigningKey, shownKeys } from "./keys.js";
import {
  type DeliveryUrl,
  type Destination,
  type Policy,
  refuseConflicts,
  refuseContact,
  refuseDeliveryUrl,
  refuseDestination,
  refuseFilter,
  refuseHighCeilings,
} from "./rules.js";

type Settings = Omit<
  NewWebhook,
  "connector_id" | "delivery_url" | "acknowledge_url_reuse" | "start_from" | "signature" | "client_tls" | "oauth"
>;

export type NewSubscription = Settings & {
  /** Made by the caller: the secret is sealed for it. */
  subscription_id: string;
  connector_id: string;
  destination: DeliveryUrl;
  start_from: StartFrom;
  keys: KeyChanges;
  /** Where access tokens are given. */
  tokens: Destination | undefined;
};

/** Makes a subscription, which is active at once and gets all events from `start_from` on. */
export async function createSubscription(input: NewSubscription, sealed: string, policy: Policy, by: Actor) {
  // What is committed by now gets its number, so the newest number separates it from what is committed later.
  if (input.start_from === "now") await sequenceAll();
  return command("webhooks.create", by, { ...input, sealed }, async (tx) => {
    const { destination, subscription_filter, start_from } = input;
    refuseHighCeilings(input, policy);
    if (!(await shareLockConnector(tx, input.connector_id))) throw UnknownConnector();
    await refuseFilter(tx, subscription_filter, by);
    await refuseDeliveryUrl(tx, destination, policy, by);
    if (input.tokens) refuseDestination(input.tokens, policy.allowHttp);
    await refuseContact(tx, input.contact_webhook_id, by);
    refuseConflicts(input);
    const after = await lastEventBefore(tx, start_from);
    const made = (await tx.row(
      Subscription,
      `with s as (
         insert into webhook_subscriptions (connector_id, display_name, delivery_url, subscription_filter,
                                            rate_limit_per_second, pending_ceiling, dlq_ceiling, ordering,
                                            payload, format, batch, contact_webhook_id, subscription_id,
                                            last_delivered_event_id, scanned_event_id)
         values (:connector_id, :display_name, :delivery_url, :subscription_filter, :rate_limit_per_second,
                 :pending_ceiling, :dlq_ceiling, :ordering, :payload, :format, :batch, :contact_webhook_id,
                 :subscription_id,
                 :after, :after) returning *
       ), first_secret as (
         insert into webhook_secrets (subscription_id, generation, secret_ciphertext)
           select subscription_id, 1, :sealed from s
       ) select ${SUBSCRIPTION} from s`,
      {
        ...input,
        delivery_url: destination.url,
        subscription_filter: JSON.stringify(subscription_filter),
        batch: batchIn(input),
        sealed,
        after,
      },
    )) as Subscription;
    await changeKeys(tx, made.subscription_id, input.keys);
    const { public_keys, ...keys } = keyFields(await shownKeys(tx, made.subscription_id));
    tx.audit({
      ...entry(made),
      action: "WEBHOOK_SUBSCRIPTION_CREATE",
      details: {
        ...entry(made).details,
        connector_id: made.connector_id,
        delivery_url: made.delivery_url,
        ...{ subscription_filter, ordering: made.ordering, start_from, last_delivered_event_id: after },
        ...(Object.values(input.keys).some(Boolean) && keys),
        ...(made.batch && { batch: made.batch }),
        ...(made.payload !== "full" && { payload: made.payload }),
        ...(made.format !== "envelope" && { format: made.format }),
        ...(made.contact_webhook_id && { contact_webhook_id: made.contact_webhook_id }),
      },
    });
    await notifySenders(tx, webhookReceivers, made.subscription_id);
    const { subscription_id, connector_id, display_name, delivery_url } = made;
    const { created_at, rate_limit_per_second } = made;
    return {
      ...{ subscription_id, connector_id, display_name, delivery_url },
      ...{ status: "active" as const, created_at, rate_limit_per_second },
      ...{
        pending_ceiling: made.pending_ceiling,
        dlq_ceiling: made.dlq_ceiling,
        ordering: made.ordering,
      },
      ...{ sealed, secret_generation: 1 as const },
      ...publicKeyIn(public_keys),
    };
  });
}

const publicKeyIn = ([public_key]: string[]) => (public_key ? { public_key } : {});

/** The event that a new subscription counts as its last one, so that the next one is its first. */
async function lastEventBefore(tx: Tx, start: StartFrom): Promise<number> {
  if (start === "beginning") return 0;
  const stream = (await tx.row(Stream, `select ${STREAM}`)) as Stream;
  if (start === "now") return stream.last_no;
  checkPlace(stream, start, undefined);
  checkKept(stream, start - 1);
  return start - 1;
}

export type SubscriptionChanges = Changes<Settings & { status: "active" | "paused" }> & {
  destination?: DeliveryUrl | undefined;
  keys?: KeyChanges;
  tokens?: Destination | undefined;
};

/** The updated record; with a hint where a ceiling was raised, but the subscription is still paused by it. */
export type Updated = WebhookSubscription & { hint?: string };

/** Changes, pauses or resumes a subscription. */
export function updateSubscription(
  subscription_id: string,
  changes: SubscriptionChanges,
  policy: Policy,
  by: Actor,
): Promise<Updated> {
  const input = { subscription_id, ...changes };
  return command("webhooks.update", by, input, async (tx) => {
    const before = await lockVisibleSubscription(tx, subscription_id, by);
    if (before.status === "revoked") throw CannotModifyRevoked();
    const { destination, tokens, keys = {}, status = before.status, ...settings } = changes;
    const pause_reason = pauseReasonOf(status, before);
    const after = withChanges(before, { ...settings, status, pause_reason });
    refuseHighCeilings(settings, policy);
    if (settings.subscription_filter) await refuseFilter(tx, settings.subscription_filter, by);
    if (destination && destination.url !== before.delivery_url) {
      await refuseDeliveryUrl(tx, destination, policy, by);
      after.delivery_url = destination.url;
    }
    if (tokens) refuseDestination(tokens, policy.allowHttp);
    await refuseContact(tx, settings.contact_webhook_id, by);
    refuseConflicts(after);
    const keysBefore = keyFields(await shownKeys(tx, subscription_id));
    await changeKeys(tx, subscription_id, keys);
    const [was, is] = [
      { ...before, ...keysBefore },
      { ...after, ...keyFields(await shownKeys(tx, subscription_id)) },
    ];
    if (JSON.stringify(was) !== JSON.stringify(is)) {
      await save(tx, after);
      auditEdit(tx, { ...entry(after), action: "WEBHOOK_SUBSCRIPTION_UPDATE" }, was, is);
      await notifySenders(tx, webhookReceivers, subscription_id);
    }
    const [record] = await subscriptions(tx, null, subscription_id);
    return { ...(record as WebhookSubscription), ...hintOf(before, after) };
  });
}

/**
 * A new filter is applied to all events after the last one that was delivered or waits to be: what waits is still sent,
 * and not selected again, in whatever order.
 */
async function save(tx: Tx, after: Subscription): Promise<void> {
  await tx.run(
    `update webhook_subscriptions
     set display_name = :display_name, delivery_url = :delivery_url, subscription_filter = :subscription_filter,
         rate_limit_per_second = :rate_limit_per_second, pending_ceiling = :pending_ceiling,
         dlq_ceiling = :dlq_ceiling, ordering = :ordering, payload = :payload, format = :format, batch = :batch,
         contact_webhook_id = :contact_webhook_id, status = :status, pause_reason = :pause_reason,
         updated_at = clock_timestamp(),
         scanned_event_id = greatest(
           case when subscription_filter = :subscription_filter then scanned_event_id else last_delivered_event_id end,
           (select max(d.event_id) from webhook_deliveries d
            where d.subscription_id = :subscription_id and d.status in ('pending', 'in_flight')))
     where subscription_id = :subscription_id`,
    { ...after, subscription_filter: JSON.stringify(after.subscription_filter), batch: batchIn(after) },
  );
}

const batchIn = ({ batch }: Pick<NewWebhook, "batch">) => batch && JSON.stringify(batch);

function hintOf(before: Subscription, after: Subscription): { hint?: string } {
  const ceiling = after.pause_reason;
  if (ceiling !== "pending_ceiling" && ceiling !== "dlq_ceiling") return {};
  if (after[ceiling] <= before[ceiling]) return {};
  return { hint: `${ceiling} was raised, but the subscription is still paused by it; send status: "active" to resume` };
}

/**
 * Gives a subscription a new secret, and a new signing key if it has one; those before hold for another 24 hours
 * (docs/interface.md, Webhooks).
 */
export function rotateSecret(subscription_id: string, sealed: string, signing: NewKey, by: Actor) {
  const input = { subscription_id, sealed };
  return command("webhooks.rotateSecret", by, input, async (tx) => {
    const subscription = await lockVisibleSubscription(tx, subscription_id, by);
    if (subscription.status === "revoked") throw CannotRotateRevoked();
    const demoted_secret_expires_at = await storeNewSecret(tx, webhookReceivers, subscription_id, sealed);
    await replaceSigningKey(tx, subscription_id, signing);
    const { public_keys } = keyFields(await shownKeys(tx, subscription_id));
    const { details, ...of } = entry(subscription);
    tx.audit({ ...of, action: "WEBHOOK_SECRET_ROTATE", details: { ...details, demoted_secret_expires_at } });
    await notifySenders(tx, webhookReceivers, subscription_id);
    return { subscription_id, sealed, secret_generation: 1 as const, ...publicKeyIn(public_keys) };
  });
}

/** The error of deliveries that are not sent because their subscription was revoked. */
export const REVOKED = "The subscription was revoked";

/** Revokes a subscription for good. Waiting deliveries are never sent; attempts that are under way are completed. */
export function revokeSubscription(subscription_id: string, by: Actor) {
  return command("webhooks.revoke", by, { subscription_id }, async (tx) => {
    const subscription = await lockVisibleSubscription(tx, subscription_id, by);
    await tx.run(
      `update webhook_deliveries
       set status = 'failed', completed_at = now(), error_kind = 'unknown', error_detail = $2
       where subscription_id = $1 and status = 'pending'`,
      [subscription_id, REVOKED],
    );
    if (mayBecome(webhookSubscriptionStates, subscription.status, "revoked")) {
      await tx.run(
        `update webhook_subscriptions set status = 'revoked', pause_reason = null, updated_at = clock_timestamp()
         where subscription_id = $1`,
        [subscription_id],
      );
      tx.audit({ ...entry(subscription), action: "WEBHOOK_SUBSCRIPTION_DELETE_SOFT" });
      await notifySenders(tx, webhookReceivers, subscription_id);
    }
    return { subscription_id, purged: false, status: "revoked" } as const;
  });
}

/** Deletes a subscription with its secrets and deliveries; a tombstone keeps its URL. */
export function purgeSubscription(subscription_id: string, by: Actor) {
  return command("webhooks.purge", by, { subscription_id }, async (tx) => {
    const subscription = await lockVisibleSubscription(tx, subscription_id, by);
    const live = await tx.row(
      { count: int },
      "select count(*) from webhook_deliveries where subscription_id = $1 and status in ('pending', 'in_flight')",
      [subscription_id],
    );
    const live_count = live?.count as number;
    if (live_count > 0)
      throw LiveDeliveries({}, { live_count, detail: "Delete it without purge first, and purge it when they ended" });
    const { connector_id, delivery_url } = subscription;
    const [deliveries_purged, , tombstone] = await Promise.all([
      tx.run("delete from webhook_deliveries where subscription_id = $1", [subscription_id]),
      tx.run("delete from webhook_subscriptions where subscription_id = $1", [subscription_id]),
      tx.row(
        { tombstone_id: int },
        `insert into webhook_subscriptions_tombstones
           (subscription_id, delivery_url_at_delete, delivery_url_canonical, connector_id, deleted_by)
         values (:subscription_id, :delivery_url, :canonical_url, :connector_id, :user_id) returning tombstone_id`,
        { subscription_id, delivery_url, canonical_url: canonicalUrl(delivery_url), connector_id, user_id: by.userId },
      ),
    ]);
    const tombstone_id = tombstone?.tombstone_id as number;
    const { details, ...of } = entry(subscription);
    tx.audit({
      ...of,
      action: "WEBHOOK_SUBSCRIPTION_DELETE_HARD",
      details: {
        ...{ ...details, connector_id, delivery_url, tombstone_id },
        ...{ status_before: subscription.status, deliveries_purged },
      },
    });
    await notifySenders(tx, webhookReceivers, subscription_id);
    return { subscription_id, purged: true as const, tombstone_id };
  });
}
