import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { endOrphan } from "./orphans.js";
import { portNear } from "./ports.js";
import { postgresBinaries } from "./postgres-binaries.js";
import { makeCluster, USER } from "./postgres-cluster.js";
import { Processes, until } from "./processes.js";
import { storedSecret } from "./secrets.js";
import { type PrintLine, printLine as printToTerminal } from "./terminal.js";

/** Not 5432, which another Postgres may use. */
const DEFAULT_PORT = 54320;
const DATABASE = "warehouse";

/** For two cores and a gigabyte of memory; `synchronous_commit` stays on. */
const settings = {
  listen_addresses: "127.0.0.1",
  timezone: "UTC",
  log_timezone: "UTC",
  max_connections: "100",
  shared_buffers: "256MB",
  effective_cache_size: "1GB",
  max_wal_size: "2GB",
  random_page_cost: "1.1",
  jit: "off",
  // Parallel queries need more /dev/shm than containers have, and gain little with two cores.
  max_parallel_workers_per_gather: "0",
};

/** For tests, whose data may be lost in a power failure. */
const unsafe = {
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  // They may lie in memory.
  max_wal_size: "256MB",
};

/**
 * A Unix socket costs both ends a tenth less than TCP. It can be used where the folder's path fits into the address of
 * a socket and needs no quotes, which is never so on Windows.
 */
const canHoldSocket = /^\/[\w./-]{1,80}$/;

export interface PostgresOptions {
  /** Holds the database, its password and its log. */
  folder: string;
  /** False: fast, and lost in a power failure. For tests. */
  fsync?: boolean;
  port?: number;
  printLine?: PrintLine;
  processes?: Processes;
}

/** An embedded Postgres server. */
export interface PostgresServer {
  url: string;
  stop(): Promise<void>;
}

/** Starts the embedded Postgres on a folder, creates its database at the first start, and restarts it if it ends. */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const { folder, fsync = true, printLine = printToTerminal, processes = new Processes(printLine) } = options;
  // Postgres may run as another user, which needs access to the folder.
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  const data = join(folder, "postgres");
  const binaries = postgresBinaries();
  const password = await storedSecret(folder, "postgres-password", "base64url");
  const runAs = await makeCluster({ folder, data, binaries, fsync, processes });
  const pidFile = join(data, "postmaster.pid");
  if (await endOrphan({ pidFile, args: data, signal: "SIGINT" }))
    printLine("Postgres: ended the one that an earlier start left behind.");
  // The pid in these files may belong to another process by now, which Postgres would take for a server. If a server
  // does run, its shared memory, which is named after the folder's inode, still prevents a second one.
  rmSync(pidFile, { force: true });
  for (const file of readdirSync(data).filter((f) => f.startsWith(".s.PGSQL")))
    rmSync(join(data, file), { force: true });
  const port = await portNear(options.port ?? DEFAULT_PORT, "Postgres", printLine);
  const socketFolder = canHoldSocket.test(data) ? data : "";
  const chosen = { ...settings, ...(fsync ? {} : unsafe), port: `${port}`, unix_socket_directories: socketFolder };
  const flags = Object.entries(chosen).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
  await processes.start({
    name: "Postgres",
    ...runAs.command(binaries.postgres, ["-D", data, ...flags]),
    options: { ...runAs.options, cwd: folder, env: { ...process.env, LC_ALL: "C" } },
    logFile: join(folder, "logs", "postgres.log"),
    // After a kill -9, its last sessions may take a moment to end.
    tries: 10,
    ready: ({ pid }, ended) =>
      until(async () => {
        const lines = (await readFile(pidFile, "utf8").catch(() => "")).split("\n");
        return lines[0] === `${pid}` && lines[7]?.trim() === "ready";
      }, ended),
    stopSignal: "SIGINT",
  });
  await makeDatabase(urlOf(password, port, "postgres"));
  const host = socketFolder && `?host=${encodeURIComponent(socketFolder)}`;
  return { url: urlOf(password, port, DATABASE) + host, stop: () => processes.stop("Postgres") };
}

const urlOf = (password: string, port: number, database: string) =>
  `postgres://${USER}:${password}@127.0.0.1:${port}/${database}`;

/** The URL of the embedded Postgres that runs on a folder, of a service that was started there; else undefined. */
export async function runningPostgres(folder: string): Promise<string | undefined> {
  const read = (...path: string[]) => readFile(join(folder, ...path), "utf8").catch(() => "");
  const [noted, password] = await Promise.all([read("postgres", "postmaster.pid"), read("postgres-password")]);
  const url = urlOf(password.trim(), Number(noted.split("\n")[3]), DATABASE);
  const client = new pg.Client(url);
  client.on("error", () => {});
  try {
    // A file that was left behind may name the port of another program by now.
    await client.connect();
    return url;
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => {});
  }
}

async function makeDatabase(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const found = await client.query("select from pg_database where datname = $1", [DATABASE]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}
