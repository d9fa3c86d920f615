import { spawnSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { endOrphan } from "./orphans.js";
import { portNear } from "./ports.js";
import { type Binaries, postgresBinaries } from "./postgres-binaries.js";
import { postgresUser, type RunAs } from "./postgres-user.js";
import { Processes, until } from "./processes.js";
import { say as print, type Say } from "./say.js";
import { keptSecret } from "./secrets.js";

/** Not 5432: that is for the Postgres that people have already. */
const USUAL_PORT = 54320;
const USER = "warehouse";
const DATABASE = "warehouse";

/** For two cores and a gigabyte to spare; `synchronous_commit` stays on. */
const settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  timezone: "UTC",
  log_timezone: "UTC",
  max_connections: "100",
  shared_buffers: "256MB",
  effective_cache_size: "1GB",
  max_wal_size: "2GB",
  random_page_cost: "1.1",
  jit: "off",
  // Parallel queries need more /dev/shm than a container has, and two cores have better things to do.
  max_parallel_workers_per_gather: "0",
};

/** For tests: what is lost in a power failure does not matter. */
const unsafe = {
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
};

export interface PostgresOptions {
  /** Holds the database, its password and its log. */
  folder: string;
  /** False: fast, and lost in a power failure. For tests. */
  fsync?: boolean;
  port?: number;
  say?: Say;
  processes?: Processes;
}

/** A Postgres server of our own. */
export interface PostgresServer {
  url: string;
  stop(): Promise<void>;
}

/** Starts the embedded Postgres on a folder, makes the folder's database at first, and keeps the server running. */
export async function startPostgres(
  options: PostgresOptions,
): Promise<PostgresServer> {
  const {
    folder,
    fsync = true,
    say = print,
    processes = new Processes(say),
  } = options;
  // Postgres, which may run as another user, has to pass through.
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  const data = join(folder, "postgres");
  const binaries = postgresBinaries();
  const { runAs, password } = await makeCluster(
    folder,
    data,
    binaries,
    fsync,
    say,
  );
  const pidFile = join(data, "postmaster.pid");
  if (await endOrphan({ pidFile, args: data, signal: "SIGINT" }))
    say("Postgres: ended the one that an earlier start left behind.");
  // The pid in it may belong to another process by now, which Postgres would take for a server. Were there a server,
  // its shared memory, named after the folder's inode, would still stop a second one.
  rmSync(pidFile, { force: true });
  const port = await portNear(options.port ?? USUAL_PORT, "Postgres", say);
  const chosen = { ...settings, port: `${port}`, ...(fsync ? {} : unsafe) };
  const flags = Object.entries(chosen).flatMap(([key, value]) => [
    "-c",
    `${key}=${value}`,
  ]);
  await processes.start({
    name: "Postgres",
    ...runAs.command(binaries.postgres, ["-D", data, ...flags]),
    options: {
      ...runAs.options,
      cwd: folder,
      env: { ...process.env, LC_ALL: "C" },
    },
    logFile: join(folder, "logs", "postgres.log"),
    // After a kill -9, its last sessions may need a moment to notice.
    tries: 10,
    ready: ({ pid }, ended) =>
      until(async () => {
        const lines = (await readFile(pidFile, "utf8").catch(() => "")).split(
          "\n",
        );
        return lines[0] === `${pid}` && lines[7]?.trim() === "ready";
      }, ended),
    stopSignal: "SIGINT",
  });
  const server = `postgres://${USER}:${password}@127.0.0.1:${port}`;
  await makeDatabase(`${server}/postgres`);
  return {
    url: `${server}/${DATABASE}`,
    stop: () => processes.stop("Postgres"),
  };
}

async function makeCluster(
  folder: string,
  data: string,
  { postgres, initdb }: Binaries,
  fsync: boolean,
  say: Say,
): Promise<{ runAs: RunAs; password: string }> {
  const password = await keptSecret(folder, "postgres-password", "base64url");
  const exists = await readFile(join(data, "PG_VERSION")).catch(
    () => undefined,
  );
  // Made beside and renamed: a half-made cluster is never taken for a whole one.
  const home = exists ? data : `${data}.new`;
  if (!exists) rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const runAs = postgresUser(home, postgres);
  if (exists) return { runAs, password };
  say("Postgres: making an empty database…");
  const passwordFile = join(folder, "postgres-password");
  runAs.own(passwordFile);
  const { command, args } = runAs.command(initdb, [
    "-D",
    home,
    "-U",
    USER,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-instructions",
    ...(fsync ? [] : ["--no-sync"]),
  ]);
  const made = spawnSync(command, args, {
    ...runAs.options,
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
  });
  if (made.status !== 0)
    throw new Error(
      `Postgres could not make its database:\n${made.error?.message ?? made.stderr}`,
    );
  renameSync(home, data);
  return { runAs, password };
}

async function makeDatabase(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const found = await client.query(
      "select from pg_database where datname = $1",
      [DATABASE],
    );
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}
