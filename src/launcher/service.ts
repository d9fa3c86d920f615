import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { endOrphan } from "./orphans.js";
import type { Processes, Recipe } from "./processes.js";
import type { Say } from "./say.js";

/** What `prepare` tells: how to log in, and whether it loaded demo data. */
export interface Prepared {
  adminUsername: string;
  /** Only when it was made at random, just now. */
  adminPassword?: string;
  demo: boolean;
}

const entries = {
  API: "api/main.js",
  Worker: "workers/main.js",
  Preparation: "workers/prepare.js",
};
type Name = keyof typeof entries;

const entryPath = (name: Name) => fileURLToPath(new URL(`../../${entries[name]}`, import.meta.url));

const pidFile = (name: Name, folder: string) => join(folder, `${name.toLowerCase()}.pid`);

function recipe(name: Name, folder: string, env: NodeJS.ProcessEnv): Recipe {
  return {
    name,
    command: process.execPath,
    // Without helper threads for young objects: where all cores are busy, V8 waits for the last of them longer than it
    // takes to collect alone. The folder tells the processes of several installations apart (see endOrphan).
    args: ["--enable-source-maps", "--no-parallel-scavenge", entryPath(name), folder],
    // Otherwise each of its threads reserves memory of its own: 25 MB that are never used.
    options: { env: { MALLOC_ARENA_MAX: "2", ...env } },
    ipc: true,
    stopWithinMs: 45_000,
    logFile: join(folder, "logs", `${name.toLowerCase()}.log`),
    pidFile: pidFile(name, folder),
  };
}

/** Migrates the database, makes the first admin and loads demo data, in a process of its own. */
export async function prepare(processes: Processes, folder: string, env: NodeJS.ProcessEnv): Promise<Prepared> {
  let prepared: Prepared | undefined;
  await processes.start({
    ...recipe("Preparation", folder, env),
    onMessage: (message) => {
      prepared = message as Prepared;
    },
  });
  if (!prepared) throw new Error("The preparation of the database ended without a word.");
  return prepared;
}

/** Starts API or worker and keeps it running. */
export function startService(
  name: "API" | "Worker",
  processes: Processes,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  return processes.start({
    ...recipe(name, folder, env),
    ready: (child) =>
      new Promise((resolve) => {
        child.on("message", (message: { ready?: boolean }) => message.ready && resolve());
      }),
  });
}

/** Ends what a killed launcher left of the service. They end by themselves; this waits for it. */
export async function endServiceOrphans(folder: string, say: Say): Promise<void> {
  const ended = (Object.keys(entries) as Name[]).map(async (name) => {
    const orphan = {
      pidFile: pidFile(name, folder),
      args: `${entryPath(name)} ${folder}`,
      withinMs: 25_000,
    };
    if (await endOrphan(orphan)) say(`${name}: ended the one that an earlier start left behind.`);
  });
  await Promise.all(ended);
}
