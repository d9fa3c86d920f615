import { type Client, type ScheduleDescription, WorkflowNotFoundError } from "@temporalio/client";
import { log } from "../log.js";

/** What a schedule starts, and where. */
interface Action {
  workflowType: string;
  taskQueue: string;
}

/**
 * Ends the run that a schedule started last, as another version of the service had the schedule: under a workflow type
 * or on a task queue that workers of this one do not have. Nobody would go on with it, and the schedule starts nothing
 * while it runs. Throws where Temporal still has the schedule as it was.
 * @returns Whether there was such a run.
 */
export async function endLeftRun(
  client: Client,
  { scheduleId, action, info }: Pick<ScheduleDescription, "scheduleId" | "action" | "info">,
  now: Action,
): Promise<boolean> {
  if (isOther(action, now)) throw new Error(`the schedule ${scheduleId} is not updated yet`);
  const last = info.recentActions.at(-1)?.action.workflow;
  if (!last) return false;
  const run = client.workflow.getHandle(last.workflowId, last.firstExecutionRunId);
  try {
    const { type, taskQueue, status } = await run.describe();
    if (status.name !== "RUNNING" || !isOther({ workflowType: type, taskQueue }, now)) return false;
    await run.terminate(`started by the schedule ${scheduleId} as another version of the service had it`);
    log.warn({ ...last, workflowType: type, taskQueue }, "a run that no worker would go on with was ended");
    return true;
  } catch (error) {
    // It was forgotten, or has ended meanwhile.
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    return false;
  }
}

const isOther = (one: Action, now: Action): boolean =>
  one.workflowType !== now.workflowType || one.taskQueue !== now.taskQueue;
