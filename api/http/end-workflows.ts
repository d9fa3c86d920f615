import { log } from "../../src/platform/log.js";
import { temporalClient } from "./workflow-updates.js";

const WITHIN_MS = 5_000;

/**
 * Ends the processes of a warehouse whose rows are gone; one that is not reached finds that out by itself.
 * @param why What the Temporal UI says of it.
 * @param but The process that ends them, which goes on.
 */
export async function endWorkflowsOf(warehouseId: number, why: string, but?: string): Promise<void> {
  const query = `WarehouseId = ${warehouseId} and ExecutionStatus = "Running"`;
  const client = temporalClient();
  await client
    .withDeadline(Date.now() + WITHIN_MS, async () => {
      for await (const { workflowId } of client.workflow.list({ query }))
        if (workflowId !== but) await client.workflow.getHandle(workflowId).terminate(why);
    })
    .catch((err) => log.warn({ err, warehouseId }, "workflows of a removed warehouse were not ended"));
}
