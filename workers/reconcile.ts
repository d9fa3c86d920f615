import { type Client, WorkflowIdConflictPolicy } from "@temporalio/client";
import type { Config } from "../src/config.js";
import { countWorkflowId } from "../src/cycle-counts/count.js";
import { openCountIds } from "../src/cycle-counts/queries.js";
import { log } from "../src/log.js";
import type { Maintenance } from "../src/maintenance.js";
import { activeBatchIds } from "../src/picking/queries.js";
import { waveWorkflowId } from "../src/picking/wave.js";
import { systemActor } from "../src/system.js";
import { STEP_TIMEOUT } from "../src/temporal.js";
import { subscriptionWorkflowId } from "../src/webhooks/delivery.js";
import { activeSubscriptionIds } from "../src/webhooks/queries.js";

/** Starts a run makes at most, and at a time: after the loss of the whole engine there may be many, and the next run goes on. */
const AT_MOST = 500;
const AT_ONCE = 10;

/** A process that rows tell of, and how it is started from them. */
interface OpenProcess {
  workflow: string;
  workflowId: string;
  args: unknown[];
  staticSummary: string;
}

const restarter = () => systemActor("reconcile");

async function openProcesses(sends: boolean): Promise<OpenProcess[]> {
  const [batches, counts, subscriptions] = await Promise.all([
    activeBatchIds(),
    openCountIds(),
    sends ? activeSubscriptionIds() : [],
  ]);
  return [
    ...batches.map((batchId) => ({
      workflow: "pickWave",
      workflowId: waveWorkflowId(batchId),
      args: [{ batchId }, restarter()],
      staticSummary: `Batch ${batchId}, from its rows`,
    })),
    ...counts.map((countId) => ({
      workflow: "cycleCount",
      workflowId: countWorkflowId(countId),
      args: [countId, restarter()],
      staticSummary: `Count ${countId}, from its rows`,
    })),
    ...subscriptions.map((subscriptionId) => ({
      workflow: "webhookSubscription",
      workflowId: subscriptionWorkflowId(subscriptionId),
      args: [subscriptionId],
      staticSummary: `Webhook ${subscriptionId}, from its row`,
    })),
  ];
}

/**
 * The activity of the reconciling schedule (design rule 2). Rows are read before the engine is asked, so that a process that
 * begins in between is not missed; one that ends in between is started once more, sees its rows and ends. The engine's list lags a
 * little: a process that it does not show yet is met by `USE_EXISTING`, one that is gone already is found by the next run.
 */
export function reconciler(
  client: Client,
  {
    temporalTaskQueue: taskQueue,
    dispatcherEnabled,
  }: Pick<Config, "temporalTaskQueue" | "dispatcherEnabled">,
): Pick<Maintenance, "startMissing"> {
  async function running(): Promise<Set<string>> {
    const ids = new Set<string>();
    const found = client.workflow.list({
      query: `ExecutionStatus = "Running" and WorkflowType in ("pickWave", "cycleCount", "webhookSubscription")`,
    });
    for await (const { workflowId } of found) ids.add(workflowId);
    return ids;
  }

  async function start({ workflow, ...options }: OpenProcess): Promise<void> {
    await client.workflow.start(workflow, {
      ...options,
      taskQueue,
      workflowTaskTimeout: STEP_TIMEOUT,
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    });
  }

  return {
    async startMissing() {
      const open = await openProcesses(dispatcherEnabled);
      if (open.length === 0) return { started: [] };
      const known = await running();
      const missing = open
        .filter(({ workflowId }) => !known.has(workflowId))
        .slice(0, AT_MOST);
      for (let i = 0; i < missing.length; i += AT_ONCE)
        await Promise.all(missing.slice(i, i + AT_ONCE).map(start));
      const started = missing.map(({ workflowId }) => workflowId);
      if (started.length > 0)
        log.warn(
          { started },
          "processes were missing, started from their rows",
        );
      return { started };
    },
  };
}
