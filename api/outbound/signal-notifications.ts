import { notificationRetry } from "../../src/outbound/notifications/delivery.js";
import { retriedNotifications } from "../../src/outbound/notifications/queries.js";
import { log } from "../../src/platform/log.js";
import type { destinationChanged } from "../../workflows/notification-delivery.js";
import { temporalClient } from "../http/workflow-updates.js";

/** Short: the change is committed, and the retry schedules act by the rows. */
const SIGNAL_WITHIN_MS = 1_500;

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
