import { temporalClient } from "../../api/http/workflow-updates.js";
import { until } from "./until.js";

/** Starts a run of a template of waves as its schedule does, and gives the id of its workflow. */
export async function runBySchedule(template_id: number): Promise<string> {
  const schedule = temporalClient().schedule.getHandle(`wave-release-${template_id}`);
  await schedule.trigger();
  let id: string | undefined;
  await until(async () => {
    id = (await schedule.describe()).info.recentActions[0]?.action.workflow.workflowId;
    return id !== undefined;
  });
  return id as string;
}
