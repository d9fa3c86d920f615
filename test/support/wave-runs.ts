import { temporalClient } from "../../api/http/workflow-updates.js";
import { until } from "./until.js";

/** Starts a run of a template of waves as its schedule does, and gives the id of its workflow. */
export const runBySchedule = (template_id: number): Promise<string> => runOf(`wave-release-${template_id}`);

/** The same of any schedule of a row. */
export async function runOf(scheduleId: string): Promise<string> {
  const schedule = temporalClient().schedule.getHandle(scheduleId);
  const begun = async () =>
    (await schedule.describe()).info.recentActions.map(({ action }) => action.workflow.workflowId);
  const before = (await begun()).length;
  await schedule.trigger();
  let id: string | undefined;
  await until(async () => {
    id = (await begun())[before];
    return id !== undefined;
  });
  return id as string;
}
