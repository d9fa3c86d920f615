import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "@temporalio/client";
import { NativeConnection, Worker, type WorkerDeploymentOptions, type WorkerOptions } from "@temporalio/worker";
import { runSenders } from "../activities/outbound/engine.js";
import { connectorQueue } from "../src/connectors/task-queue.js";
import { unlessAborted } from "../src/outbound/wire/exchange.js";
import { type Config, directUrl } from "../src/platform/config/config.js";
import { log } from "../src/platform/log.js";
import { temporalOptions } from "../src/platform/temporal/connection.js";
import { maintenanceQueue } from "../src/platform/temporal/maintenance.js";
import { prioritizing } from "../src/platform/temporal/priorities.js";
import { traceClient } from "../src/platform/temporal/trace-client.js";
import { dataConverter } from "../src/system/payload-codec.js";
import { ENCODES_FAILURES, HAS_VERSION } from "../workflows/globals.js";
import { activities } from "./activities.js";
import { BUNDLE, deploymentVersion } from "./deployment.js";
import { failures, missingAttributes } from "./interceptors.js";
import { startSoon } from "./reconcile.js";
import { installRuntime } from "./runtime.js";
import { registerSearchAttributes } from "./search-attributes.js";
import { tracedActivity, traceSinks } from "./tracing.js";

/** So that updates find a slot while many webhook attempts wait for partners that do not answer. */
const MAX_ACTIVITIES = 2_000;

/** The workflows, with what they are told of the configuration in front. */
function workflowBundle({ encryptWorkflows, workerVersioning }: Config<"worker">) {
  const told = [...(encryptWorkflows ? [ENCODES_FAILURES] : []), ...(workerVersioning ? [HAS_VERSION] : [])];
  if (told.length === 0) return { codePath: BUNDLE };
  return { code: told.map((name) => `globalThis.${name} = true; `).join("") + readFileSync(BUNDLE, "utf8") };
}

/** A few jobs, which wait for their schedules most of the time: as few threads and pollers as possible. */
const FOR_MAINTENANCE = {
  workflowThreadPoolSize: 1,
  maxCachedWorkflows: 10,
  maxConcurrentWorkflowTaskExecutions: 2,
  maxConcurrentWorkflowTaskPolls: 2,
  maxConcurrentActivityTaskExecutions: 10,
  maxConcurrentActivityTaskPolls: 1,
};

/**
 * Their activities wait for other systems most of the time; a label's first workflow task does, too, while its carrier
 * answers.
 */
const FOR_CONNECTORS = {
  workflowThreadPoolSize: 1,
  maxCachedWorkflows: 200,
  maxConcurrentWorkflowTaskExecutions: 60,
  maxConcurrentWorkflowTaskPolls: 10,
  nonStickyToStickyPollRatio: 0.8,
  maxConcurrentActivityTaskExecutions: 20,
  maxConcurrentActivityTaskPolls: 2,
};

/**
 * Its version is shown, and with Worker Versioning in effect: then it gets only what is pinned to it (which workflows
 * say) or all else, if it is the current one.
 */
function deployment(config: Config<"worker">): WorkerDeploymentOptions {
  const version = deploymentVersion(config);
  return config.workerVersioning
    ? { version, useWorkerVersioning: true, defaultVersioningBehavior: "AUTO_UPGRADE" }
    : { version, useWorkerVersioning: false };
}

/** A running worker. */
export interface RunningWorker {
  /** A client over the worker's connection. */
  client: Client;
  ended: Promise<void>;
  /** Stops it after the running tasks. */
  stop: () => Promise<void>;
}

const CONNECT_WITHIN_MS = 60_000;

async function connectToTemporal(config: Config<"worker">, stop: AbortSignal): Promise<NativeConnection> {
  const giveUpAt = Date.now() + CONNECT_WITHIN_MS;
  for (;;) {
    try {
      return await unlessAborted(NativeConnection.connect(temporalOptions(config)), stop);
    } catch (err) {
      if (stop.aborted || Date.now() > giveUpAt) throw err;
      log.warn({ err }, "Temporal does not answer yet");
      await pause(1_000, undefined, { signal: stop });
    }
  }
}

/**
 * Starts a worker on the task queue, and on those for maintenance and connectors. Webhooks are sent even before
 * Temporal answers; it waits a minute for that.
 * @param stop When aborted, it stops waiting and sending, and throws.
 */
export async function startWorker(
  config: Config<"worker">,
  more: Pick<WorkerOptions, "debugMode" | "workerDeploymentOptions"> = {},
  stop: AbortSignal = new AbortController().signal,
): Promise<RunningWorker> {
  const { temporalNamespace: namespace, temporalTaskQueue: taskQueue } = config;
  installRuntime(config);
  let client: Client | undefined;
  // While Temporal is unavailable, the job `reconcile` starts the retry later.
  const senders = runSenders({ ...config, databaseUrl: directUrl(config) }, async (retry) => {
    if (client) await startSoon(client, taskQueue, retry);
  });
  const connection = await connectToTemporal(config, stop).catch(async (error) => {
    await senders.stop();
    throw error;
  });
  await registerSearchAttributes(connection, namespace).catch((err) => {
    log.warn({ err }, "search attributes not checked yet");
  });
  client = new Client({
    connection,
    namespace,
    dataConverter: dataConverter(config),
    interceptors: { workflow: [traceClient, prioritizing] },
  });
  const options: Omit<WorkerOptions, "taskQueue"> = {
    connection,
    namespace,
    workflowBundle: workflowBundle(config),
    dataConverter: dataConverter(config),
    activities: activities(client, config, senders),
    workerDeploymentOptions: deployment(config),
    // After a worker was killed, its workflows wait this long for another one; the default is longer than a route
    // waits.
    stickyQueueScheduleToStartTimeout: "1s",
    // Running activities have this long when the worker stops; the SDK's default is 0.
    shutdownGraceTime: config.dispatcherShutdownDrainS * 1_000,
    interceptors: { activity: [() => ({ inbound: tracedActivity }), () => ({ inbound: failures }), missingAttributes] },
    sinks: traceSinks,
    ...more,
  };
  const workers = await Promise.all([
    Worker.create({ ...options, taskQueue, maxConcurrentActivityTaskExecutions: MAX_ACTIVITIES }),
    Worker.create({ ...options, ...FOR_MAINTENANCE, taskQueue: maintenanceQueue(taskQueue) }),
    Worker.create({ ...options, ...FOR_CONNECTORS, taskQueue: connectorQueue(taskQueue) }),
  ]);
  const shutDown = () => {
    for (const worker of workers) if (worker.getState() === "RUNNING") worker.shutdown();
  };
  // When one worker ends by itself, which takes a fatal error, the others end too.
  const ended = Promise.all(workers.map((worker) => worker.run().finally(shutDown))).then(() => {});
  ended.catch(() => {});
  return {
    client,
    ended,
    stop: async () => {
      shutDown();
      await Promise.all([senders.stop(), ended]);
      await senders.close();
      await connection.close();
    },
  };
}
