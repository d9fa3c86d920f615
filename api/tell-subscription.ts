import { log } from "../src/log.js";
import { subscriptionWorkflowId } from "../src/webhooks/delivery.js";
import type { changed } from "../workflows/webhook-subscription.js";
import { type Asking, engine, taskQueue } from "./process.js";

/** The change is committed, and senders hear of it from Postgres too; so the caller does not wait long for the engine. */
const TELL_WITHIN_MS = 1_500;

/**
 * Tells a subscription's process that its rows changed, and starts it where none runs. When the engine cannot be reached, the
 * reconciling schedule starts what is missing.
 */
export async function tellSubscription(
  { res }: Pick<Asking, "res">,
  subscriptionId: string,
): Promise<void> {
  const workflowId = subscriptionWorkflowId(subscriptionId);
  res.setHeader("X-Service-Workflow-Id", workflowId);
  const asked = engine();
  const signal: typeof changed.name = "changed";
  try {
    await asked.withDeadline(Date.now() + TELL_WITHIN_MS, () =>
      asked.workflow.signalWithStart("webhookSubscription", {
        workflowId,
        taskQueue,
        args: [subscriptionId],
        signal,
        signalArgs: [],
        staticSummary: `Webhook ${subscriptionId}`,
      }),
    );
  } catch (err) {
    log.warn({ err, workflowId }, "webhook process was not told");
  }
}
