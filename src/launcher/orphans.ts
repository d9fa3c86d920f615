import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

/** The command line of a process; empty when it is gone (or ended, and only not yet reaped by its parent). */
async function commandOf(pid: number): Promise<string> {
  if (process.platform === "linux")
    return readFile(`/proc/${pid}/cmdline`, "utf8").then(
      (args) => args.replaceAll("\0", " "),
      () => "",
    );
  const ps = promisify(execFile)("ps", ["-ww", "-o", "args=", "-p", `${pid}`]);
  return ps.then(
    ({ stdout }) => stdout,
    () => "",
  );
}

/** A process that an earlier launcher left behind, known by the pid it noted and by arguments that only it has. */
export interface Orphan {
  pidFile: string;
  args: string;
  signal?: NodeJS.Signals;
  withinMs?: number;
}

/**
 * Ends the process of a pid file, if it still is that process: pids are given out again, above all in containers.
 * Asks first, then forces. Gives the pid it ended.
 */
export async function endOrphan(orphan: Orphan): Promise<number | undefined> {
  const { signal = "SIGTERM", withinMs = 10_000 } = orphan;
  const noted = await readFile(orphan.pidFile, "utf8").catch(() => "");
  const pid = Number.parseInt(noted, 10);
  const runs = async () => (await commandOf(pid)).includes(orphan.args);
  if (!(pid > 1) || !(await runs())) return undefined;
  process.kill(pid, signal);
  for (let waited = 0; await runs(); waited += 50) {
    if (waited > withinMs) process.kill(pid, "SIGKILL");
    await sleep(50);
  }
  return pid;
}
