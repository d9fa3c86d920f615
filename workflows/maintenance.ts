import * as wf from "@temporalio/workflow";
import type * as retention from "../activities/retention.js";
import type * as hygiene from "../activities/webhooks/hygiene.js";
import type { Maintenance } from "../src/maintenance.js";

/** What keeps the house in order, each on its own schedule (workers/schedules.ts). */

const { startMissing } = wf.proxyActivities<Maintenance>({
  startToCloseTimeout: "2m",
  retry: { maximumAttempts: 3 },
});

const { purgeCommands, purgeLoginAttempts } = wf.proxyActivities<
  typeof retention
>({
  startToCloseTimeout: "9m",
  retry: { maximumAttempts: 3 },
});

const { clearInbound } = wf.proxyActivities<Maintenance>({
  startToCloseTimeout: "55m",
  retry: { maximumAttempts: 3 },
});

const { clearDeliveries, clearSecrets, clearSnapshots } = wf.proxyActivities<
  typeof hygiene
>({
  startToCloseTimeout: "12m",
  retry: { maximumAttempts: 3 },
});

const { reclaimDeliveries } = wf.proxyActivities<Maintenance>({
  startToCloseTimeout: "4m",
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
export async function purge(): Promise<{ commands: number; logins: number }> {
  const commands = await purgeCommands();
  return { commands, logins: await purgeLoginAttempts() };
}

/** Deletes deliveries that ended 90 days ago, ten minutes at most; gives how many. */
export function webhookRetention(): Promise<number> {
  return clearDeliveries();
}

/** Forgets the secrets that were replaced 24 hours ago; gives how many. */
export function webhookSecrets(): Promise<number> {
  return clearSecrets();
}

/** Gives back deliveries that a sender took and never finished; gives how many. */
export function webhookReclaim(): Promise<number> {
  return reclaimDeliveries();
}

/** Deletes the rows of inventory scans that nobody goes on with; gives how many. */
export function snapshotCleanup(): Promise<number> {
  return clearSnapshots();
}
