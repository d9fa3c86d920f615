import * as wf from "@temporalio/workflow";
import type * as retrying from "../activities/outbound/webhooks/sending/claim.js";
import { MAX_ATTEMPTS } from "../src/outbound/retry.js";
import type { DeliveryAttempted, SendingActivities, StuckDelivery, StuckPartner } from "../src/outbound/sending.js";
import { FAULT } from "../src/platform/temporal/failures.js";
import { Connector, EventId, SubscriptionId } from "../src/platform/temporal/search-attributes.js";
import { databaseActivities } from "./database-activities.js";
import { type Retried, type RetryEnding, retry } from "./retry.js";

type Ended = NonNullable<DeliveryAttempted["ended"]>;

export interface DeliveryEnd {
  event_id: number;
  ended: Ended;
}

// An attempt lasts ten seconds at most, as configured by default. One that takes longer goes on, and the next run of
// the activity finds what came of it.
const { attemptDelivery } = wf.proxyActivities<SendingActivities>({
  startToCloseTimeout: "15s",
  retry: { initialInterval: "1s", maximumInterval: "10s", nonRetryableErrorTypes: [FAULT] },
});

const { readPartner, giveUpDelivery } = databaseActivities<typeof retrying>({
  readPartner: "Reads whom the event is for",
  giveUpDelivery: "Gives the event up for the Temporal UI: a dead letter",
});

/** The subscription was changed: look at the rows instead of waiting on. */
export const changed = wf.defineSignal("changed");

/**
 * The retry schedule of one event for one subscription: attempts 2 to 8. The events behind it, or those of the same
 * aggregate, wait until it ends; the latter have a sender that makes the attempts itself.
 */
export async function webhookDelivery(delivery: StuckDelivery): Promise<DeliveryEnd> {
  // Those that 0.3.0 started have this in their history.
  wf.deprecatePatch("stage and outcome");
  const ended = await retry(
    () => readPartner(delivery),
    (partner) => stuck(delivery, partner),
    changed,
  );
  return { event_id: delivery.event_id, ended };
}

function stuck(delivery: StuckDelivery, partner: StuckPartner): Retried<Ended> {
  const { subscription_id, event_id, event_type } = delivery;
  const { display_name: name, connector_id, by_aggregate, failure } = partner;
  const behind = by_aggregate ? "later events of its aggregate" : "events behind it";
  const what = `event ${event_id}${event_type ? ` (${event_type})` : ""}`;
  return {
    title: `${name}: ${what}`,
    ...{ name, what, undone: `${name} has not got ${what} yet` },
    behind: `${behind} wait too`,
    waiting: `waits for its next attempt; ${behind} wait too`,
    mend: `${behind} go on; mend the cause, then replay the dead letter in the webhook's list`,
    attributes: [
      { key: SubscriptionId, value: subscription_id },
      { key: EventId, value: String(event_id) },
      ...(connector_id ? [{ key: Connector, value: connector_id }] : []),
    ],
    attempts: MAX_ATTEMPTS,
    failure,
    attempt: (summary) => attemptDelivery.executeWithOptions({ summary }, [delivery]),
    resumes: true,
    continueAsNew: () => wf.continueAsNew<typeof webhookDelivery>(delivery),
    giveUp: async (commandId) => (await giveUpDelivery(delivery, commandId)).ended,
    lastFailure: async () => (await readPartner(delivery)).failure,
    ending: (ended) => endings(ended, `${name} never got ${what}`, behind),
  };
}

function endings(ended: Exclude<Ended, "dlq">, ungot: string, behind: string): RetryEnding {
  if (ended === "succeeded")
    return { ended: "delivered", why: "the partner accepted it", next: `nothing here: ${behind} go on` };
  if (ended === "failed")
    return {
      ...{ ended: "failed", why: "the event or its webhook is gone", next: `${behind} go on` },
      failure: ["EventGone", ungot],
    };
  const next = "what waits is sent when the webhook is active again";
  return { ended: "stopped", why: `the webhook is ${ended}`, next };
}
