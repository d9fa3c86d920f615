import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { tryPort } from "../src/launcher/ports.js";
import { rounded } from "./rounded.js";

export interface Started {
  /** Of the second `npm start` on a data folder, from the command to the banner. */
  second_start_s: number;
  /** Resident memory of API and worker after it, with nothing to do. */
  idle_mb: { api: number; worker: number };
}

const bootstrap = fileURLToPath(new URL("../../src/launcher/bootstrap.mjs", import.meta.url));
const SETTLED_AFTER_MS = 5_000;

/** Starts the service twice as `npm start` does, with its demo data, on a folder of its own. */
export async function measureStart(folder: string): Promise<Started> {
  await stop((await start(folder)).service);
  const { service, seconds } = await start(folder);
  await sleep(SETTLED_AFTER_MS);
  const [api = 0, worker = 0] = await Promise.all(
    ["api", "worker"].map((name) => residentMb(join(folder, `${name}.pid`))),
  );
  await stop(service);
  return { second_start_s: rounded(seconds), idle_mb: { api, worker } };
}

async function start(folder: string) {
  const begun = performance.now();
  const service = spawn(process.execPath, [bootstrap, "start"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      PORT: `${await tryPort(0)}`,
      TEMPORAL_UI_PORT: `${await tryPort(0)}`,
      SERVICE_DATA_DIR: folder,
    },
  });
  for await (const line of createInterface({ input: service.stdout }))
    if (line.includes("Stop with Ctrl-C")) return { service, seconds: (performance.now() - begun) / 1000 };
  throw new Error("npm start ended before it was ready");
}

async function stop(service: ChildProcess): Promise<void> {
  service.stdout?.resume();
  service.kill("SIGINT");
  await once(service, "exit");
}

async function residentMb(pidFile: string): Promise<number> {
  const pid = (await readFile(pidFile, "utf8")).trim();
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return rounded(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024);
}
