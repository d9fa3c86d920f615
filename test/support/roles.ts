import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";

/**
 * Processes that a test starts as an operator does: a command line, and an environment in which nothing else is set.
 */
const running = new Set<ChildProcess>();

/** What an API or a worker needs to run on this database, with the test's Temporal; `more` comes on top. */
export const roleEnv = (databaseUrl: string, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  DATABASE_URL: databaseUrl,
  TEMPORAL_ADDRESS: process.env.TEST_TEMPORAL_ADDRESS,
  JWT_SECRET: randomUUID(),
  SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
  SERVICE_TOKEN_PEPPER: randomUUID(),
  ...more,
});

/** @param output Where it writes; by default nowhere. */
export function startRole(
  [command, ...args]: string[],
  env: NodeJS.ProcessEnv,
  output: number | "ignore" = "ignore",
): ChildProcess {
  const { PATH, HOME, TEST_VALIDATE_ROWS } = process.env;
  const role = spawn(command as string, args, {
    env: { PATH, HOME, TEST_VALIDATE_ROWS, ...env },
    stdio: ["ignore", output, output],
  });
  running.add(role);
  role.once("exit", () => running.delete(role));
  return role;
}

/** Sends a signal and waits for the end: exit code, and the signal that it died of. */
export async function endRole(
  role: ChildProcess,
  signal: NodeJS.Signals = "SIGTERM",
): Promise<[code: number | null, signal: NodeJS.Signals | null]> {
  const ended = once(role, "exit");
  role.kill(signal);
  return (await ended) as [number | null, NodeJS.Signals | null];
}

/** Runs a command to its end and gives its exit code. */
export async function runRole(command: string[], env: NodeJS.ProcessEnv): Promise<number | null> {
  const [code] = await once(startRole(command, env), "exit");
  return code;
}

/** What a failed test left behind. */
export function killRoles(): void {
  for (const role of running) role.kill("SIGKILL");
}
