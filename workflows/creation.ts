import type { UpdateDefinition } from "@temporalio/common";
import * as wf from "@temporalio/workflow";

/**
 * Begins a workflow whose rows are created by its first activity, or read again when the workflow is restarted. They
 * are the answer of the update `created`, for which the request that starts the workflow waits. When the activity
 * fails, so does the update.
 */
export async function createRows<Rows>(
  created: UpdateDefinition<Rows>,
  activity: () => Promise<Rows>,
): Promise<{ rows: Rows; error?: never } | { rows?: never; error: unknown }> {
  const answer = new wf.Trigger<Rows>();
  wf.setHandler(created, async () => answer);
  try {
    const rows = await activity();
    answer.resolve(rows);
    return { rows };
  } catch (error) {
    answer.reject(error);
    return { error };
  }
}
