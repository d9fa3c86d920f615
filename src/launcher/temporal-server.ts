import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { searchAttributes } from "../temporal/search-attributes.js";
import { endOrphan } from "./orphans.js";
import { portNear } from "./ports.js";
import { Processes, until } from "./processes.js";
import { say as print, type Say } from "./say.js";
import { cacheFolder, findTemporal } from "./temporal-binary.js";

/** The command line's names of the types of search attributes. */
const TYPE_NAMES = { INT: "Int", KEYWORD: "Keyword", KEYWORD_LIST: "KeywordList" };

/**
 * It shares the machine with all the rest, and writes through one connection anyway: with every core for itself, it
 * spends a seventh of its time on handing work from one to the other.
 */
const CORES = Math.max(1, Math.floor(availableParallelism() / 2));

export interface TemporalOptions {
  /** Holds the database and the log. */
  folder: string;
  /** False: fast, and lost in a power failure. For tests. */
  fsync?: boolean;
  namespace?: string;
  /** Settings of the server beside our own. */
  dynamicConfig?: Record<string, number | string>;
  port?: number;
  uiPort?: number;
  say?: Say;
  processes?: Processes;
}

/** A Temporal server of our own. */
export interface TemporalServer {
  address: string;
  uiUrl: string;
  stop(): Promise<void>;
}

/** Starts Temporal's development server with its UI and keeps it running. */
export async function startTemporal(options: TemporalOptions): Promise<TemporalServer> {
  const { folder, fsync = true, namespace = "default", say = print } = options;
  const processes = options.processes ?? new Processes(say);
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  const database = join(folder, "temporal.db");
  const pidFile = join(folder, "temporal.pid");
  const logFile = join(folder, "logs", "temporal.log");
  const program = await findTemporal({
    env: process.env,
    cache: cacheFolder(process.env, folder),
    say,
  });
  if (await endOrphan({ pidFile, args: database })) say("Temporal: ended the one that an earlier start left behind.");
  const port = await portNear(options.port ?? 7233, "Temporal", say);
  const uiPort = await portNear(options.uiPort ?? 8233, "Temporal UI", say);
  const uiUrl = `http://127.0.0.1:${uiPort}`;
  // Through the UI: then the server, its namespace and the UI are all there.
  const probe = `${uiUrl}/api/v1/namespaces/${namespace}`;
  await processes.start({
    name: "Temporal",
    command: program,
    args: [
      ...["server", "start-dev", "--ip", "127.0.0.1"],
      ...["--port", `${port}`, "--ui-port", `${uiPort}`],
      ...["--namespace", namespace, "--db-filename", database],
      // With SQLite's own defaults, every step of a workflow would wait for the disk in full.
      ...["--sqlite-pragma", "journal_mode=wal"],
      ...["--sqlite-pragma", `synchronous=${fsync ? "normal" : "off"}`],
      // The one shard of this server polls 20 times a second otherwise: a hidden 50 ms in every start.
      ...dynamicConfig({
        "history.transferProcessorMaxPollRPS": 1000,
        ...options.dynamicConfig,
      }),
      ...searchAttributes.flatMap(({ name, type }) => ["--search-attribute", `${name}=${TYPE_NAMES[type]}`]),
      ...["--log-level", "error"],
    ],
    options: { env: { GOMAXPROCS: `${CORES}`, ...process.env } },
    logFile,
    pidFile,
    // Its services look for free ports of their own, which another program may take first.
    tries: 3,
    ready: (_, ended) =>
      until(
        () =>
          fetch(probe).then(
            ({ ok }) => ok,
            () => false,
          ),
        ended,
      ),
  });
  const address = `127.0.0.1:${port}`;
  await keepHistories(program, address, namespace, probe).catch((error) =>
    say(`Temporal keeps the histories of ended processes for a day only: ${error.message}`),
  );
  return {
    address,
    uiUrl,
    stop: () => processes.stop("Temporal"),
  };
}

/** How long people can look at a process that has ended; this server's own default is a day. */
const KEPT_DAYS = 30;

async function keepHistories(program: string, address: string, namespace: string, probe: string): Promise<void> {
  const described = (await (await fetch(probe)).json()) as { config?: { workflowExecutionRetentionTtl?: string } };
  if (described.config?.workflowExecutionRetentionTtl === `${KEPT_DAYS * 86_400}s`) return;
  await promisify(execFile)(program, [
    ...["operator", "namespace", "update", "--address", address],
    ...["--namespace", namespace, "--retention", `${KEPT_DAYS}d`],
  ]);
}

const dynamicConfig = (settings: Record<string, number | string>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ["--dynamic-config-value", `${name}=${JSON.stringify(value)}`]);
