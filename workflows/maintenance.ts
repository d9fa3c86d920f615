import * as wf from "@temporalio/workflow";
import type * as retention from "../activities/retention.js";
import type { Maintenance } from "../src/maintenance.js";

/** What keeps the house in order, each on its own schedule (workers/schedules.ts). */

const { startMissing } = wf.proxyActivities<Maintenance>({
  startToCloseTimeout: "2m",
  retry: { maximumAttempts: 3 },
});

const { purgeCommands } = wf.proxyActivities<typeof retention>({
  startToCloseTimeout: "9m",
  retry: { maximumAttempts: 3 },
});

const { clearInbound } = wf.proxyActivities<Maintenance>({
  startToCloseTimeout: "55m",
  retry: { maximumAttempts: 3 },
});

/** Forgets what other systems sent once its retention ended, ten minutes at most for each resource; gives how many. */
export function inboundRetention(): Promise<Record<string, number>> {
  return clearInbound();
}

/** Gives open waves and counts that have no process one from their rows (design rule 2). */
export function reconcile(): Promise<{ started: string[] }> {
  return startMissing();
}

/** Deletes what nobody asks for any more; gives how many rows. */
export async function purge(): Promise<{ commands: number }> {
  return { commands: await purgeCommands() };
}
