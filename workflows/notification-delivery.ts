import * as wf from "@temporalio/workflow";
import type * as sending from "../activities/outbound/notifications/sender.js";
import { MAX_ATTEMPTS } from "../src/outbound/retry.js";
import type {
  NotificationEnded,
  NotificationPartner,
  RetriedNotification,
  SendingActivities,
} from "../src/outbound/sending.js";
import { FAULT } from "../src/platform/temporal/failures.js";
import { warehouseAttributes } from "../src/platform/temporal/search-attributes.js";
import { databaseActivities } from "./database-activities.js";
import { type Retried, type RetryEnding, retry } from "./retry.js";

export interface NotificationEnd {
  notification_id: number;
  ended: NotificationEnded;
}

// An attempt lasts a minute at most, however it is configured.
const { attemptNotification } = wf.proxyActivities<SendingActivities>({
  startToCloseTimeout: "90s",
  heartbeatTimeout: "10s",
  retry: { initialInterval: "1s", maximumInterval: "10s", nonRetryableErrorTypes: [FAULT] },
});

const { readDestination, giveUpNotification } = databaseActivities<typeof sending>({
  readDestination: "Reads where the message goes",
  giveUpNotification: "Gives the message up for the Temporal UI",
});

/** The destination was switched off, deleted or given another URL: look at the rows instead of waiting on. */
export const destinationChanged = wf.defineSignal("destinationChanged");

/**
 * The retry schedule of one message to a notification destination: attempts 2 to 8. It holds up no other message.
 */
export async function notificationDelivery(retried: RetriedNotification): Promise<NotificationEnd> {
  const ended = await retry(
    () => readDestination(retried),
    (destination) => failed(retried, destination),
    destinationChanged,
  );
  return { notification_id: retried.notification_id, ended };
}

function failed(retried: RetriedNotification, destination: NotificationPartner): Retried<NotificationEnded> {
  const { notification_id, event_type } = retried;
  const { host_preview: name, failure, ...of } = destination;
  const what = `message ${notification_id} (${event_type})`;
  return {
    title: `${what} to ${name}`,
    ...{ name, what, undone: `${name} has not got ${what} yet` },
    behind: "other messages go on",
    waiting: "waits for its next attempt; other messages go on",
    mend: "mend the cause, and send a test message to the destination; this message is not sent again",
    attributes: warehouseAttributes(of),
    attempts: MAX_ATTEMPTS,
    failure,
    attempt: (summary) => attemptNotification.executeWithOptions({ summary }, [retried]),
    continueAsNew: () => wf.continueAsNew<typeof notificationDelivery>(retried),
    giveUp: async (commandId) => (await giveUpNotification(retried, commandId)).ended,
    lastFailure: async () => (await readDestination(retried)).failure,
    ending,
  };
}

function ending(ended: Exclude<NotificationEnded, "dlq">): RetryEnding {
  if (ended === "succeeded") return { ended: "delivered", why: "the destination accepted it", next: "nothing" };
  if (ended === "disabled")
    return {
      ended: "stopped",
      why: "sending is switched off (DISPATCHER_ENABLED)",
      next: "it is tried again when sending is switched on",
    };
  const why = ended === "gone" ? "the destination was deleted" : "the destination was switched off";
  return { ended: "stopped", why, next: "nothing: the message is not sent again" };
}
