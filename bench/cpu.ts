import { readdirSync, readFileSync } from "node:fs";

interface Process {
  pid: number;
  parent: number;
  seconds: number;
}

/** Seconds of processor time that a process and its ended children have taken so far. */
export const cpuSecondsOf = (pid: number): number => read(pid).seconds;

/** The same of all processes that a process has started, itself not counted; 0 where there is no /proc. */
export const cpuSecondsBelow = (pid: number): number => below(pid).reduce((sum, one) => sum + one.seconds, 0);

/** The processes that a process has started, itself not counted; none where there is no /proc. */
export const pidsBelow = (pid: number): number[] => below(pid).map((one) => one.pid);

/** The same of a process and of all that it has started; 0 where there is no /proc. */
export function cpuSecondsFrom(pid: number): number {
  const started = cpuSecondsBelow(pid);
  return started && started + cpuSecondsOf(pid);
}

function below(pid: number): Process[] {
  const all = running();
  const from = (parent: number): Process[] =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one, ...from(one.pid)]);
  return from(pid);
}

function running(): Process[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        try {
          return [read(Number(name))];
        } catch {
          // It has ended.
          return [];
        }
      });
  } catch {
    return [];
  }
}

/** The name is in brackets and may hold anything; what follows it is separated by spaces, times are in hundredths. */
function read(pid: number): Process {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user, system, userOfChildren, systemOfChildren] = fields.slice(11, 15).map(Number) as number[];
  const hundredths = (user ?? 0) + (system ?? 0) + (userOfChildren ?? 0) + (systemOfChildren ?? 0);
  return { pid, parent: Number(fields[1]), seconds: hundredths / 100 };
}
