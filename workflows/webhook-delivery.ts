import * as wf from "@temporalio/workflow";
import { type Attempted, MAX_ATTEMPTS, type Senders, type StuckDelivery } from "../src/outbound/webhooks/delivery.js";
import { EventId, SubscriptionId } from "../src/temporal/search-attributes.js";

export interface DeliveryEnd {
  event_id: number;
  /** `stopped`: the subscription's rows changed, and its own process looks what that means. */
  ended: NonNullable<Attempted["ended"]> | "stopped";
}

const { attemptDelivery } = wf.proxyActivities<Senders>({
  startToCloseTimeout: "2m",
  heartbeatTimeout: "10s",
  retry: { initialInterval: "1s", maximumInterval: "10s" },
});

/** Look at the rows instead of waiting on. */
export const stop = wf.defineSignal("stop");

/**
 * The retry schedule of one event for one subscription: attempts 2 to 8, with a timer before each (spec 6.3, rule 3).
 * Its rows hold what is due when, so it can be begun again at any time.
 */
export async function webhookDelivery(delivery: StuckDelivery): Promise<DeliveryEnd> {
  let stopped = false;
  wf.setHandler(stop, () => {
    stopped = true;
  });
  wf.upsertSearchAttributes([
    { key: SubscriptionId, value: delivery.subscription_id },
    { key: EventId, value: String(delivery.event_id) },
  ]);

  while (!stopped) {
    const { ended, next, failure } = await attemptDelivery(delivery);
    if (ended) return { event_id: delivery.event_id, ended };
    if (!next) continue;
    wf.setCurrentDetails(
      `${failure ?? "Failed"}. Attempt ${next.attempt} of ${MAX_ATTEMPTS} in ${Math.ceil(next.wait_ms / 1_000)} s`,
    );
    await wf.condition(() => stopped, next.wait_ms);
  }
  return { event_id: delivery.event_id, ended: "stopped" };
}
