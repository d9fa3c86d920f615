import { setTimeout as pause } from "node:timers/promises";
import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from "@temporalio/client";
import type { Duration } from "@temporalio/common";
import { log } from "../src/log.js";

/** What runs by the clock. A further kind of maintenance is a workflow in workflows/maintenance.ts and a line here. */
const schedules: Schedule[] = [
  {
    id: "maintenance-reconcile",
    workflow: "reconcile",
    every: "1 minute",
    summary: "Gives open waves and counts without a process one",
  },
  {
    id: "maintenance-purge",
    workflow: "purge",
    every: "1 hour",
    summary: "Deletes what nobody asks for any more",
  },
  {
    id: "maintenance-inbound-retention",
    workflow: "inboundRetention",
    every: "1 day",
    within: "3 hours",
    summary: "Forgets what other systems sent once its retention ended",
  },
  {
    id: "maintenance-webhook-retention",
    workflow: "webhookRetention",
    every: "6 hours",
    within: "40 minutes",
    summary: "Deletes webhook deliveries that ended 90 days ago",
  },
  {
    id: "maintenance-webhook-secrets",
    workflow: "webhookSecrets",
    every: "1 hour",
    within: "40 minutes",
    summary: "Forgets webhook secrets that were replaced 24 hours ago",
  },
  {
    id: "maintenance-webhook-reclaim",
    workflow: "webhookReclaim",
    every: "1 minute",
    summary: "Gives back webhook deliveries that a sender never finished",
  },
  {
    id: "maintenance-snapshot-cleanup",
    workflow: "snapshotCleanup",
    every: "5 minutes",
    within: "40 minutes",
    summary: "Deletes inventory scans that nobody goes on with",
  },
];

interface Schedule {
  id: string;
  workflow: string;
  every: Duration;
  /** How long a run may take; 5 minutes when it is not said. */
  within?: Duration;
  summary: string;
}

/** How soon schedules are there again when the engine lost them, with everything else it knew. */
const LOOK_EVERY_MS = 10_000;
const ANSWER_WITHIN_MS = 5_000;

/** Keeps the schedules there, as this version of the service wants them, until stopped; each runs once at the start. */
export function runSchedules(
  client: Client,
  taskQueue: string,
): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const known = new Set<string>();
  const loop = (async () => {
    while (!signal.aborted) {
      for (const schedule of schedules) {
        try {
          await client.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
            keep(client, taskQueue, schedule, known.has(schedule.id)),
          );
          known.add(schedule.id);
        } catch (err) {
          log.warn({ err, schedule: schedule.id }, "schedule not set up yet");
        }
      }
      await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await loop;
    },
  };
}

async function keep(
  client: Client,
  taskQueue: string,
  { id, workflow, every, within = "5 minutes", summary }: Schedule,
  upToDate: boolean,
): Promise<void> {
  const wanted = {
    spec: { intervals: [{ every }] },
    // A run that hangs must not keep the next ones away for ever; runs that were missed are not made up for.
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: every },
    action: {
      type: "startWorkflow",
      workflowType: workflow,
      workflowId: id,
      taskQueue,
      args: [],
      workflowExecutionTimeout: within,
      staticSummary: summary,
    },
  } satisfies Partial<ScheduleOptions>;
  try {
    await client.schedule.create({
      scheduleId: id,
      ...wanted,
      state: { triggerImmediately: true },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    if (upToDate) return;
    const schedule = client.schedule.getHandle(id);
    // Whoever paused it wants it paused, whatever the version.
    await schedule.update(({ state }) => ({ ...wanted, state }));
    await schedule.trigger(ScheduleOverlapPolicy.ALLOW_ALL);
  }
}
