import { mkdirSync, realpathSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { configOrExit } from "../config/config.js";
import { apiUrl, banner, login } from "./banner.js";
import { lockFolder } from "./lock.js";
import { assertPortFree } from "./ports.js";
import { startPostgres } from "./postgres.js";
import { Processes } from "./processes.js";
import { say } from "./say.js";
import { keptSecret } from "./secrets.js";
import { endServiceOrphans, type Prepared, prepare, startService } from "./service.js";
import { onStopRequest } from "./stop-request.js";
import { startTemporal } from "./temporal-server.js";

/** First those that give work, then those that do it, then what they do it with. */
const STOP_ORDER = ["API", "Worker", "Temporal", "Postgres"];

const DEMO_MAPPINGS = fileURLToPath(new URL("../../../demo/mappings", import.meta.url));

const config = configOrExit("all");
// Postgres may run as another user, who has to pass through; what lies in it is for us alone.
mkdirSync(config.dataDir, { recursive: true, mode: 0o711 });
process.umask(0o077);
const folder = realpathSync(config.dataDir);
const processes = new Processes(say);
/** A login that was made at random, until somebody could see it. */
let unseen: Prepared | undefined;
let stopping = false;

async function start(): Promise<void> {
  const lock = await lockFolder(folder, say);
  const leave = () => {
    lock.leaving();
    void stop(0);
  };
  const force = () => {
    processes.killAll();
    process.exit(1);
  };
  onStopRequest(leave, force);
  await endServiceOrphans(folder, say);
  await assertPortFree(config.port, config.host);
  say("Starting…");
  const [database, temporal] = await Promise.all([startDatabase(), temporalClient()]);
  const env = {
    ...database.env,
    TEMPORAL_ADDRESS: temporal.address,
    JWT_SECRET: config.jwtSecret ?? (await keptSecret(folder, "jwt-secret")),
    SERVICE_ENCRYPTION_KEY: config.encryptionKey ?? (await keptSecret(folder, "encryption-key")),
    SERVICE_TOKEN_PEPPER: config.tokenPepper ?? (await keptSecret(folder, "token-pepper")),
  };
  await Promise.all([startService("Worker", processes, folder, env), startService("API", processes, folder, env)]);
  await untilReady();
  say(banner(config, database.prepared, temporal.shown));
  unseen = undefined;
}

/** Postgres, migrated and with a first admin. */
async function startDatabase() {
  const url = config.databaseUrl ?? (await startPostgres({ folder, say, processes })).url;
  const env = {
    ...process.env,
    SERVICE_DATA_DIR: folder,
    DATABASE_URL: url,
    SERVICE_DEMO_DATA: `${config.demoData ?? !config.databaseUrl}`,
    ...demoShop(),
  };
  const prepared = await prepare(processes, folder, env);
  if (prepared.adminPassword) unseen = prepared;
  return { env, prepared };
}

/** The made-up shop that may push records (docs/mappings.md), where nobody said which systems may. */
function demoShop(): NodeJS.ProcessEnv {
  const { inboundMappingsDir, sourceSystems, demoData, databaseUrl } = config;
  const given = inboundMappingsDir || sourceSystems.length > 0;
  if (given || (databaseUrl && !demoData)) return {};
  return {
    SERVICE_INBOUND_MAPPINGS_DIR: DEMO_MAPPINGS,
    SERVICE_SOURCE_SYSTEMS: "acme-shop:manual_import",
  };
}

/** The workflow engine, and how the banner shows it. */
async function temporalClient(): Promise<{ address: string; shown: string }> {
  const { temporalAddress: address, temporalNamespace: namespace } = config;
  if (address) return { address, shown: `${address}, namespace ${namespace}` };
  const uiPort = config.temporalUiPort;
  const server = await startTemporal({
    folder,
    namespace,
    uiPort,
    say,
    processes,
  });
  return { address: server.address, shown: server.uiUrl };
}

async function untilReady(): Promise<void> {
  const url = `${apiUrl(config)}/api/ready`;
  for (let asked = 1; !stopping; asked++) {
    const missing = await fetch(url, {
      signal: AbortSignal.timeout(5_000),
    }).then(
      (answer) => (answer.ok ? undefined : answer.text()),
      (error: Error) => error.message,
    );
    if (missing === undefined) return;
    if (asked % 100 === 0) say(`Still waiting for ${url}: ${missing}`);
    await sleep(100);
  }
  throw new Error("stopping");
}

async function stop(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  if (processes.some) say("Stopping…");
  await processes.stopAll(STOP_ORDER);
  if (unseen) say(`Login made at this start: ${login(config, unseen)}`);
  if (code === 0) say("Stopped.");
  process.exit(code);
}

// A terminal that was closed takes no words, which is no reason to stop in disorder.
process.stdout.on("error", () => {});
start().catch(async (error: Error) => {
  if (stopping) return;
  say(`The service could not start. ${error.message}`);
  // A fault of the configuration that only a process of the service could see is one here, too.
  await stop(/ \(exit code 78\)/.test(error.message) ? 78 : 1);
});
