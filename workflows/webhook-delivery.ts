import * as wf from "@temporalio/workflow";
import {
  type Attempted,
  type DeliveryActivities,
  MAX_ATTEMPTS,
  type StuckDelivery,
} from "../src/outbound/webhooks/delivery.js";
import { EventId, SubscriptionId } from "../src/temporal/search-attributes.js";

export interface DeliveryEnd {
  event_id: number;
  ended: NonNullable<Attempted["ended"]>;
}

// An attempt lasts ten seconds at most, as configured by default. One that takes longer goes on, and the next run of
// the activity finds what came of it.
const { attemptDelivery } = wf.proxyActivities<DeliveryActivities>({
  startToCloseTimeout: "15s",
  retry: { initialInterval: "1s", maximumInterval: "10s" },
});

/** The subscription was changed: look at the rows instead of waiting on. */
export const changed = wf.defineSignal("changed");

/**
 * The retry schedule of one event for one subscription: attempts 2 to 8, with a timer before each (spec 6.3, rule 3).
 * Its rows hold what is due when, so it can be begun again at any time.
 */
export async function webhookDelivery(delivery: StuckDelivery): Promise<DeliveryEnd> {
  let news = false;
  wf.setHandler(changed, () => {
    news = true;
  });
  wf.upsertSearchAttributes([
    { key: SubscriptionId, value: delivery.subscription_id },
    { key: EventId, value: String(delivery.event_id) },
  ]);

  for (;;) {
    news = false;
    const { ended, next, failure } = await attemptDelivery(delivery);
    // After a change during the attempt, it may go on after all.
    if (ended && !news) return { event_id: delivery.event_id, ended };
    if (wf.workflowInfo().continueAsNewSuggested) return wf.continueAsNew<typeof webhookDelivery>(delivery);
    if (!next) continue;
    wf.setCurrentDetails(
      `${failure ?? "Failed"}. Attempt ${next.attempt} of ${MAX_ATTEMPTS} in ${Math.ceil(next.wait_ms / 1_000)} s`,
    );
    await wf.condition(() => news, next.wait_ms);
  }
}
