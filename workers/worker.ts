import { fileURLToPath } from "node:url";
import { Client } from "@temporalio/client";
import {
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
} from "@temporalio/worker";
import type { Config } from "../src/config.js";
import { log } from "../src/log.js";
import { temporalOptions } from "../src/temporal.js";
import { activities } from "./activities.js";
import { refusals } from "./interceptors.js";
import { registerSearchAttributes } from "./search-attributes.js";
import { openSenders } from "./webhooks/senders.js";

// The SDK speaks through our log, from warnings on.
Runtime.install({
  logger: new DefaultLogger("WARN", ({ level, message, meta }) => {
    const { error: err, ...rest } = meta ?? {};
    log[level === "ERROR" ? "error" : "warn"]({ err, ...rest }, message);
  }),
  telemetryOptions: { logging: { forward: {}, filter: "WARN" } },
});

/** Each active webhook subscription takes one for as long as it is active. */
const MOST_ACTIVITIES = 2_000;

/** A worker that runs. */
export interface RunningWorker {
  /** Speaks over the worker's connection. */
  client: Client;
  ended: Promise<void>;
  /** Drains it. */
  stop: () => Promise<void>;
}

/** Starts a worker on the task queue. */
export async function startWorker(
  config: Config<"worker">,
): Promise<RunningWorker> {
  const { temporalNamespace: namespace, temporalTaskQueue: taskQueue } = config;
  const connection = await NativeConnection.connect(temporalOptions(config));
  await registerSearchAttributes(connection, namespace);
  const client = new Client({ connection, namespace });
  const senders = openSenders(config);
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue,
    workflowBundle: {
      codePath: fileURLToPath(
        new URL("../workflow-bundle.js", import.meta.url),
      ),
    },
    activities: activities(client, config, senders.activities),
    maxConcurrentActivityTaskExecutions: MOST_ACTIVITIES,
    // What runs is given this long when the worker is told to stop; the SDK's default is none at all.
    shutdownGraceTime: config.dispatcherShutdownDrainS * 1_000,
    interceptors: { activity: [() => ({ inbound: refusals })] },
  });
  const ended = worker.run();
  ended.catch(() => {});
  return {
    client,
    ended,
    stop: async () => {
      if (worker.getState() === "RUNNING") worker.shutdown();
      // Only now: before, the engine would have given their subscriptions straight back.
      senders.stop();
      await ended;
      await senders.close();
      await connection.close();
    },
  };
}
