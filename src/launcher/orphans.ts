import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

/** The command line of a process; empty when it has ended, also when its parent has not reaped it yet. */
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

/** A process that an earlier launcher left running, identified by its pid file and by unique arguments. */
export interface Orphan {
  pidFile: string;
  args: string;
  signal?: NodeJS.Signals;
  withinMs?: number;
}

/**
 * Ends the process of a pid file, if it is still that process: pids are reused, above all in containers. Sends a
 * signal, and kills it after a time. Returns the pid of the ended process.
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
