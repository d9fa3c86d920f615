import { log } from "../../src/platform/log.js";
import type { reset } from "../../workflows/connector-sync.js";
import { temporalClient } from "../http/workflow-updates.js";

/** Short: the row is free already, and a run that gets no signal notices it at its next page. */
const SIGNAL_WITHIN_MS = 1_500;

/** Signals the workflow of a sync that its row was freed. */
export async function signalReset(workflowId: string): Promise<void> {
  const client = temporalClient();
  const signal: typeof reset.name = "reset";
  try {
    await client.withDeadline(Date.now() + SIGNAL_WITHIN_MS, () =>
      client.workflow.getHandle(workflowId).signal(signal),
    );
  } catch (err) {
    log.warn({ err, workflowId }, "a sync was not told of its reset");
  }
}
