import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Client } from "@temporalio/client";
import { DefaultLogger, NativeConnection, Runtime, Worker } from "@temporalio/worker";
import { openSenders } from "../activities/outbound/webhooks/sending/senders.js";
import type { Config } from "../src/config/config.js";
import { directUrl } from "../src/db/direct-url.js";
import { log } from "../src/log.js";
import { temporalOptions } from "../src/temporal/connection.js";
import { version } from "../src/version.js";
import { activities } from "./activities.js";
import { failures } from "./interceptors.js";
import { registerSearchAttributes } from "./search-attributes.js";

// The SDK logs through our log, from warnings on.
Runtime.install({
  logger: new DefaultLogger("WARN", ({ level, message, meta }) => {
    const { error: err, ...rest } = meta ?? {};
    log[level === "ERROR" ? "error" : "warn"]({ err, ...rest }, message);
  }),
  telemetryOptions: { logging: { forward: {}, filter: "WARN" } },
});

/** Each active webhook subscription takes a slot for as long as it is active. */
const MAX_ACTIVITIES = 2_000;

const BUNDLE = fileURLToPath(new URL("../workflow-bundle.js", import.meta.url));
/** The release, and which workflows it was built with. */
const buildId = () => `${version}-${createHash("sha256").update(readFileSync(BUNDLE)).digest("hex").slice(0, 8)}`;

/** A running worker. */
export interface RunningWorker {
  /** A client over the worker's connection. */
  client: Client;
  ended: Promise<void>;
  /** Stops it after the running tasks. */
  stop: () => Promise<void>;
}

/** Starts a worker on the task queue. */
export async function startWorker(config: Config<"worker">): Promise<RunningWorker> {
  const { temporalNamespace: namespace, temporalTaskQueue: taskQueue } = config;
  const connection = await NativeConnection.connect(temporalOptions(config));
  await registerSearchAttributes(connection, namespace).catch((err) => {
    log.warn({ err }, "search attributes not checked yet");
  });
  const client = new Client({ connection, namespace });
  const senders = openSenders({ ...config, databaseUrl: directUrl(config) });
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue,
    workflowBundle: { codePath: BUNDLE },
    activities: activities(client, config, senders.activities),
    workerDeploymentOptions: {
      version: { deploymentName: "warehouse-execution-service", buildId: buildId() },
      // For the eye alone: with it, no process would run before an operator has made a version the current one.
      useWorkerVersioning: false,
    },
    maxConcurrentActivityTaskExecutions: MAX_ACTIVITIES,
    // After a kill its workflows wait this long for another worker; the default is longer than a route waits.
    stickyQueueScheduleToStartTimeout: "1s",
    // Running activities have this long when the worker stops; the SDK's default is 0.
    shutdownGraceTime: config.dispatcherShutdownDrainS * 1_000,
    interceptors: { activity: [() => ({ inbound: failures })] },
  });
  const ended = worker.run();
  ended.catch(() => {});
  return {
    client,
    ended,
    stop: async () => {
      if (worker.getState() === "RUNNING") worker.shutdown();
      // After the shutdown began: before, Temporal would start their activities on this worker again.
      senders.stop();
      await ended;
      await senders.close();
      await connection.close();
    },
  };
}
