import { type Client, ScheduleOverlapPolicy } from "@temporalio/client";
import { ofWarehouse, priorityOf } from "../../platform/temporal/priorities.js";
import { applySchedule, calendars, type RowIs, type Wanted } from "../../platform/temporal/row-schedules.js";
import type { ScheduledProgramme } from "./queries.js";

/** Temporal schedules of count programmes: docs/counting.md. */

export const programmeScheduleId = ({ programme_id }: { programme_id: number }) => `count-programme-${programme_id}`;

function wanted(programme: ScheduledProgramme, taskQueue: string) {
  const { programme_id, warehouse_id, warehouse_code, days, start_time, timezone } = programme;
  return {
    spec: { calendars: calendars(days, [start_time]), timezone },
    // After an outage its counts are made late, but not at the end of the day.
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: "6 hours" },
    action: {
      type: "startWorkflow",
      workflowType: "countProgramme",
      workflowId: programmeScheduleId(programme),
      taskQueue,
      args: [{ programme_id, warehouse_code }],
      // The SDK sends it; its type of an action lacks it.
      ...{ priority: priorityOf("countProgramme", ofWarehouse(warehouse_id)) },
      staticSummary: `Counts of the programme of ${warehouse_code}`,
    },
  } satisfies Wanted;
}

/** Makes the schedule in Temporal equal to its programme; it is paused while the programme is not active. */
export const applyProgrammeSchedule = (
  client: Client,
  programme: ScheduledProgramme,
  { temporalTaskQueue }: { temporalTaskQueue: string },
  rowIs: RowIs,
): Promise<void> =>
  applySchedule(client, programmeScheduleId(programme), wanted(programme, temporalTaskQueue), {
    enabled: programme.is_active,
    rowIs,
  });
