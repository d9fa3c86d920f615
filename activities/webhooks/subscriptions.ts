import { type Actor, scopeOf } from "../../src/actor.js";
import type { WebhookSubscriptionStatus } from "../../src/states.js";
import type { Filter } from "../../src/webhooks/filter.js";
import {
  CannotModifyRevoked,
  ConnectorNotFound,
  SubscriptionNotFound,
} from "../../src/webhooks/problems.js";
import {
  type PauseReason,
  SUBSCRIPTION,
  type Subscription,
  type SubscriptionRecord,
  subscriptions,
  WITHIN,
} from "../../src/webhooks/queries.js";
import { type AuditEntry, command, type Tx } from "../command.js";
import { holdConnector } from "../connector-registry.js";
import { auditEdit, type Changes, edited } from "../edit.js";
import { tellSenders } from "./changed.js";
import {
  type Destination,
  type Policy,
  refuseDestination,
  refuseFilter,
  refuseHighCeilings,
} from "./rules.js";

interface Settings {
  display_name: string;
  subscription_filter: Filter;
  rate_limit_per_second: number;
  pending_ceiling: number;
  dlq_ceiling: number;
}

export interface NewSubscription extends Settings {
  connector_id: string;
  destination: Destination;
}

/** Makes a subscription, which is active at once and gets all events from the first one on (reference 05 §2). */
export function createSubscription(
  input: NewSubscription,
  sealed: string,
  policy: Policy,
  by: Actor,
) {
  return command("webhooks.create", by, { ...input, sealed }, async (tx) => {
    const { destination, subscription_filter } = input;
    refuseHighCeilings(input, policy);
    if (!(await holdConnector(tx, input.connector_id)))
      throw ConnectorNotFound();
    await refuseFilter(tx, subscription_filter, by);
    await refuseDestination(tx, destination, policy, by);
    const made = (await tx.row<Subscription>(
      `with s as (
         insert into webhook_subscriptions (connector_id, display_name, delivery_url, subscription_filter,
                                            rate_limit_per_second, pending_ceiling, dlq_ceiling)
         values ($1, $2, $3, $4, $5, $6, $7) returning *
       ), first_secret as (
         insert into webhook_secrets (subscription_id, generation, secret_ciphertext) select subscription_id, 1, $8 from s
       ) select ${SUBSCRIPTION} from s`,
      [
        input.connector_id,
        input.display_name,
        destination.url,
        JSON.stringify(subscription_filter),
        input.rate_limit_per_second,
        input.pending_ceiling,
        input.dlq_ceiling,
        sealed,
      ],
    )) as Subscription;
    tx.audit({
      ...entry(made),
      action: "WEBHOOK_SUBSCRIPTION_CREATE",
      details: {
        ...entry(made).details,
        connector_id: made.connector_id,
        delivery_url: made.delivery_url,
        subscription_filter,
      },
    });
    await tellSenders(tx, made.subscription_id);
    const { subscription_id, connector_id, display_name, delivery_url } = made;
    const { created_at, rate_limit_per_second } = made;
    return {
      ...{ subscription_id, connector_id, display_name, delivery_url },
      ...{ status: "active" as const, created_at, rate_limit_per_second },
      ...{
        pending_ceiling: made.pending_ceiling,
        dlq_ceiling: made.dlq_ceiling,
      },
      ...{ sealed, secret_generation: 1 as const },
    };
  });
}

export type SubscriptionChanges = Changes<
  Settings & { status: "active" | "paused" }
> & { destination?: Destination | undefined };

/** The record as it is now; with a word to who raised a ceiling and forgot to resume. */
export type Updated = SubscriptionRecord & { hint?: string };

/** Changes what is sent of a subscription, pauses it or resumes it. */
export function updateSubscription(
  subscription_id: string,
  changes: SubscriptionChanges,
  policy: Policy,
  by: Actor,
): Promise<Updated> {
  const input = { subscription_id, ...changes };
  return command("webhooks.update", by, input, async (tx) => {
    const before = await lockSubscription(tx, subscription_id, by);
    if (before.status === "revoked") throw CannotModifyRevoked();
    const { destination, status = before.status, ...settings } = changes;
    const pause_reason = reasonOf(status, before);
    const after = edited(before, { ...settings, status, pause_reason });
    refuseHighCeilings(settings, policy);
    if (settings.subscription_filter)
      await refuseFilter(tx, settings.subscription_filter, by);
    if (destination && destination.url !== before.delivery_url) {
      await refuseDestination(tx, destination, policy, by);
      after.delivery_url = destination.url;
    }
    if (JSON.stringify(before) !== JSON.stringify(after)) {
      await save(tx, after);
      auditEdit(
        tx,
        { ...entry(after), action: "WEBHOOK_SUBSCRIPTION_UPDATE" },
        before,
        after,
      );
      await tellSenders(tx, subscription_id);
    }
    const [record] = await subscriptions(tx, null, subscription_id);
    return { ...(record as SubscriptionRecord), ...hintOf(before, after) };
  });
}

/** Whoever pauses what is paused changes nothing: it keeps its reason. */
function reasonOf(
  status: WebhookSubscriptionStatus,
  before: Subscription,
): PauseReason | null {
  if (status === "active") return null;
  return before.pause_reason ?? "manual";
}

/** A new filter is held against all events behind the last one that was delivered. */
async function save(tx: Tx, after: Subscription): Promise<void> {
  await tx.run(
    `update webhook_subscriptions
     set display_name = $2, delivery_url = $3, subscription_filter = $4, rate_limit_per_second = $5, pending_ceiling = $6,
         dlq_ceiling = $7, status = $8, pause_reason = $9, updated_at = clock_timestamp(),
         scanned_event_id = case when subscription_filter = $4 then scanned_event_id else last_delivered_event_id end
     where subscription_id = $1`,
    [
      after.subscription_id,
      after.display_name,
      after.delivery_url,
      JSON.stringify(after.subscription_filter),
      after.rate_limit_per_second,
      after.pending_ceiling,
      after.dlq_ceiling,
      after.status,
      after.pause_reason,
    ],
  );
}

function hintOf(before: Subscription, after: Subscription): { hint?: string } {
  const ceiling = after.pause_reason;
  if (ceiling !== "pending_ceiling" && ceiling !== "dlq_ceiling") return {};
  if (after[ceiling] <= before[ceiling]) return {};
  return {
    hint: `${ceiling} was raised, but the subscription is still paused by it; send status: "active" to resume`,
  };
}

/** The subscription, locked before any of its secrets and deliveries; 404 when there is none that the keeper may see. */
export async function lockSubscription(
  tx: Tx,
  subscriptionId: string,
  by: Actor,
): Promise<Subscription> {
  const found = await tx.row<Subscription>(
    `select ${SUBSCRIPTION} from webhook_subscriptions s where ${WITHIN} and s.subscription_id = $2 for update`,
    [scopeOf(by), subscriptionId],
  );
  if (!found) throw SubscriptionNotFound();
  return found;
}

/** What every audit row of a subscription says; its id is no number. */
export const entry = ({
  subscription_id,
  display_name,
}: Subscription): Omit<AuditEntry, "action"> => ({
  entity: "WEBHOOK_SUBSCRIPTION",
  entityId: 0,
  details: { subscription_id, display_name },
});
