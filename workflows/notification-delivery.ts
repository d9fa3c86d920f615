import * as wf from "@temporalio/workflow";
import type * as givingUp from "../activities/outbound/notifications/give-up.js";
import type {
  NotificationActivities,
  NotificationEnded,
  RetriedNotification,
} from "../src/outbound/notifications/delivery.js";
import { MAX_ATTEMPTS } from "../src/outbound/retry.js";
import { readableFailure } from "../src/outbound/webhooks/error-kinds.js";
import { clock, detailsText } from "../src/platform/temporal/details.js";
import { FAULT } from "../src/platform/temporal/failures.js";
import { type OutcomeValue, Stage, WarehouseCode, WarehouseId } from "../src/platform/temporal/search-attributes.js";
import { setAttributes, setEnded } from "./attributes.js";
import { databaseActivities } from "./database-activities.js";
import { AFTER_FAULT, businessFailure, endAtFault, uninterrupted } from "./endings.js";

export interface NotificationEnd {
  notification_id: number;
  ended: NotificationEnded | "cancelled";
}

// An attempt lasts a minute at most, however it is configured.
const { attemptNotification } = wf.proxyActivities<NotificationActivities>({
  startToCloseTimeout: "90s",
  heartbeatTimeout: "10s",
  retry: { initialInterval: "1s", maximumInterval: "10s", nonRetryableErrorTypes: [FAULT] },
});

const { readDestination, giveUpNotification } = databaseActivities<typeof givingUp>({
  readDestination: "Reads where the message goes",
  giveUpNotification: "Gives the message up for the Temporal UI",
});

/** The destination was switched off, deleted or given another URL: look at the rows instead of waiting on. */
export const destinationChanged = wf.defineSignal("destinationChanged");

/**
 * The retry schedule of one message to a notification destination: attempts 2 to 8, with a timer before each. Its row
 * holds what is due when, so it can be begun again at any time. It holds up no other message. A dead letter fails it,
 * so that the list shows it; a cancellation in the Temporal UI gives the message up.
 */
export function notificationDelivery(retried: RetriedNotification): Promise<NotificationEnd> {
  const scope = wf.CancellationScope.current();
  return uninterrupted(() => deliver(retried, () => scope.consideredCancelled));
}

async function deliver(retried: RetriedNotification, cancelled: () => boolean): Promise<NotificationEnd> {
  const { notification_id, event_type } = retried;
  let news = false;
  wf.setHandler(destinationChanged, () => {
    news = true;
  });
  const { host_preview, warehouse_id, warehouse_code, missing_attributes, ...read } = await readDestination(retried);
  setAttributes(
    [
      { key: Stage, value: "retrying" },
      ...(warehouse_id === null ? [] : [{ key: WarehouseId, value: warehouse_id }]),
      ...(warehouse_code === null ? [] : [{ key: WarehouseCode, value: warehouse_code }]),
    ],
    missing_attributes,
  );
  const what = `message ${notification_id} (${event_type})`;
  const message = `${what} to ${host_preview}`;
  let failure = readableFailure(read.failure) ?? "failed";
  let attempt: number | undefined;

  return endAtFault(`${host_preview} has not got ${what} yet`, tryAndWait, (why) => {
    show("stopped at a fault; other messages go on", why, AFTER_FAULT);
    setEnded("failed", missing_attributes);
  });

  async function tryAndWait(): Promise<NotificationEnd> {
    while (!cancelled()) {
      news = false;
      const to = `to ${host_preview}`;
      const summary = attempt ? `Attempt ${attempt} of ${MAX_ATTEMPTS} ${to}` : "Looks which attempt is due";
      const { ended, next, failure: latest } = await attemptNotification.executeWithOptions({ summary }, [retried]);
      failure = readableFailure(latest) ?? failure;
      if (ended) return end(ended);
      if (wf.workflowInfo().continueAsNewSuggested && !cancelled())
        return wf.continueAsNew<typeof notificationDelivery>(retried);
      if (!next) continue;
      attempt = next.attempt;
      const due = `attempt ${attempt} of ${MAX_ATTEMPTS} at ${clock(Date.now() + next.wait_ms)}`;
      show("waits for its next attempt; other messages go on", `attempt ${attempt - 1} failed: ${failure}`, due);
      await wf.condition(() => news || cancelled(), next.wait_ms, { summary: `${failure}: ${due}` });
    }
    return end((await giveUpNotification(retried, `${wf.workflowInfo().runId}:cancel`)).ended);
  }

  async function end(ended: NotificationEnd["ended"]): Promise<NotificationEnd> {
    if (ended === "dlq") failure = readableFailure((await readDestination(retried)).failure) ?? failure;
    const { outcome, why, next } = endings(ended, failure);
    show(`has ended: ${outcome}`, why, next);
    setEnded(outcome, missing_attributes);
    if (ended === "cancelled") throw new wf.CancelledFailure(why);
    if (ended === "dlq") throw businessFailure("DeadLetter", `${host_preview} did not take ${what}: ${why}`);
    return { notification_id, ended };
  }

  function show(where: string, why: string, next: string): void {
    wf.setCurrentDetails(detailsText({ where: `${message} ${where}`, why, next }));
  }
}

const MEND = "mend the cause, and send a test message to the destination; this message is not sent again";

function endings(
  ended: NotificationEnd["ended"],
  failure: string,
): { outcome: OutcomeValue; why: string; next: string } {
  if (ended === "succeeded") return { outcome: "delivered", why: "the destination accepted it", next: "nothing" };
  if (ended === "dlq")
    return {
      outcome: "dead-lettered",
      why: `all ${MAX_ATTEMPTS} attempts failed, the last one: ${failure}`,
      next: MEND,
    };
  if (ended === "cancelled")
    return { outcome: "cancelled", why: "cancellation was requested in the Temporal UI", next: MEND };
  if (ended === "disabled")
    return {
      outcome: "stopped",
      why: "sending is switched off (DISPATCHER_ENABLED)",
      next: "it is tried again when sending is switched on",
    };
  const why = ended === "gone" ? "the destination was deleted" : "the destination was switched off";
  return { outcome: "stopped", why, next: "nothing: the message is not sent again" };
}
