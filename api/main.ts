import { collectAlone } from "../src/collector.js";
import { configOrExit } from "../src/config.js";
import { connect, disconnect } from "../src/db.js";
import { validateEvents } from "../src/events/outbox.js";
import { ready, runAsChild } from "../src/launcher/child.js";
import { log } from "../src/log.js";
import { createApp } from "./app.js";
import { closeTokens, openTokens } from "./known-tokens.js";
import { openInbound } from "./open-inbound.js";
import { closeEngine, openEngine } from "./process.js";
import { close, listen } from "./server.js";
import { tellAll } from "./signals.js";

collectAlone();
const config = configOrExit("api");
connect(config.databaseUrl, config.databasePoolSize, config.companyTimeZone);
validateEvents(config.validateEventSchemas);
openEngine(config);
openTokens(config.databaseUrl);
await openInbound(config);
const server = await listen(createApp(config), config.host, config.port).catch(
  (error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    console.error(
      `Port ${config.port} on ${config.host} is taken. Set PORT to another one, or stop what uses it.`,
    );
    process.exit(78);
  },
);
runAsChild({
  stop: async () => {
    await close(server);
    tellAll();
    await closeEngine();
    await closeTokens();
    await disconnect();
  },
});
log.info({ host: config.host, port: config.port }, "api listens");
ready();
