import * as wf from "@temporalio/workflow";

/** Later than that is late. */
const LATE_AFTER_MS = 60_000;

/** How many minutes after its time the schedule started this workflow. */
export function lateMinutes(): number {
  const { startTime, searchAttributes } = wf.workflowInfo();
  const [scheduled] = (searchAttributes.TemporalScheduledStartTime ?? []) as Date[];
  const late = scheduled ? startTime.getTime() - new Date(scheduled).getTime() : 0;
  return late > LATE_AFTER_MS ? Math.floor(late / 60_000) : 0;
}
