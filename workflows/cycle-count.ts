import { WorkflowExecutionAlreadyStartedError } from "@temporalio/common";
import * as wf from "@temporalio/workflow";
import type * as cycleCounts from "../activities/cycle-counts/index.js";
import type { Actor } from "../src/actor.js";
import {
  type Count,
  type CountedLine,
  type CountRequest,
  type CountReviewed,
  type CountSubmitted,
  type CountsMade,
  countWorkflowId,
} from "../src/cycle-counts/count.js";
import { CountId, WarehouseId } from "../src/search-attributes.js";

export interface CountEnd {
  count_id: number;
  ended: "approved" | "rejected" | "no variance" | "refused" | "repeated";
}

const { createCounts, resumeCount, submitCount, approveCount, rejectCount } =
  wf.proxyLocalActivities<typeof cycleCounts>({
    startToCloseTimeout: "30s",
    retry: { initialInterval: "100ms", maximumInterval: "10s" },
  });

/** The first step: makes the counts; its answer is the floor's answer. */
export const created = wf.defineUpdate<CountsMade>("created");
export const submit = wf.defineUpdate<CountSubmitted, [CountedLine[], Actor]>(
  "submit",
);
/** An admin's decision on the count's adjustments: on these, or on all that are pending. */
export const approve = wf.defineUpdate<CountReviewed, [Actor, number[]?]>(
  "approve",
);
const reject = wf.defineUpdate<CountReviewed, [Actor, number[]?]>("reject");

/**
 * The count of one bin, from its snapshot to the admin's decision (reference 02 §8, 03 §8). Several bins are several counts,
 * each with its own process. The process of the first makes the rows of all in one transaction, and then starts the others'
 * processes: so there are all rows or none, and after them the engine sees to it that each has its process.
 * @param countId The count's id, taken beforehand.
 * @param by Who started it.
 * @param request What to count, this count first; absent when a count that already has rows needs its process back.
 */
export async function cycleCount(
  countId: number,
  by: Actor,
  request?: CountRequest,
): Promise<CountEnd> {
  const made = new wf.Trigger<CountsMade>();
  let all: CountsMade;
  let ended: CountEnd["ended"] | undefined;

  wf.setHandler(created, async () => made);
  wf.setHandler(submit, async (lines, who) => {
    const counted = await submitCount({ count_id: countId, lines }, who);
    const { total_lines, lines_with_variance } = counted.summary;
    if (counted.status === "COMPLETED") ended = "no variance";
    wf.setCurrentDetails(
      `${lines_with_variance} of ${total_lines} line(s) in ${counted.bin_code} differ, counted by ${who.username}`,
    );
    return counted;
  });
  wf.setHandler(approve, (who, adjustment_ids) =>
    decided(approveCount({ count_id: countId, adjustment_ids }, who)),
  );
  wf.setHandler(reject, (who, adjustment_ids) =>
    decided(rejectCount({ count_id: countId, adjustment_ids }, who)),
  );

  try {
    all = request
      ? await createCounts(request, by)
      : await resumeCount(countId);
  } catch (error) {
    made.reject(error);
    return end("refused");
  }
  made.resolve(all);
  const { warehouse_id, counts } = all;
  const [count, ...others] = counts as [Count, ...Count[]];
  if (count.count_id !== countId) return end("repeated");
  describe(count, warehouse_id);
  await Promise.all(others.map((other) => startOther(other.count_id, by)));
  await wf.condition(() => ended !== undefined);
  return end(ended as CountEnd["ended"]);

  async function decided(review: Promise<CountReviewed>) {
    const reviewed = await review;
    if (reviewed.pending === 0)
      ended = reviewed.approved > 0 ? "approved" : "rejected";
    return reviewed;
  }

  /** A process that was started for a decision may find that decision in the rows already: what the decision says counts. */
  async function end(how: CountEnd["ended"]): Promise<CountEnd> {
    await wf.condition(wf.allHandlersFinished);
    return { count_id: countId, ended: ended ?? how };
  }
}

/** Makes the count findable and readable in the Temporal UI. */
function describe(
  { count_id, bin_code, status, lines, assigned_to }: Count,
  warehouseId: number,
): void {
  wf.upsertSearchAttributes([
    { key: WarehouseId, value: warehouseId },
    { key: CountId, value: count_id },
  ]);
  wf.setCurrentDetails(
    `${bin_code}: ${lines} line(s), counted by ${assigned_to}, ${status}`,
  );
}

/** Starts the process of another count of the same request, on its own feet. It may be there already: reconciling is quick. */
async function startOther(countId: number, by: Actor): Promise<void> {
  try {
    await wf.startChild(cycleCount, {
      workflowId: countWorkflowId(countId),
      args: [countId, by],
      parentClosePolicy: "ABANDON",
      staticSummary: `Count ${countId}`,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
