import * as wf from "@temporalio/workflow";
import {
  deliveryWorkflowId,
  type Senders,
  type SendingEnded,
  type StuckDelivery,
} from "../src/outbound/webhooks/delivery.js";
import { SubscriptionId } from "../src/temporal/search-attributes.js";
import { stop, webhookDelivery } from "./webhook-delivery.js";

export interface SubscriptionEnd {
  subscription_id: string;
  ended: SendingEnded;
}

// A turn lasts for hours; a worker that died is missed after the heartbeat's time.
const { deliverInOrder } = wf.proxyActivities<Senders>({
  startToCloseTimeout: "1 day",
  heartbeatTimeout: "10s",
  retry: { initialInterval: "1s", maximumInterval: "10s" },
});

/** The subscription's rows changed: it was paused, resumed, edited or revoked, or has something to replay. */
export const changed = wf.defineSignal("changed");

/**
 * Gives a partner every event once it happened, in order (spec 6.3). As long as deliveries succeed, one activity sends
 * them; the first that fails gets a process of its own, whose timers are its retry schedule, and everything behind it
 * waits. It ends when the subscription is paused or revoked; who resumes it starts it again.
 */
export async function webhookSubscription(subscriptionId: string): Promise<SubscriptionEnd> {
  let news = 0;
  let stuck: wf.ChildWorkflowHandle<typeof webhookDelivery> | undefined;

  wf.setHandler(changed, async () => {
    news++;
    await stuck?.signal(stop).catch(() => {}); // It has just ended.
  });
  wf.upsertSearchAttributes([{ key: SubscriptionId, value: subscriptionId }]);

  for (;;) {
    const known = news;
    wf.setCurrentDetails("Sends events in order");
    const turn = await deliverInOrder(subscriptionId);
    // What was told meanwhile may be that it goes on after all.
    if (turn.ended && news === known) return end(turn.ended);
    if (turn.stuck) await deliverStuck(turn.stuck);
    if (wf.workflowInfo().continueAsNewSuggested) {
      await wf.condition(wf.allHandlersFinished);
      return wf.continueAsNew<typeof webhookSubscription>(subscriptionId);
    }
  }

  /**
   * Waits until the delivery succeeded or was given up, or was stopped because rows changed: then the next turn sees to
   * it.
   */
  async function deliverStuck(delivery: StuckDelivery): Promise<void> {
    wf.setCurrentDetails(`Event ${delivery.event_id} blocks the ones behind it`);
    try {
      stuck = await wf.startChild(webhookDelivery, {
        workflowId: deliveryWorkflowId(delivery.first_delivery_id),
        args: [delivery],
        staticSummary: `Event ${delivery.event_id} (${delivery.event_type})`,
      });
      await stuck.result();
    } catch (error) {
      // Somebody ended it by hand, or one that was ended is not gone yet: the rows still say what is to be done.
      wf.log.warn("a delivery's process ended early", { delivery, error });
      await wf.sleep("1s");
    } finally {
      stuck = undefined;
    }
  }

  async function end(ended: SendingEnded): Promise<SubscriptionEnd> {
    await wf.condition(wf.allHandlersFinished);
    return { subscription_id: subscriptionId, ended };
  }
}
