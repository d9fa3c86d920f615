import * as wf from "@temporalio/workflow";
import type * as givingUp from "../activities/outbound/webhooks/sending/give-up.js";
import { MAX_ATTEMPTS } from "../src/outbound/retry.js";
import type {
  DeliveryActivities,
  DeliveryAttempted,
  StuckDelivery,
  StuckPartner,
} from "../src/outbound/webhooks/delivery.js";
import { readableFailure } from "../src/outbound/webhooks/error-kinds.js";
import { clock, detailsText } from "../src/platform/temporal/details.js";
import { FAULT } from "../src/platform/temporal/failures.js";
import {
  Connector,
  EventId,
  type OutcomeValue,
  Stage,
  SubscriptionId,
} from "../src/platform/temporal/search-attributes.js";
import { setAttributes, setEnded } from "./attributes.js";
import { databaseActivities } from "./database-activities.js";
import { AFTER_FAULT, businessFailure, endAtFault, uninterrupted } from "./endings.js";

export interface DeliveryEnd {
  event_id: number;
  ended: NonNullable<DeliveryAttempted["ended"]> | "cancelled";
}

// An attempt lasts ten seconds at most, as configured by default. One that takes longer goes on, and the next run of
// the activity finds what came of it.
const { attemptDelivery } = wf.proxyActivities<DeliveryActivities>({
  startToCloseTimeout: "15s",
  retry: { initialInterval: "1s", maximumInterval: "10s", nonRetryableErrorTypes: [FAULT] },
});

const { readPartner, giveUpDelivery } = databaseActivities<typeof givingUp>({
  readPartner: "Reads whom the event is for",
  giveUpDelivery: "Gives the event up for the Temporal UI: a dead letter",
});

/** The subscription was changed: look at the rows instead of waiting on. */
export const changed = wf.defineSignal("changed");

/**
 * The retry schedule of one event for one subscription: attempts 2 to 8, with a timer before each (docs/interface.md,
 * Webhooks). Its rows hold what is due when, so it can be begun again at any time. A dead letter fails it, so that the
 * list shows it. When somebody asks for its cancellation in the Temporal UI, the event is given up.
 */
export function webhookDelivery(delivery: StuckDelivery): Promise<DeliveryEnd> {
  const scope = wf.CancellationScope.current();
  return uninterrupted(() => deliver(delivery, () => scope.consideredCancelled));
}

async function deliver(delivery: StuckDelivery, cancelled: () => boolean): Promise<DeliveryEnd> {
  const { event_id, event_type } = delivery;
  // Deliveries that version 0.1.0 started know no partner, and complete when they are given up.
  const noted = wf.patched("stage and outcome");
  let news = false;
  wf.setHandler(changed, () => {
    news = true;
  });
  const partner: StuckPartner = noted
    ? await readPartner(delivery)
    : { display_name: "The partner", connector_id: null, failure: null, missing_attributes: [] };
  const { display_name, connector_id, missing_attributes: missing } = partner;
  setAttributes(
    [
      { key: SubscriptionId, value: delivery.subscription_id },
      { key: EventId, value: String(event_id) },
      ...(noted ? [{ key: Stage, value: "retrying" }] : []),
      ...(connector_id ? [{ key: Connector, value: connector_id }] : []),
    ],
    missing,
  );
  const event = `event ${event_id}${event_type ? ` (${event_type})` : ""}`;
  let failure = readableFailure(partner.failure) ?? "failed";
  let attempt: number | undefined;

  return endAtFault(`${display_name} has not got ${event} yet`, tryAndWait, (why) => {
    show("stopped at a fault; events behind it wait too", why, AFTER_FAULT);
    setEnded("failed", missing);
  });

  async function tryAndWait(): Promise<DeliveryEnd> {
    while (!cancelled()) {
      news = false;
      const summary = attempt
        ? `Attempt ${attempt} of ${MAX_ATTEMPTS} to ${display_name}`
        : "Looks which attempt is due";
      const { ended, next, failure: latest } = await attemptDelivery.executeWithOptions({ summary }, [delivery]);
      failure = readableFailure(latest) ?? failure;
      // After a change during the attempt, it may go on after all.
      if (ended && !news) return end(ended);
      if (wf.workflowInfo().continueAsNewSuggested && !cancelled())
        return wf.continueAsNew<typeof webhookDelivery>(delivery);
      if (!next) continue;
      attempt = next.attempt;
      const at = clock(Date.now() + next.wait_ms);
      const due = `attempt ${attempt} of ${MAX_ATTEMPTS} at ${at}`;
      show("waits for its next attempt; events behind it wait too", `attempt ${attempt - 1} failed: ${failure}`, due);
      await wf.condition(() => news || cancelled(), next.wait_ms, { summary: `${failure}: ${due}` });
    }
    const given = await giveUpDelivery(delivery, `${wf.workflowInfo().runId}:cancel`);
    return end(given.ended);
  }

  async function end(ended: DeliveryEnd["ended"]): Promise<DeliveryEnd> {
    if (noted && ended === "dlq") failure = readableFailure((await readPartner(delivery)).failure) ?? failure;
    const { outcome, why, next } = endings(ended, failure);
    show(`has ended: ${outcome}`, why, next);
    if (noted) {
      setEnded(outcome, missing);
      if (ended === "cancelled") throw new wf.CancelledFailure(why);
      if (ended === "dlq") throw businessFailure("DeadLetter", `${display_name} did not take ${event}: ${why}`);
      if (ended === "failed") throw businessFailure("EventGone", `${display_name} never got ${event}: ${why}`);
    }
    return { event_id, ended };
  }

  function show(where: string, why: string, next: string): void {
    wf.setCurrentDetails(detailsText({ where: `${display_name}: ${event} ${where}`, why, next }));
  }
}

const DEAD_LETTER = "events behind it go on; mend the cause, then replay the dead letter in the webhook's list";

function endings(ended: DeliveryEnd["ended"], failure: string): { outcome: OutcomeValue; why: string; next: string } {
  if (ended === "succeeded")
    return { outcome: "delivered", why: "the partner accepted it", next: "nothing here: events behind it go on" };
  if (ended === "dlq")
    return {
      outcome: "dead-lettered",
      why: `all ${MAX_ATTEMPTS} attempts failed, the last one: ${failure}`,
      next: DEAD_LETTER,
    };
  if (ended === "failed")
    return { outcome: "failed", why: "the event or its webhook is gone", next: "events behind it go on" };
  if (ended === "cancelled")
    return { outcome: "cancelled", why: "cancellation was requested in the Temporal UI", next: DEAD_LETTER };
  return {
    outcome: "stopped",
    why: `the webhook is ${ended}`,
    next: "what waits is sent when the webhook is active again",
  };
}
