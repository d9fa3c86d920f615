import * as wf from "@temporalio/workflow";
import type * as programmes from "../activities/counting/programmes.js";
import type { ProgrammeStart } from "../src/counting/programmes/run.js";
import { countWorkflowId } from "../src/counting/workflow.js";
import { WarehouseCode, WarehouseId } from "../src/platform/temporal/search-attributes.js";
import { uninterrupted } from "./endings.js";
import { lateMinutes } from "./lateness.js";
import { Process, startApart } from "./process.js";
import * as texts from "./texts/count-programme.js";

export interface ProgrammeEnd {
  ended: texts.ProgrammeEnded;
  counts: number;
  /** Bins that are due beside these. */
  waiting: number;
}

// Hundreds of counts take longer than a local activity may.
const { makeDueCounts } = wf.proxyActivities<Pick<typeof programmes, "makeDueCounts">>({
  startToCloseTimeout: "5m",
  summary: "Makes the counts that are due",
});

class Programme extends Process<texts.ProgrammeEnded> {
  constructor(readonly start: ProgrammeStart) {
    super(false);
  }

  get title() {
    return texts.titleOf(this.start);
  }
}

/**
 * The counts of a day, by the clock (docs/counting.md); its schedule and its id are `count-programme-<programme_id>`,
 * of the id with the time. It makes the counts that are due, which have workflows of their own, and ends. When its
 * cancellation is requested in the Temporal UI, it ends as it would: counts are cancelled one by one.
 */
export function countProgramme(start: ProgrammeStart): Promise<ProgrammeEnd> {
  return uninterrupted(async () => {
    const programme = new Programme(start);
    const late = lateMinutes();
    programme.say(texts.making(start, late));
    const run = programme.learnMissing(
      await programme.step(() => makeDueCounts(start.programme_id, programme.commandId("counts"), late)),
    );
    if ("nothing_made" in run) programme.ending = texts.skipped(run);
    else {
      const { warehouse_id, counts, by } = run;
      programme.setAttributes([
        { key: WarehouseId, value: warehouse_id },
        { key: WarehouseCode, value: start.warehouse_code },
      ]);
      await Promise.all(
        counts.map(({ count_id, bin_code }) =>
          startApart("cycleCount", {
            workflowId: countWorkflowId(count_id),
            args: [count_id, by],
            staticSummary: texts.summaryOfCount(count_id, bin_code),
          }),
        ),
      );
      programme.ending = texts.completed(run, late);
    }
    const ended = await programme.end();
    return "nothing_made" in run
      ? { ended, counts: 0, waiting: 0 }
      : { ended, counts: run.counts.length, waiting: run.waiting };
  });
}
