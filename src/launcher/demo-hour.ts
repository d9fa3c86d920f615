import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Processes } from "./processes.js";

/** Simulated hours in a real one: the demo's hour takes a minute. */
const SPEED = 60;

const MAIN = fileURLToPath(new URL("../../simulate/main.js", import.meta.url));

export interface Login {
  url: string;
  user: string;
  password: string;
}

/** Simulates an hour of work in the service (docs/simulate.md); ends with it, and fails when it failed. */
export function simulateDemoHour(processes: Processes, folder: string, { url, user, password }: Login): Promise<void> {
  const { PATH } = process.env;
  return processes.start({
    name: "Simulation",
    command: process.execPath,
    args: [MAIN, "--url", url, "--user", user, "--speed", `${SPEED}`, "--hours", "1"],
    options: { env: { PATH, SIMULATE_PASSWORD: password } },
    ipc: true,
    // A person who stops the service does not wait for a report.
    stopSignal: "SIGKILL",
    logFile: join(folder, "logs", "simulation.log"),
  });
}
