import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { configOrExit } from "../platform/config/config.js";
import { databaseFault } from "../platform/db/reach.js";
import { apiUrl, banner, login } from "./banner.js";
import { makeDataFolder } from "./data-folder.js";
import { type Login, simulateDemoHour } from "./demo-hour.js";
import { lockFolder } from "./lock.js";
import { assertPortFree } from "./ports.js";
import { startPostgres } from "./postgres.js";
import { Processes } from "./processes.js";
import { storedSecret } from "./secrets.js";
import { endServiceOrphans, type Prepared, prepare, startService } from "./service.js";
import { onStopRequest } from "./stop-request.js";
import { startTemporal } from "./temporal-server.js";
import { printLine } from "./terminal.js";

/** Requests stop first, then activities, then the servers that both need. */
const STOP_ORDER = ["API", "Worker", "Temporal", "Postgres"];

const DEMO_MAPPINGS = fileURLToPath(new URL("../../../demo/mappings", import.meta.url));

const config = configOrExit("all");
const processes = new Processes(printLine);
let folder: string;
/** A login with a generated password that has not been printed yet. */
let unprinted: Prepared | undefined;
let stopping = false;

async function start(): Promise<void> {
  folder = makeDataFolder(config.dataDir);
  process.umask(0o077);
  const lock = await lockFolder(folder, printLine);
  const leave = () => {
    lock.setStopping();
    void stop(0);
  };
  const force = () => {
    processes.killAll();
    process.exit(1);
  };
  onStopRequest(leave, force);
  await endServiceOrphans(folder, printLine);
  await assertPortFree(config.port, config.host);
  printLine("Starting…");
  const [database, temporal] = await Promise.all([startDatabase(), temporalClient()]);
  const env = {
    ...database.env,
    TEMPORAL_ADDRESS: temporal.address,
    ...(temporal.uiUrl && { SERVICE_TEMPORAL_UI_URL: temporal.uiUrl }),
    JWT_SECRET: config.jwtSecret ?? (await storedSecret(folder, "jwt-secret")),
    SERVICE_ENCRYPTION_KEY: config.encryptionKey ?? (await storedSecret(folder, "encryption-key")),
    SERVICE_TOKEN_PEPPER: config.tokenPepper ?? (await storedSecret(folder, "token-pepper")),
  };
  await Promise.all([startService("Worker", processes, folder, env), startService("API", processes, folder, env)]);
  await untilReady();
  const demoLogin = loginForDemo(database.prepared);
  printLine(banner(config, database.prepared, temporal.shown, demoLogin !== undefined));
  unprinted = undefined;
  if (demoLogin) void simulateDemoHour(processes, folder, demoLogin).catch(onDemoFailure);
}

/** The admin as whom an hour is simulated, after demo data was loaded. */
function loginForDemo({ demo, adminUsername: user, adminPassword }: Prepared): Login | undefined {
  const password = adminPassword ?? config.adminPassword;
  return demo && password && config.demoData !== "data" ? { url: apiUrl(config), user, password } : undefined;
}

function onDemoFailure(): void {
  if (!stopping) printLine(`The simulated hour did not end well; ${folder}/logs/simulation.log says why.`);
}

/** Starts Postgres, migrates it and creates the first admin. */
async function startDatabase() {
  const { databaseUrl, databaseDirectUrl } = config;
  const fault = databaseUrl && (await databaseFault({ databaseUrl, databaseDirectUrl }));
  if (fault) throw new Error(fault);
  const url = databaseUrl ?? (await startPostgres({ folder, printLine, processes })).url;
  const env = {
    ...process.env,
    SERVICE_DATA_DIR: folder,
    DATABASE_URL: url,
    SERVICE_DEMO_DATA: `${config.demoData ?? !config.databaseUrl}`,
    ...demoShop(),
  };
  const prepared = await prepare(processes, folder, env);
  if (prepared.adminPassword) unprinted = prepared;
  return { env, prepared };
}

/** The demo's source system (docs/mappings.md), unless others are configured. */
function demoShop(): NodeJS.ProcessEnv {
  const { inboundMappingsDir, sourceSystems, demoData, databaseUrl } = config;
  const configured = inboundMappingsDir || sourceSystems.length > 0;
  if (configured || (databaseUrl && !demoData)) return {};
  return { SERVICE_INBOUND_MAPPINGS_DIR: DEMO_MAPPINGS, SERVICE_SOURCE_SYSTEMS: "acme-shop:manual_import" };
}

/** The address of Temporal, and the text for the banner. */
async function temporalClient(): Promise<{ address: string; shown: string; uiUrl?: string }> {
  const { temporalAddress: address, temporalNamespace: namespace } = config;
  if (address) return { address, shown: `${address}, namespace ${namespace}` };
  const uiPort = config.temporalUiPort;
  const server = await startTemporal({ folder, namespace, uiPort, printLine, processes });
  return { address: server.address, shown: server.uiUrl, uiUrl: server.uiUrl };
}

async function untilReady(): Promise<void> {
  const url = `${apiUrl(config)}/api/ready`;
  for (let asked = 1; !stopping; asked++) {
    const missing = await fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
      (answer) => (answer.ok ? undefined : answer.text()),
      (error: Error) => error.message,
    );
    if (missing === undefined) return;
    if (asked % 100 === 0) printLine(`Still waiting for ${url}: ${missing}`);
    await sleep(100);
  }
  throw new Error("stopping");
}

async function stop(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  if (processes.any) printLine("Stopping…");
  await processes.stopAll(STOP_ORDER);
  if (unprinted) printLine(`Login made at this start: ${login(config, unprinted)}`);
  if (code === 0) printLine("Stopped.");
  process.exit(code);
}

// Writing to a closed terminal fails; the service still has to stop in order.
process.stdout.on("error", () => {});
start().catch(async (error: Error) => {
  if (stopping) return;
  printLine(`The service could not start. ${error.message}`);
  // A process of the service found an error in the configuration, so the launcher exits with the same code.
  await stop(/ \(exit code 78\)/.test(error.message) ? 78 : 1);
});
