import { type Client, ScheduleOverlapPolicy } from "@temporalio/client";
import { ofWarehouse, priorityOf } from "../platform/temporal/priorities.js";
import {
  applySchedule,
  describeSchedule,
  type RowIs,
  removeSchedule,
  type Wanted,
} from "../platform/temporal/row-schedules.js";
import { type SyncKey, type SyncStart, syncWorkflowId } from "./sync.js";
import type { ScheduleRow } from "./sync-queries.js";
import { connectorQueue } from "./task-queue.js";

/** Temporal schedules of syncs. */

interface Options {
  temporalTaskQueue: string;
  connectorRetryDelayMs: number;
}

const MS = 60_000;

/**
 * What a sync's schedule does and when. Its id is that of the workflow of a manual sync; its own workflows add the
 * time.
 */
function wanted(row: ScheduleRow, { temporalTaskQueue, connectorRetryDelayMs }: Options) {
  const { connector, warehouse_id, sync_type, interval_minutes } = row;
  const start: SyncStart = {
    ...{ connector, warehouse_id, sync_type },
    begun: "schedule",
    retry_delay_ms: connectorRetryDelayMs,
  };
  const every = (interval_minutes ?? 0) * MS;
  return {
    spec: { intervals: [{ every }] },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: every },
    action: {
      type: "startWorkflow",
      workflowType: "connectorSync",
      workflowId: syncWorkflowId(row),
      taskQueue: connectorQueue(temporalTaskQueue),
      args: [start],
      // The SDK sends it; its type of an action lacks it.
      ...{ priority: priorityOf("connectorSync", ofWarehouse(warehouse_id)) },
      staticSummary: `${sync_type} of ${connector} for warehouse ${warehouse_id}, every ${interval_minutes} min`,
    },
  } satisfies Wanted;
}

/** Makes the schedule in Temporal equal to its row. */
export async function applySyncSchedule(
  client: Client,
  row: ScheduleRow,
  options: Options,
  rowIs: RowIs,
): Promise<void> {
  const { interval_minutes, enabled } = row;
  const id = syncWorkflowId(row);
  if (interval_minutes !== null) await applySchedule(client, id, wanted(row, options), { enabled, rowIs });
  else if (rowIs !== "unchanged") await removeSchedule(client, id);
}

/** When a schedule ran last and runs next. */
export interface ScheduleTimes {
  paused: boolean;
  last_run_at: string | null;
  next_run_at: string | null;
}

/** Undefined where Temporal does not know the schedule. */
export async function scheduleTimes(client: Client, key: SyncKey): Promise<ScheduleTimes | undefined> {
  const described = await describeSchedule(client, syncWorkflowId(key));
  if (!described) return undefined;
  const { state, info } = described;
  const last = info.recentActions.at(-1)?.takenAt;
  const [next] = state.paused ? [] : info.nextActionTimes;
  return { paused: state.paused, last_run_at: timeOf(last), next_run_at: timeOf(next) };
}

const timeOf = (date: Date | undefined): string | null => date?.toISOString() ?? null;
