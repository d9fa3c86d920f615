import { WorkflowExecutionAlreadyStartedError } from "@temporalio/common";
import * as wf from "@temporalio/workflow";
import type * as cycleCounts from "../activities/counting/index.js";
import type { Actor } from "../src/actor.js";
import type { CountCreated, CountedLine, CountSubmitted } from "../src/counting/shapes.js";
import {
  type CountRequest,
  type CountReviewed,
  type CountsOfWarehouse,
  countWorkflowId,
} from "../src/counting/workflow.js";
import { CountId, WarehouseId } from "../src/temporal/search-attributes.js";
import { setAttributes } from "./attributes.js";
import { isFault, steps } from "./steps.js";

export interface CountEnd {
  count_id: number;
  ended: "approved" | "rejected" | "no variance" | "refused" | "repeated";
}

const { createCounts, resumeCount, submitCount, approveCount, rejectCount } = steps<typeof cycleCounts>();

/** The first update: its result is the answer to the request that creates the counts. */
export const created = wf.defineUpdate<CountsOfWarehouse>("created");
export const submit = wf.defineUpdate<CountSubmitted, [CountedLine[], Actor]>("submit");
/** An admin's decision on the count's adjustments: on these, or on all that are pending. */
export const approve = wf.defineUpdate<CountReviewed, [Actor, number[]?]>("approve");
const reject = wf.defineUpdate<CountReviewed, [Actor, number[]?]>("reject");

/**
 * The count of one bin, from its snapshot to the admin's decision (reference 02 §8, 03 §8). Each bin of a request has a
 * count and a workflow of its own. The workflow of the first count creates the rows of all in one transaction, and then
 * starts the other workflows; after the transaction, Temporal guarantees that each count gets its workflow.
 * @param countId The count's id, taken beforehand.
 * @param by Who started it.
 * @param request What to count, this count first; absent when the workflow of an existing count is started again.
 */
export async function cycleCount(countId: number, by: Actor, request?: CountRequest): Promise<CountEnd> {
  const made = new wf.Trigger<CountsOfWarehouse>();
  let all: CountsOfWarehouse;
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
    endWhenDecided(approveCount({ count_id: countId, adjustment_ids }, who)),
  );
  wf.setHandler(reject, (who, adjustment_ids) =>
    endWhenDecided(rejectCount({ count_id: countId, adjustment_ids }, who)),
  );

  try {
    all = request ? await createCounts(request, by) : await resumeCount(countId);
  } catch (error) {
    made.reject(error);
    const refused = await end("refused");
    if (isFault(error)) throw error;
    return refused;
  }
  made.resolve(all);
  const { warehouse_id, counts, missing_attributes } = all;
  const [count, ...others] = counts as [CountCreated, ...CountCreated[]];
  if (count.count_id !== countId) return end("repeated");
  describe(count, warehouse_id, missing_attributes);
  await Promise.all(others.map((other) => startOther(other.count_id, by)));
  await wf.condition(() => ended !== undefined);
  return end(ended as CountEnd["ended"]);

  async function endWhenDecided(review: Promise<CountReviewed>) {
    const reviewed = await review;
    if (reviewed.pending === 0) ended = reviewed.approved > 0 ? "approved" : "rejected";
    return reviewed;
  }

  /**
   * A workflow that was started again for a decision may find that decision in the rows already: then the result of the
   * decision is how it ended.
   */
  async function end(how: CountEnd["ended"]): Promise<CountEnd> {
    await wf.condition(wf.allHandlersFinished);
    return { count_id: countId, ended: ended ?? how };
  }
}

/** Makes the count findable and readable in the Temporal UI. */
function describe(count: CountCreated, warehouseId: number, missing?: string[]): void {
  const { count_id, bin_code, status, lines, assigned_to } = count;
  const attributes = [
    { key: WarehouseId, value: warehouseId },
    { key: CountId, value: count_id },
  ];
  setAttributes(attributes, missing);
  wf.setCurrentDetails(`${bin_code}: ${lines} line(s), counted by ${assigned_to}, ${status}`);
}

/**
 * Starts the workflow of another count of the same request, independent of this one. It may run already, started by the
 * `reconcile` job.
 */
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
