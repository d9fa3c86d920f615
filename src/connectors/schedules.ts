import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from "@temporalio/client";
import { endLeftRun } from "../platform/temporal/left-run.js";
import { ofWarehouse, priorityOf } from "../platform/temporal/priorities.js";
import { type SyncKey, type SyncStart, syncWorkflowId } from "./sync.js";
import type { ScheduleRow } from "./sync-queries.js";

/**
 * Temporal schedules of syncs. The rows say which schedules there are to be; Temporal knows when each ran and runs
 * next.
 */

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
  } satisfies Partial<ScheduleOptions>;
}

/** Whether the row was just changed, may have been, or was not. */
type RowIs = "changed" | "unknown" | "unchanged";

/**
 * Makes the schedule in Temporal equal to its row; for an unchanged row only if it is missing. One that an operator
 * paused in the Temporal UI stays paused until the row is changed.
 */
export async function applySchedule(client: Client, row: ScheduleRow, options: Options, rowIs: RowIs): Promise<void> {
  const scheduleId = syncWorkflowId(row);
  const handle = client.schedule.getHandle(scheduleId);
  if (row.interval_minutes === null) {
    if (rowIs !== "unchanged")
      await handle.delete().catch((error) => {
        if (!(error instanceof ScheduleNotFoundError)) throw error;
      });
    return;
  }
  const schedule = wanted(row, options);
  try {
    await client.schedule.create({ scheduleId, ...schedule, state: { paused: !row.enabled } });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    if (rowIs === "unchanged") return;
    await handle.update(({ state }) => {
      const paused = !row.enabled || (rowIs === "unknown" && state.paused);
      return { ...schedule, state: { ...state, paused } };
    });
    if (rowIs !== "unknown") return;
    const described = await handle.describe();
    const ended = await endLeftRun(client, described, schedule.action);
    if (ended && !described.state.paused) await handle.trigger();
  }
}

/** When a schedule ran last and runs next. */
export interface ScheduleTimes {
  paused: boolean;
  last_run_at: string | null;
  next_run_at: string | null;
}

/** Undefined where Temporal does not know the schedule. */
export async function scheduleTimes(client: Client, key: SyncKey): Promise<ScheduleTimes | undefined> {
  try {
    const { state, info } = await client.schedule.getHandle(syncWorkflowId(key)).describe();
    const last = info.recentActions.at(-1)?.takenAt;
    const [next] = state.paused ? [] : info.nextActionTimes;
    return { paused: state.paused, last_run_at: timeOf(last), next_run_at: timeOf(next) };
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return undefined;
    throw error;
  }
}

const timeOf = (date: Date | undefined): string | null => date?.toISOString() ?? null;

/** Syncs and pushes of connectors have a task queue of their own, so that a slow source does not delay the floor. */
export const connectorQueue = (taskQueue: string): string => `${taskQueue}-connectors`;
