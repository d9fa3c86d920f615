import * as wf from "@temporalio/workflow";
import type { LabelActivities, LabelAttempted } from "../src/carriers/workflow.js";
import { floorQueue } from "../src/connectors/task-queue.js";
import { FAULT } from "../src/platform/temporal/failures.js";
import { mayWait } from "./database-activities.js";

// It makes several requests, each of which may wait for what the carrier's rate limit allows.
const { attemptLabel } = wf.proxyActivities<LabelActivities>({
  startToCloseTimeout: "10m",
  heartbeatTimeout: "10s",
  retry: { initialInterval: "1s", maximumInterval: "10s", nonRetryableErrorTypes: [FAULT] },
});

// It answers after SHOWN_AFTER_MS at the latest, well within LABEL_TASK_TIMEOUT.
const { beginLabel } = wf.proxyLocalActivities<Pick<LabelActivities, "beginLabel">>({
  startToCloseTimeout: "6s",
  retry: { maximumAttempts: 1 },
});

/**
 * Makes the attempts of a purchase, one after the other. That of a new one is made within its first workflow task,
 * which takes less than half of what an activity does. The Temporal UI shows nothing of it until it ends; so one that
 * takes long, and whatever failed otherwise than by the carrier's answer, goes on as an activity.
 */
export function labelAttempts(purchaseId: number, isNew: boolean): (summary: string) => Promise<LabelAttempted> {
  let isFast = isNew;
  const begin = async (summary: string): Promise<LabelAttempted | null> => {
    if (!isFast) return null;
    isFast = false;
    return beginLabel.executeWithOptions({ summary }, [purchaseId]).catch((error) => {
      if (!mayWait(error)) throw error;
      return null;
    });
  };
  // There are far more slots for those that wait on the task queue of the floor.
  const goOn = (summary: string): Promise<LabelAttempted> =>
    attemptLabel.executeWithOptions({ summary, taskQueue: floorQueue(wf.workflowInfo().taskQueue) }, [purchaseId]);
  return async (summary) => (await begin(summary)) ?? (await goOn(summary));
}
