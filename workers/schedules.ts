import { setTimeout as pause } from "node:timers/promises";
import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleDescription,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from "@temporalio/client";
import type { WorkerDeploymentVersion } from "@temporalio/common";
import { msToNumber } from "@temporalio/common/lib/time.js";
import type { Config } from "../src/platform/config/config.js";
import { log } from "../src/platform/log.js";
import { endLeftRun } from "../src/platform/temporal/left-run.js";
import { JOBS, type JobName, maintenanceQueue } from "../src/platform/temporal/maintenance.js";
import { priorityOf } from "../src/platform/temporal/priorities.js";
import { deploymentVersion, makeCurrent } from "./deployment.js";
import { ensureRowSchedules } from "./row-schedules.js";
import { registerSearchAttributes } from "./search-attributes.js";

/** How soon schedules, search attributes and the current version are restored after Temporal lost its data. */
const CHECK_EVERY_MS = 10_000;
/** How soon a new version of the workers is looked for again that has not polled yet. */
const UNTIL_POLLED_MS = 500;
const ANSWER_WITHIN_MS = 5_000;

/**
 * Creates the schedules of the maintenance jobs and of syncs, updates them to this version of the service, makes that
 * the current one of the workers, and restores these and the search attributes when they are lost, until stopped.
 */
export function runSchedules(
  client: Client,
  config: Pick<Config, "temporalTaskQueue" | "connectorRetryDelayMs" | "workerVersioning">,
): { stop: () => Promise<void> } {
  const taskQueue = maintenanceQueue(config.temporalTaskQueue);
  const version = deploymentVersion(config);
  const stopping = new AbortController();
  const { signal } = stopping;
  const upToDate = new Set<JobName>();
  const loop = (async () => {
    while (!signal.aborted) {
      const inTime = <T>(call: () => Promise<T>) => client.withDeadline(Date.now() + ANSWER_WITHIN_MS, call);
      await inTime(() => registerSearchAttributes(client.connection, client.options.namespace)).catch((err) => {
        log.warn({ err }, "search attributes not checked");
      });
      for (const job of Object.keys(JOBS) as JobName[]) {
        try {
          await inTime(() => ensureSchedule(client, taskQueue, job, upToDate.has(job)));
          upToDate.add(job);
        } catch (err) {
          log.warn({ err, job }, "schedule not set up yet");
        }
      }
      await inTime(() => ensureRowSchedules(client, config)).catch((err) => {
        log.warn({ err }, "schedules of syncs and templates not checked");
      });
      const polls = !config.workerVersioning || (await currentIfNew(client, version));
      await pause(polls ? CHECK_EVERY_MS : UNTIL_POLLED_MS, undefined, { signal }).catch(() => {});
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await loop;
    },
  };
}

/** Makes this version the current one where it never was; false while Temporal does not know it yet. */
const currentIfNew = (client: Client, version: WorkerDeploymentVersion): Promise<boolean> =>
  makeCurrent(client, version, "worker").catch((err) => {
    log.warn({ err, ...version }, "the current version of the workers not checked");
    return true;
  });

async function ensureSchedule(client: Client, taskQueue: string, job: JobName, upToDate: boolean): Promise<void> {
  const { every, within, summary } = JOBS[job];
  const id = `maintenance-${job}`;
  const wanted = {
    spec: { intervals: [{ every }] },
    // Missed runs are not repeated.
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: every },
    action: {
      type: "startWorkflow",
      workflowType: "maintenance",
      workflowId: id,
      taskQueue,
      args: [job],
      workflowExecutionTimeout: within,
      staticSummary: summary,
      // The SDK sends it; its type of an action lacks it.
      ...{ priority: priorityOf("maintenance") },
    },
  } satisfies Partial<ScheduleOptions>;
  try {
    await client.schedule.create({ scheduleId: id, ...wanted, state: { triggerImmediately: true } });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    if (upToDate) return;
    const schedule = client.schedule.getHandle(id);
    // A schedule that an operator paused stays paused.
    await schedule.update(({ state }) => ({ ...wanted, state }));
    const described = await schedule.describe();
    const due = (await endLeftRun(client, described, wanted.action)) || isOverdue(described.info, msToNumber(every));
    if (due && !described.state.paused) await schedule.trigger(ScheduleOverlapPolicy.SKIP);
  }
}

/** Whether a job should have run by now: a start of a worker alone is no reason to run it. */
export function isOverdue(
  { createdAt, recentActions }: Pick<ScheduleDescription["info"], "createdAt" | "recentActions">,
  every: number,
  now = Date.now(),
): boolean {
  const last = Math.max(createdAt.getTime(), ...recentActions.map(({ takenAt }) => takenAt.getTime()));
  return now - last > every;
}
