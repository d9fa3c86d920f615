import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { closeSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";

/** How a process is started. */
export interface Command {
  command: string;
  args: string[];
  options?: SpawnOptions;
  /** Opens an IPC channel to the launcher. When it closes, the process knows that the launcher has ended. */
  ipc?: boolean;
  onMessage?: (message: unknown) => void;
  /** The file for its output; renamed at the start when it is large. */
  logFile: string;
  /** The file for its pid, so that the next start finds the process if this launcher is killed. */
  pidFile?: string;
}

/** A started process; `ended` resolves with its exit code or signal. */
export interface Running {
  child: ChildProcess;
  ended: Promise<string>;
  /** The last lines that it wrote itself: its log may begin with those of earlier starts. */
  lastLines(): Promise<string>;
}

const LAST_LINES = 15;

const LOG_LIMIT = 20_000_000;

/** Starts a process in its own group, so that Ctrl-C only goes to the launcher, which stops all in the right order. */
export function run(what: Command): Running {
  const { command, args, options, logFile, pidFile } = what;
  mkdirSync(dirname(logFile), { recursive: true });
  if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT) renameSync(logFile, `${logFile}.old`);
  const output = openSync(logFile, "a", 0o600);
  const { size: before } = fstatSync(output);
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
      // Its last message may not have arrived yet.
      if (child.connected) child.once("disconnect", () => resolve(how));
      else resolve(how);
    });
  }).finally(() => pidFile && rmSync(pidFile, { force: true }));
  const lastLines = async () => {
    const written = (await readFile(logFile).catch(() => Buffer.alloc(0))).subarray(before).toString();
    return written.trimEnd().split("\n").slice(-LAST_LINES).join("\n");
  };
  return { child, ended, lastLines };
}
