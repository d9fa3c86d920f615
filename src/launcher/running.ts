import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";

/** How a process of ours is started. */
export interface Command {
  command: string;
  args: string[];
  options?: SpawnOptions;
  /** With a channel to the launcher. Its end tells the process that the launcher is gone. */
  ipc?: boolean;
  onMessage?: (message: unknown) => void;
  /** Its output; set aside when it has grown large. */
  logFile: string;
  /** Where its pid is noted, for the next start to find it if this launcher is killed. */
  pidFile?: string;
}

/** A started process; `ended` says how, once it has. */
export interface Running {
  child: ChildProcess;
  ended: Promise<string>;
}

const LOG_LIMIT = 20_000_000;

/** Starts a process in a group of its own: a terminal's Ctrl-C reaches the launcher alone, which knows the order. */
export function run(what: Command): Running {
  const { command, args, options, logFile, pidFile } = what;
  mkdirSync(dirname(logFile), { recursive: true });
  if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT) renameSync(logFile, `${logFile}.old`);
  const output = openSync(logFile, "a", 0o600);
  const child = spawn(command, args, {
    ...options,
    detached: true,
    stdio: ["ignore", output, output, ...(what.ipc ? ["ipc" as const] : [])],
  });
  closeSync(output);
  if (pidFile && child.pid) writeFileSync(pidFile, `${child.pid}\n`);
  if (what.onMessage) child.on("message", what.onMessage);
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => {
      const how = signal ?? `exit code ${code}`;
      // Its last message may still be on the way.
      if (child.connected) child.once("disconnect", () => resolve(how));
      else resolve(how);
    });
  }).finally(() => pidFile && rmSync(pidFile, { force: true }));
  return { child, ended };
}

/** The last lines of a log, for an error message. */
export async function lastLines(logFile: string, lines = 15): Promise<string> {
  const text = await readFile(logFile, "utf8").catch(() => "");
  return text.trimEnd().split("\n").slice(-lines).join("\n");
}
