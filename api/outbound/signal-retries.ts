import type { Response } from "express";
import { retriedNotifications } from "../../src/outbound/notifications/queries.js";
import { notificationRetry, retrySchedule } from "../../src/outbound/sending.js";
import { stuckDeliveries } from "../../src/outbound/webhooks/queries.js";
import { log } from "../../src/platform/log.js";
import { WORKFLOW_TASK_TIMEOUT } from "../../src/platform/temporal/connection.js";
import type { destinationChanged } from "../../workflows/notification-delivery.js";
import type { changed } from "../../workflows/webhook-delivery.js";
import { taskQueue, temporalClient } from "../http/workflow-updates.js";

/** Short: the change is committed, and the retry schedules act by the rows. */
const SIGNAL_WITHIN_MS = 1_500;

/**
 * Changes a subscription. When deliveries of it wait for a retry, their workflows are signalled to look at the rows;
 * they are started where none run, as after a pause. When Temporal cannot be reached, they look when their timers end,
 * or the schedule `maintenance-reconcile` starts them. The header names the first one.
 */
export async function changeAndSignal<T>(res: Response, subscriptionId: string, change: () => Promise<T>): Promise<T> {
  // Afterwards a revoked subscription has none.
  const schedules = (await stuckDeliveries(subscriptionId)).map(retrySchedule);
  const answer = await change();
  const [first] = schedules;
  if (!first) return answer;
  res.setHeader("X-Service-Workflow-Id", first.workflowId);
  const client = temporalClient();
  const signal: typeof changed.name = "changed";
  try {
    await client.withDeadline(Date.now() + SIGNAL_WITHIN_MS, () =>
      Promise.all(
        schedules.map(({ workflow, ...schedule }) =>
          client.workflow.signalWithStart(workflow, {
            ...schedule,
            taskQueue,
            workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
            signal,
            signalArgs: [],
          }),
        ),
      ),
    );
  } catch (err) {
    log.warn({ err, subscriptionId }, "retry schedules of webhook deliveries were not signalled");
  }
  return answer;
}

/**
 * Changes a destination, and has the retry schedules of its messages look at their rows. A signal may be lost: then the
 * schedule looks when its timer ends.
 */
export async function signalRetries<T>(webhookId: number, change: () => Promise<T>): Promise<T> {
  const waiting = await retriedNotifications(webhookId);
  const answer = await change();
  if (waiting.length === 0) return answer;
  const client = temporalClient();
  const signal: typeof destinationChanged.name = "destinationChanged";
  await client.withDeadline(Date.now() + SIGNAL_WITHIN_MS, () =>
    Promise.all(
      waiting.map((retried) => {
        const { workflowId } = notificationRetry(retried);
        return client.workflow
          .getHandle(workflowId)
          .signal(signal)
          .catch((err) => log.debug({ err, workflowId }, "retry schedule of a notification was not signalled"));
      }),
    ),
  );
  return answer;
}
