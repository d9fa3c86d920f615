import { loadConnectors } from "../src/connectors/registry.js";
import { ready, runAsChild } from "../src/launcher/child.js";
import { configOrExit, directUrl } from "../src/platform/config/config.js";
import { connect, disconnect } from "../src/platform/db/db.js";
import { migratedOrExit } from "../src/platform/db/reach.js";
import { validateEvents } from "../src/platform/events/outbox.js";
import { log } from "../src/platform/log.js";
import { startMetrics } from "../src/platform/monitoring/start.js";
import { startTracing } from "../src/platform/tracing/tracing.js";
import { createApp } from "./app.js";
import { closeAuthenticationCaches, openAuthenticationCaches } from "./auth/caches.js";
import { close, listen } from "./http/server.js";
import { sendAllSignals } from "./http/workflow-signals.js";
import { closeTemporal, openTemporal } from "./http/workflow-updates.js";
import { openInbound } from "./inbound/open.js";
import { closeLive, openLive } from "./system/live-feed.js";

const config = configOrExit("api");
await migratedOrExit(config);
connect(config.databaseUrl, config.databasePoolSize, config.companyTimeZone);
const stopMetrics = await startMetrics(config.metricsHost, config.metricsPort, "SERVICE_METRICS_PORT");
const stopTracing = await startTracing(config.otlpEndpoint, "warehouse-api");
validateEvents(config.validateEventSchemas);
openTemporal(config);
openAuthenticationCaches(directUrl(config));
openLive(directUrl(config));
await loadConnectors();
await openInbound(config);
const server = await listen(createApp(config), config.host, config.port, config.requestTimeoutS).catch(
  (error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    console.error(`Port ${config.port} on ${config.host} is taken. Set PORT to another one, or stop what uses it.`);
    process.exit(78);
  },
);
runAsChild({
  stop: async () => {
    await closeLive();
    await close(server);
    sendAllSignals();
    await closeTemporal();
    await closeAuthenticationCaches();
    await disconnect();
    await Promise.all([stopMetrics(), stopTracing()]);
  },
});
log.info({ host: config.host, port: config.port }, "api listens");
ready();
