import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Client, Connection } from "@temporalio/client";
import { freePort } from "../../src/launcher/free-port.js";
import { startPostgres } from "../../src/launcher/postgres.js";
import { Processes } from "../../src/launcher/processes.js";
import { prepare, startService } from "../../src/launcher/service.js";
import { startTemporal } from "../../src/launcher/temporal-server.js";
import { Caller } from "./caller.js";
import { PASSWORD } from "./people.js";
import { testFolder } from "./test-folder.js";
import { until } from "./until.js";

/** Where each process notes its pid. */
const pidFiles = {
  API: "api.pid",
  Worker: "worker.pid",
  Temporal: "temporal.pid",
  Postgres: join("postgres", "postmaster.pid"),
};
export type Part = keyof typeof pidFiles;

/**
 * The whole service as `npm start` runs it: real processes that are started again when they die, and data that they
 * sync.
 */
export interface Stack {
  /** Its data folder, with the embedded servers. */
  folder: string;
  databaseUrl: string;
  temporalAddress: string;
  admin: Caller;
  /** SIGKILL; it is started again by itself. */
  kill(part: Part): Promise<void>;
  /** SIGKILL, and nobody starts it again before the answer is called. */
  takeAway(part: "Temporal" | "Postgres" | "Worker"): Promise<() => Promise<void>>;
  /** Stops these in order, as Ctrl-C does; the answer starts them again. */
  stop(...parts: Part[]): Promise<() => Promise<void>>;
  /** Starts another worker beside the first; it ends by SIGKILL when the answer is called, and stays away. */
  addWorker(): Promise<() => void>;
  /** Deletes all that the workflow engine knows; it must be away. */
  forgetProcesses(): void;
  /** Starts the workflows that are missing, as it does by itself every minute. */
  reconcile(): Promise<void>;
  /** What readiness misses; undefined when the API does not answer. */
  missing(): Promise<string[] | undefined>;
  ready(): Promise<void>;
  close(): Promise<void>;
}

const READY_WITHIN_MS = 120_000;

/** A data folder with an empty prepared database, which the first stack of a run leaves to the others (run-all.ts). */
const prepared = process.env.TEST_PREPARED_FOLDER;

/** With its owners: Postgres may run as another user. */
const copy = (from: string, to: string) => execFileSync("cp", ["-a", `${from}/.`, to]);

/** Does nothing when another stack has left one meanwhile. */
function leave(folder: string, to: string): void {
  const own = `${to}-${process.pid}`;
  copy(folder, own);
  if (existsSync(to)) rmSync(own, { recursive: true });
  else renameSync(own, to);
}

export async function openStack(more: Record<string, string> = {}): Promise<Stack> {
  const folder = testFolder();
  const isPrepared = prepared !== undefined && existsSync(prepared);
  if (isPrepared) copy(prepared, folder);
  const quiet = () => {};
  const processes = new Processes(quiet);
  const added: Processes[] = [];
  const options = { folder, printLine: quiet, processes };
  const [port, databasePort, enginePort, uiPort] = await Promise.all(Array.from({ length: 4 }, freePort));
  const start = {
    Postgres: () => startPostgres({ ...options, port: databasePort }),
    Temporal: () => startTemporal({ ...options, port: enginePort, uiPort }),
    Worker: () => startService("Worker", processes, folder, env),
    API: () => startService("API", processes, folder, env),
  };
  const [postgres, temporal] = await Promise.all([start.Postgres(), start.Temporal()]);
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    TEST_VALIDATE_ROWS: process.env.TEST_VALIDATE_ROWS,
    PORT: `${port}`,
    DATABASE_URL: postgres.url,
    TEMPORAL_ADDRESS: temporal.address,
    JWT_SECRET: randomUUID(),
    SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 3).toString("base64"),
    SERVICE_TOKEN_PEPPER: randomUUID(),
    SERVICE_ADMIN_PASSWORD: PASSWORD,
    SERVICE_DEMO_DATA: "false",
    RATE_LIMIT_PER_MINUTE: "0",
    OPEN_RATE_LIMIT_PER_MINUTE: "0",
    LOG_LEVEL: "warn",
    ...more,
  };
  if (!isPrepared) {
    await prepare(processes, folder, env);
    if (prepared) {
      for (const server of ["Temporal", "Postgres"]) await processes.stop(server);
      leave(folder, prepared);
      await Promise.all([start.Postgres(), start.Temporal()]);
    }
  }
  await Promise.all([start.Worker(), start.API()]);

  const url = `http://127.0.0.1:${port}`;
  const pidOf = (part: Part): number | undefined => {
    try {
      const pid = Number.parseInt(readFileSync(join(folder, pidFiles[part]), "utf8"), 10);
      process.kill(pid, 0);
      return pid;
    } catch {
      return undefined; // It is just being started again.
    }
  };
  const kill = async (part: Part) => {
    await until(() => pidOf(part) !== undefined, READY_WITHIN_MS);
    process.kill(pidOf(part) as number, "SIGKILL");
  };
  const missing = async () => {
    const answer = await new Caller(url, {}, "", 0).get("/api/ready").catch(() => undefined);
    return answer?.status === 200 ? [] : answer?.body.missing;
  };
  const ready = () => until(async () => (await missing())?.length === 0, READY_WITHIN_MS);
  await ready();
  const { token, user } = await new Caller(url, {}, "", 0).ok("POST", "/api/auth/login", {
    username: "admin",
    password: PASSWORD,
  });
  return {
    folder,
    databaseUrl: postgres.url,
    temporalAddress: temporal.address,
    admin: new Caller(url, { authorization: `Bearer ${token}` }, "admin", user.user_id),
    kill,
    takeAway: async (part) => {
      const pid = pidOf(part);
      const stopped = processes.stop(part);
      if (pid) process.kill(pid, "SIGKILL");
      await stopped;
      return async () => void (await start[part]());
    },
    stop: async (...parts) => {
      for (const part of parts) await processes.stop(part);
      return async () => {
        for (const part of parts.toReversed()) await start[part]();
      };
    },
    addWorker: async () => {
      const own = new Processes(quiet);
      added.push(own);
      await startService("Worker", own, join(folder, `worker-${added.length}`), env);
      return () => own.killAll();
    },
    forgetProcesses: () => {
      for (const name of ["temporal.db", "temporal.db-wal", "temporal.db-shm"])
        rmSync(join(folder, name), { force: true });
    },
    reconcile: async () => {
      await ready();
      const connection = await Connection.connect({ address: temporal.address });
      await new Client({ connection }).schedule.getHandle("maintenance-reconcile").trigger();
      await connection.close();
    },
    missing,
    ready,
    close: async () => {
      for (const own of added) own.killAll();
      await processes.stopAll(["API", "Worker", "Temporal", "Postgres"]);
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
