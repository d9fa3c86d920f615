import { rm } from "node:fs/promises";
import type { Context, Runnable, Suite } from "mocha";
import pg from "pg";
import { databaseUrlOn } from "../../bench/database-url.js";
import { migrations } from "../../migrations/index.js";
import { freePort } from "../../src/launcher/free-port.js";
import { startPostgres } from "../../src/launcher/postgres.js";
import { startTemporal } from "../../src/launcher/temporal-server.js";
import { migrate } from "../../src/platform/db/migrate.js";
import { log } from "../../src/platform/log.js";
import { stretchTimeouts } from "./machine-speed.js";
import { refusePgWarnings } from "./pg-warnings.js";
import { testFolder } from "./test-folder.js";

/** Events after which the engine suggests a fresh start (4,096 by itself). */
export const LONG_HISTORY = 400;

/** The two real servers, started once for the whole run; each test file makes its own database from the template. */
const TEMPLATE = "warehouse_template";

const stops: (() => Promise<void>)[] = [];

export async function mochaGlobalSetup(): Promise<void> {
  log.level = process.env.TEST_LOG_LEVEL ?? "silent";
  const folder = testFolder();
  stops.push(() => rm(folder, { recursive: true, force: true }));
  const quiet = () => {};
  const [port, temporalPort, uiPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const [postgres, temporal] = await Promise.all([
    startPostgres({ folder, fsync: false, port, printLine: quiet }),
    startTemporal({
      folder,
      fsync: false,
      port: temporalPort,
      uiPort,
      printLine: quiet,
      dynamicConfig: {
        // A timer is up to a second late otherwise, so that servers whose clocks differ miss none.
        "history.timerProcessorMaxTimeShift": "20ms",
        // So that a test can see a history grow long without thousands of events.
        "limit.historyCount.suggestContinueAsNew": LONG_HISTORY,
        // Else the parts of a task queue learn one after the other which version of the workers is the current one.
        "matching.numTaskqueueReadPartitions": 1,
        "matching.numTaskqueueWritePartitions": 1,
      },
    }),
  ]);
  stops.push(postgres.stop, temporal.stop);
  process.env.TEST_DATABASE_URL = postgres.url;
  process.env.TEST_TEMPORAL_ADDRESS = temporal.address;
  process.env.TEST_TEMPORAL_UI = temporal.uiUrl;
  process.env.TEST_VALIDATE_ROWS = "true";
  await onServer(`create database ${TEMPLATE}`);
  await migrate(databaseUrl(TEMPLATE), migrations);
}

export async function mochaGlobalTeardown(): Promise<void> {
  for (const stop of stops.reverse()) await stop();
}

export const mochaHooks = {
  beforeAll(this: Context): void {
    stretchTimeouts((this.test as Runnable).parent as Suite);
  },
  afterAll: refusePgWarnings,
};

/** Makes a database with the schema. Copying files takes half of what copying pages through the WAL does. */
export const createDatabase = (name: string) =>
  onServer(`create database ${name} template ${TEMPLATE} strategy file_copy`);

/** The URL of a database on the test server. */
export const databaseUrl = (name: string): string => databaseUrlOn(process.env.TEST_DATABASE_URL as string, name);

/** Runs a statement on the server itself. */
export async function onServer(statement: string): Promise<void> {
  const client = new pg.Client(process.env.TEST_DATABASE_URL);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
