import { closeTemporal, openTemporal } from "../api/http/workflow-updates.js";
import { workers } from "../api/system/readiness.js";
import { loadConnectors } from "../src/connectors/registry.js";
import { ready, runAsChild } from "../src/launcher/child.js";
import { configOrExit } from "../src/platform/config/config.js";
import { connect, disconnect, WORKER_LIMITS } from "../src/platform/db/db.js";
import { migratedOrExit } from "../src/platform/db/reach.js";
import { validateEvents } from "../src/platform/events/outbox.js";
import { log } from "../src/platform/log.js";
import { measureBacklog } from "../src/platform/monitoring/backlog.js";
import { startMetrics } from "../src/platform/monitoring/start.js";
import { measureSurroundings } from "../src/platform/monitoring/surroundings.js";
import { startTracing } from "../src/platform/tracing/tracing.js";
import { runAvailability, runPushes } from "./outbound.js";
import { runSchedules } from "./schedules.js";
import { runSequencer } from "./sequencer.js";
import { type RunningWorker, startWorker } from "./worker.js";

const config = configOrExit("worker");
await migratedOrExit(config);
connect(config.databaseUrl, config.databasePoolSize, config.companyTimeZone, WORKER_LIMITS);
const { metricsHost, workerMetricsPort } = config;
const stopMetrics = await startMetrics(metricsHost, workerMetricsPort, "SERVICE_WORKER_METRICS_PORT");
openTemporal(config);
if (workerMetricsPort) {
  measureBacklog();
  measureSurroundings(config, workers);
}
const stopTracing = await startTracing(config.otlpEndpoint, "warehouse-worker");
validateEvents(config.validateEventSchemas);
await loadConnectors();
const sequencer = runSequencer();
const availability = runAvailability();
const stopping = new AbortController();
let starting: Promise<RunningWorker> | undefined;
/** Begins once Temporal has answered. */
const begun: { stop(): Promise<void> }[] = [];
runAsChild({
  stop: async () => {
    stopping.abort();
    const worker = await starting?.catch(() => undefined);
    await Promise.all(begun.map((part) => part.stop()));
    await worker?.stop();
    await Promise.all([sequencer.stop(), availability.stop()]);
    await disconnect();
    await Promise.all([stopMetrics(), stopTracing(), closeTemporal()]);
  },
  // A webhook attempt in progress may finish: otherwise its events would be sent again.
  stopWithinMs: config.dispatcherShutdownDrainS * 1_000 + 10_000,
});
try {
  starting = startWorker(config, {}, stopping.signal);
  const worker = await starting;
  begun.push(runSchedules(worker.client, config), runPushes(worker.client, config));
  log.info({ taskQueue: config.temporalTaskQueue }, "worker polls");
  ready();
  // A worker ends by itself only after a fatal error; the process must not go on without it.
  await worker.ended;
  if (!stopping.signal.aborted) throw new Error("the worker has ended");
} catch (error) {
  if (!stopping.signal.aborted) throw error;
}
