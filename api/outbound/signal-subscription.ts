import { log } from "../../src/log.js";
import { subscriptionWorkflowId } from "../../src/outbound/webhooks/delivery.js";
import type { changed } from "../../workflows/webhook-subscription.js";
import { taskQueue, temporalClient, type WorkflowCall } from "../http/workflow-updates.js";

/** Short: the change is committed, and senders are also notified of it by Postgres. */
const SIGNAL_WITHIN_MS = 1_500;

/**
 * Signals a subscription's workflow that its rows changed, and starts it where none runs. When Temporal cannot be
 * reached, the schedule `maintenance-reconcile` starts it later.
 */
export async function signalSubscription({ res }: Pick<WorkflowCall, "res">, subscriptionId: string): Promise<void> {
  const workflowId = subscriptionWorkflowId(subscriptionId);
  res.setHeader("X-Service-Workflow-Id", workflowId);
  const client = temporalClient();
  const signal: typeof changed.name = "changed";
  try {
    await client.withDeadline(Date.now() + SIGNAL_WITHIN_MS, () =>
      client.workflow.signalWithStart("webhookSubscription", {
        workflowId,
        taskQueue,
        args: [subscriptionId],
        signal,
        signalArgs: [],
        staticSummary: `Webhook ${subscriptionId}`,
      }),
    );
  } catch (err) {
    log.warn({ err, workflowId }, "webhook workflow was not signalled");
  }
}
