import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { searchAttributes } from "../platform/temporal/search-attributes.js";
import { endOrphan } from "./orphans.js";
import { portNear } from "./ports.js";
import { Processes, until } from "./processes.js";
import { cacheFolder, findTemporal } from "./temporal-binary.js";
import { type PrintLine, printLine as printToTerminal } from "./terminal.js";

/** The types of search attributes as the command line names them. */
const TYPE_NAMES = { INT: "Int", KEYWORD: "Keyword", KEYWORD_LIST: "KeywordList" };

/**
 * Half of the cores: the server shares the machine with everything else and writes through one connection. With all
 * cores it spends a seventh of its time on passing work between them.
 */
const CORES = Math.max(1, Math.floor(availableParallelism() / 2));

export interface TemporalOptions {
  /** Holds the database and the log. */
  folder: string;
  /** False: fast, and lost in a power failure. For tests. */
  fsync?: boolean;
  namespace?: string;
  /** Further settings of the server. */
  dynamicConfig?: Record<string, number | string | boolean>;
  port?: number;
  uiPort?: number;
  printLine?: PrintLine;
  processes?: Processes;
}

/** A local Temporal server. */
export interface TemporalServer {
  address: string;
  uiUrl: string;
  stop(): Promise<void>;
}

/** Starts Temporal's development server with its UI, and restarts it when it ends. */
export async function startTemporal(options: TemporalOptions): Promise<TemporalServer> {
  const { folder, fsync = true, namespace = "default", printLine = printToTerminal } = options;
  const processes = options.processes ?? new Processes(printLine);
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  const database = join(folder, "temporal.db");
  const pidFile = join(folder, "temporal.pid");
  const logFile = join(folder, "logs", "temporal.log");
  const program = await findTemporal({ env: process.env, cache: cacheFolder(process.env, folder), printLine });
  if (await endOrphan({ pidFile, args: database }))
    printLine("Temporal: ended the one that an earlier start left behind.");
  const port = await portNear(options.port ?? 7233, "Temporal", printLine);
  const uiPort = await portNear(options.uiPort ?? 8233, "Temporal UI", printLine);
  const uiUrl = `http://127.0.0.1:${uiPort}`;
  // A request through the UI succeeds only when the server, its namespace and the UI are ready.
  const probe = `${uiUrl}/api/v1/namespaces/${namespace}`;
  await processes.start({
    name: "Temporal",
    command: program,
    args: [
      ...["server", "start-dev", "--ip", "127.0.0.1"],
      ...["--port", `${port}`, "--ui-port", `${uiPort}`],
      ...["--namespace", namespace, "--db-filename", database],
      // With SQLite's defaults, every write would wait for the disk several times.
      ...["--sqlite-pragma", "journal_mode=wal"],
      ...["--sqlite-pragma", `synchronous=${fsync ? "normal" : "off"}`],
      // By default the server's only shard polls 20 times a second, which delays every start by up to 50 ms.
      ...dynamicConfig({
        "history.transferProcessorMaxPollRPS": 1000,
        // By default the eleventh update of a workflow at once undoes those that wait (api/http/workflow-updates.ts).
        "history.maxInFlightUpdates": 100,
        "matching.enableFairness": true,
        // By default this server reads the list of search attributes from its database whenever one is set.
        "system.forceSearchAttributesCacheRefreshOnRead": false,
        ...options.dynamicConfig,
      }),
      ...searchAttributes.flatMap(({ name, type }) => ["--search-attribute", `${name}=${TYPE_NAMES[type]}`]),
      ...["--log-level", "error"],
    ],
    options: { env: { GOMAXPROCS: `${CORES}`, ...process.env } },
    logFile,
    pidFile,
    // Its services choose free ports, which another program may take before they listen.
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
    printLine(`Temporal keeps the histories of ended processes for a day only: ${error.message}`),
  );
  return { address, uiUrl, stop: () => processes.stop("Temporal") };
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

const dynamicConfig = (settings: Record<string, number | string | boolean>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ["--dynamic-config-value", `${name}=${JSON.stringify(value)}`]);
