import { WorkflowExecutionAlreadyStartedError } from "@temporalio/common";
import * as wf from "@temporalio/workflow";
import type * as cycleCounts from "../activities/counting/index.js";
import type { CountCreated, CountedLine, CountSubmitted } from "../src/counting/shapes.js";
import {
  type CountRequest,
  type CountReviewed,
  type CountsOfWarehouse,
  countWorkflowId,
} from "../src/counting/workflow.js";
import type { Actor } from "../src/platform/actor.js";
import { detailsText, reasonOf } from "../src/platform/temporal/details.js";
import { CountId, Stage, WarehouseCode, WarehouseId } from "../src/platform/temporal/search-attributes.js";
import { attributesMissingHere, setAttributes, setEnded } from "./attributes.js";
import { createRows } from "./creation.js";
import { databaseActivities, isFault } from "./database-activities.js";
import { refusal, uninterrupted } from "./endings.js";
import { oneAtATime } from "./one-at-a-time.js";

export interface CountEnd {
  count_id: number;
  ended: "approved" | "rejected" | "no variance" | "cancelled" | "refused" | "repeated";
}

const { createCounts, resumeCount, submitCount, approveCount, rejectCount, cancelCount } = databaseActivities<
  typeof cycleCounts
>({
  createCounts: "Makes the counts: a snapshot of each bin",
  resumeCount: "Reads the count from its rows",
  submitCount: "Stores what was counted, and proposes adjustments",
  approveCount: "Approves adjustments: stock changes",
  rejectCount: "Rejects adjustments: stock stays",
  cancelCount: "Ends the count for the Temporal UI: stock stays",
});

/** The first update: its result is the answer to the request that creates the counts. */
export const created = wf.defineUpdate<CountsOfWarehouse>("created");
export const submit = wf.defineUpdate<CountSubmitted, [CountedLine[], Actor]>("submit");
/** An admin's decision on the count's adjustments: on these, or on all that are pending. */
export const approve = wf.defineUpdate<CountReviewed, [Actor, number[]?]>("approve");
const reject = wf.defineUpdate<CountReviewed, [Actor, number[]?]>("reject");

/** What is said when a count has ended. */
interface Ending {
  ended: CountEnd["ended"];
  why: string;
  next?: string;
}

/**
 * The count of one bin, from its snapshot to the admin's decision (docs/interface.md, Counting). Each bin of a request
 * has a count and a workflow of its own. The workflow of the first count creates the rows of all in one transaction,
 * and then starts the other workflows; after the transaction, Temporal guarantees that each count gets its workflow.
 * When somebody asks for its cancellation in the Temporal UI, the count ends and stock stays as it is.
 * @param countId The count's id, taken beforehand.
 * @param by Who started it.
 * @param request What to count, this count first; absent when the workflow of an existing count is started again.
 */
export function cycleCount(countId: number, by: Actor, request?: CountRequest): Promise<CountEnd> {
  const scope = wf.CancellationScope.current();
  return uninterrupted(() => count(countId, by, request, () => scope.consideredCancelled));
}

async function count(
  countId: number,
  by: Actor,
  request: CountRequest | undefined,
  cancelled: () => boolean,
): Promise<CountEnd> {
  // Counts that version 0.1.0 started set no attributes on their way, and complete when they are refused.
  const noted = wf.patched("stage and outcome");
  let missing: string[] | undefined;
  let title = `Count ${countId}`;
  let ending: Ending | undefined;

  const creation = createRows(created, () => (request ? createCounts(request, by) : resumeCount(countId)));
  const exclusively = oneAtATime(creation);
  wf.setHandler(submit, (lines, who) =>
    exclusively(async () => {
      const counted = await submitCount({ count_id: countId, lines }, who);
      const { total_lines, lines_with_variance } = counted.summary;
      if (counted.status === "COMPLETED")
        ending = { ended: "no variance", why: `counted by ${who.username}, as expected` };
      else toReview(`${lines_with_variance} of ${total_lines} line(s) differ, counted by ${who.username}`);
      return counted;
    }),
  );
  wf.setHandler(approve, (who, adjustment_ids) =>
    endWhenDecided(who, () => approveCount({ count_id: countId, adjustment_ids }, who)),
  );
  wf.setHandler(reject, (who, adjustment_ids) =>
    endWhenDecided(who, () => rejectCount({ count_id: countId, adjustment_ids }, who)),
  );

  const { rows, error } = await creation;
  if (!rows) {
    if (noted) missing = await exclusively(attributesMissingHere);
    if (isFault(error)) {
      await wf.condition(wf.allHandlersFinished);
      throw error;
    }
    const next = "nothing was changed: what the reason names is put right, and the count is begun again";
    return end({ ended: "refused", why: reasonOf(error), next });
  }
  missing = rows.missing_attributes;
  const [mine, ...others] = rows.counts as [CountCreated, ...CountCreated[]];
  if (mine.count_id !== countId) {
    const why = `the same request had made count ${mine.count_id} before`;
    return end({ ended: "repeated", why, next: `see ${countWorkflowId(mine.count_id)}` });
  }
  describe(mine, rows);
  await Promise.all(others.map((other) => startOther(other, by)));
  await wf.condition(() => ending !== undefined || cancelled());
  await wf.condition(wf.allHandlersFinished);
  if (!ending) {
    const { ended } = await exclusively(() => cancelCount(countId, `${wf.workflowInfo().runId}:cancel`));
    const why = ended === "cancelled" ? "cancellation was requested in the Temporal UI" : "its rows say so";
    return end({ ended, why });
  }
  return end(ending);

  function endWhenDecided(who: Actor, decide: () => Promise<CountReviewed>): Promise<CountReviewed> {
    return exclusively(async () => {
      const reviewed = await decide();
      const { pending, approved } = reviewed;
      if (pending === 0) ending = { ended: approved > 0 ? "approved" : "rejected", why: `decided by ${who.username}` };
      else toReview(`${pending} adjustment(s) are still to be decided, others were by ${who.username}`);
      return reviewed;
    });
  }

  /** Makes the count findable and readable in the Temporal UI. */
  function describe(
    { bin_code, status, lines, assigned_to }: CountCreated,
    { warehouse_id, warehouse_code }: CountsOfWarehouse,
  ): void {
    title = `Count ${countId} of bin ${bin_code}${warehouse_code ? ` in ${warehouse_code}` : ""}`;
    setAttributes(
      [
        { key: WarehouseId, value: warehouse_id },
        { key: CountId, value: countId },
        ...(noted && warehouse_code ? [{ key: WarehouseCode, value: warehouse_code }] : []),
        ...(noted ? [{ key: Stage, value: status === "VARIANCE" ? "to review" : "counting" }] : []),
      ],
      missing,
    );
    if (status === "VARIANCE") toReview(`differences were counted by ${assigned_to}`, false);
    else
      wf.setCurrentDetails(
        detailsText({
          where: `${title} is to be counted: ${lines} item(s) expected in the bin`,
          why: `${by.username} asked for it`,
          next: `${assigned_to} counts and submits; there is no time limit`,
        }),
      );
  }

  function toReview(why: string, sets = noted): void {
    if (sets) setAttributes([{ key: Stage, value: "to review" }], missing);
    const next = "an admin other than the counter approves or rejects; there is no time limit";
    wf.setCurrentDetails(detailsText({ where: `${title} waits for an admin's decision`, why, next }));
  }

  /**
   * A workflow that was started again for a decision may find that decision in the rows already: then the result of the
   * decision is how it ended.
   */
  async function end(how: Ending): Promise<CountEnd> {
    await wf.condition(wf.allHandlersFinished);
    const { ended, why, next } = ending ?? how;
    wf.setCurrentDetails(
      detailsText({ where: `${title} has ended: ${ended}`, why, next: next ?? `nothing here: ${STOCK[ended]}` }),
    );
    if (noted) {
      setEnded(ended, missing);
      if (ended === "refused" && request) throw refusal(why);
      if (ended === "cancelled") throw new wf.CancelledFailure(why);
    }
    return { count_id: countId, ended };
  }
}

/** What became of the stock. */
const STOCK: Partial<Record<CountEnd["ended"], string>> = {
  approved: "stock was changed by what was approved",
  rejected: "stock stays as it was",
  "no variance": "stock is as expected",
  cancelled: "stock stays as it was; count the bin again when it is to be counted",
};

/**
 * Starts the workflow of another count of the same request, independent of this one. It may run already, started by the
 * `reconcile` job.
 */
async function startOther({ count_id, bin_code }: CountCreated, by: Actor): Promise<void> {
  try {
    await wf.startChild(cycleCount, {
      workflowId: countWorkflowId(count_id),
      args: [count_id, by],
      parentClosePolicy: "ABANDON",
      staticSummary: `Count ${count_id} of bin ${bin_code}, by ${by.username}`,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
