import * as wf from "@temporalio/workflow";
import type * as cycleCounts from "../activities/counting/index.js";
import type { CountedLine, CountSubmitted } from "../src/counting/shapes.js";
import type {
  CountReviewed,
  CountsOfWarehouse,
  NamedLots,
  NamedSerials,
  RequestedCounts,
} from "../src/counting/workflow.js";
import type { Actor } from "../src/platform/actor.js";
import { databaseActivities } from "./database-activities.js";
import { uninterrupted } from "./endings.js";
import { Count } from "./managers/count.js";
import * as texts from "./texts/cycle-count.js";

export interface CountEnd {
  count_id: number;
  ended: texts.CountEnded;
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
/** An admin's decision on adjustments of the count: the named ones, or all that are pending. */
export const approve = wf.defineUpdate<CountReviewed, [Actor, number[]?, NamedSerials?, NamedLots?]>("approve");
const reject = wf.defineUpdate<CountReviewed, [Actor, number[]?]>("reject");

/**
 * The count of one bin, from its snapshot to the admin's decision (docs/interface.md, Counting); its id is
 * `cycle-count-<count_id>`. Each bin of a request has a count and a workflow of its own. The workflow of the first
 * count creates the rows of all in one transaction, and then starts the other workflows; after the transaction,
 * Temporal guarantees that each count gets its workflow. When its cancellation is requested in the Temporal UI, the
 * count ends and stock stays as it is.
 * @param countId The count's id, reserved beforehand.
 * @param by Who started it.
 * @param request What to count, this count first; absent when the workflow of an existing count is started again.
 */
export function cycleCount(countId: number, by: Actor, request?: RequestedCounts): Promise<CountEnd> {
  return uninterrupted(async () => {
    const count = new Count(countId, by, request !== undefined);
    wf.setHandler(submit, (lines, who) =>
      count.step(async () => {
        const counted = await submitCount({ count_id: countId, lines }, who);
        count.wasSubmitted(counted, who);
        return counted;
      }),
    );
    wf.setHandler(approve, (who, adjustment_ids, serials, lots) =>
      count.decide(who, () => approveCount({ count_id: countId, adjustment_ids, serials, lots }, who)),
    );
    wf.setHandler(reject, (who, adjustment_ids) =>
      count.decide(who, () => rejectCount({ count_id: countId, adjustment_ids }, who)),
    );

    await count.begin(created, () => (request ? createCounts(request, by) : resumeCount(countId)));
    await count.startOthers();

    while (!count.ending) {
      await count.wait();
      if (count.ending) break;
      if (!count.mayCancel) return wf.continueAsNew<typeof cycleCount>(countId, by);
      await count.cancel(async () => {
        const { ended } = await cancelCount(countId, count.commandId("cancel"));
        count.ending = texts.cancelledOr(ended);
      });
    }
    return { count_id: countId, ended: await count.end() };
  });
}
