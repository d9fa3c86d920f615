import * as wf from "@temporalio/workflow";
import type * as recalls from "../activities/recalls/index.js";
import { countWorkflowId } from "../src/counting/workflow.js";
import type { Actor } from "../src/platform/actor.js";
import type { Destruction, RecallClosing, ToldOrders } from "../src/recalls/shapes.js";
import type { RecallRequest, RecallState } from "../src/recalls/workflow.js";
import { databaseActivities } from "./database-activities.js";
import { uninterrupted } from "./endings.js";
import { Recall } from "./managers/recall.js";
import { startApart } from "./process.js";
import * as texts from "./texts/recall.js";

export interface RecallEnd {
  recall_id: number;
  ended: texts.RecallEnded;
}

const {
  openRecall,
  resumeRecall,
  holdRecalledLot,
  countRecalledBins,
  markTold,
  destroyRecalled,
  closeRecall,
  closeByOperator,
} = databaseActivities<typeof recalls>({
  openRecall: "Opens the recall: its lots are not released and not shipped any more",
  resumeRecall: "Reads the recall from its rows",
  holdRecalledLot: "Holds a lot in all warehouses: reservations and pick tasks of it end",
  countRecalledBins: "Makes counts of the bins in which units lie",
  markTold: "Notes that customers were told",
  destroyRecalled: "Takes destroyed units off the books",
  closeRecall: "Closes the recall",
  closeByOperator: "Closes the recall for the Temporal UI, if no unit is open",
});

/** The first update: from its answer on nothing of the lots is released or shipped; then they are held. */
export const created = wf.defineUpdate<RecallState>("created");
export const tell = wf.defineUpdate<RecallState, [ToldOrders, Actor]>("tell");
export const destroy = wf.defineUpdate<RecallState, [Destruction, Actor]>("destroy");
export const close = wf.defineUpdate<RecallState, [RecallClosing, Actor]>("close");
/** Its rows were changed without a step of its own. */
const changed = wf.defineSignal("changed");

/** Counts, picks and shipments do not tell it of themselves. */
const LOOK_AGAIN = { ms: 5 * 60_000, summary: "Looks again where the units are" };

/**
 * A recall of lots, until somebody closes it (docs/recall.md); its id is `recall-<recall_id>`. It holds the lots one by
 * one, has the bins counted in which units lie, and follows where the units are; what people do is an update. When its
 * cancellation is requested in the Temporal UI, it is closed if no unit is open; else it stays, and says so.
 * @param recallId The recall's id, reserved beforehand.
 * @param by Who opened it.
 * @param request What is called back; absent when the workflow of an existing recall is started again.
 */
export function recall(recallId: number, by: Actor, request?: RecallRequest): Promise<RecallEnd> {
  return uninterrupted(async () => {
    const recalled = new Recall(recallId, by, request !== undefined);
    const handle = (run: () => Promise<RecallState>) =>
      recalled.step(async () => {
        const now = await run();
        recalled.learn(now);
        return now;
      });
    wf.setHandler(tell, (told, who) => handle(() => markTold(recallId, told, who)));
    wf.setHandler(destroy, (destroyed, who) => handle(() => destroyRecalled(recallId, destroyed, who)));
    wf.setHandler(close, (closing, who) => handle(() => closeRecall(recallId, closing, who)));
    wf.setHandler(changed, recalled.markStale);

    await recalled.begin(created, () => (request ? openRecall(recallId, request, by) : resumeRecall(recallId)));
    // Whoever opened it has the answer: holding takes as long as there are lots, reservations and tasks.
    for (const lotId of recalled.ending ? [] : (recalled.rows?.to_hold ?? [])) {
      await handle(() => holdRecalledLot(recallId, lotId, recalled.actorOf(`hold:${lotId}`)));
      if (recalled.ending) break;
    }

    while (!recalled.ending) {
      while (!recalled.ending && (recalled.rows?.uncounted_bins ?? 0) > 0) {
        const { counts, more } = await recalled.step(() =>
          countRecalledBins(recallId, recalled.actorOf(`count:${wf.uuid4()}`)),
        );
        await Promise.all(
          counts.map(({ count_id, bin_code }) =>
            startApart("cycleCount", {
              workflowId: countWorkflowId(count_id),
              args: [count_id, recalled.actorOf(`count:${count_id}`)],
              staticSummary: texts.summaryOfCount(count_id, bin_code, recallId),
            }),
          ),
        );
        if (!more) await recalled.readAgain(() => resumeRecall(recallId));
        if (!more) break;
      }
      if (recalled.ending) break;
      const news = await recalled.wait(LOOK_AGAIN);
      if (recalled.ending) break;
      if (recalled.mayCancel)
        await recalled.cancel(async () =>
          recalled.wasCancelled(await closeByOperator(recallId, recalled.commandId("close"))),
        );
      else if (recalled.isLong) return wf.continueAsNew<typeof recall>(recallId, recalled.actorOf("continued"));
      else if (recalled.stale || !news) await recalled.readAgain(() => resumeRecall(recallId));
    }
    return { recall_id: recallId, ended: await recalled.end() };
  });
}
