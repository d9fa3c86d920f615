import type { Random } from "../random.js";

/** Which faults a day has, and when: decided by its seed before it begins. */

/** APIs and workers. */
export const services = ["API 1", "API 2", "Worker 1", "Worker 2"] as const;
export type ServiceName = (typeof services)[number];
export const processes = [...services, "Temporal", "Postgres"] as const;
export type ProcessName = (typeof processes)[number];
/** The ways between clients and APIs, and from APIs and workers to the servers that they need. */
export const lines = ["clients", "Postgres", "Temporal"] as const;
export type LineName = (typeof lines)[number];

export type Fault = { at: number } & (
  | { what: "kill"; of: ProcessName }
  /** SIGSTOP, and SIGCONT after so many real seconds. */
  | { what: "stop"; of: ServiceName; seconds: number }
  /** Its clock is so many milliseconds ahead of the others from now on, or behind them. */
  | { what: "step"; of: ServiceName; ms: number }
  /** All connections break at once. */
  | { what: "cut"; of: LineName }
  /** Everything comes so many milliseconds late. */
  | { what: "slow"; of: LineName; seconds: number; ms: number }
  /** Nothing comes through, and no connection breaks. */
  | { what: "silence"; of: LineName; seconds: number }
  /** Each flush to its disk takes so many milliseconds longer. */
  | { what: "disk"; of: "Postgres"; seconds: number; ms: number }
);
/** Each kind, in words. */
export const kinds: Record<Fault["what"], string> = {
  kill: "an API, a worker, Temporal or Postgres is killed",
  stop: "an API or a worker hangs for seconds",
  step: "the clock of an API or a worker steps",
  cut: "all connections of a way break at once",
  slow: "all comes late on a way for seconds",
  silence: "nothing comes through on a way for seconds",
  disk: "the disk of Postgres is slow for seconds",
};
type Untimed = Fault extends infer F ? (F extends Fault ? Omit<F, "at"> : never) : never;

/** Real seconds of a day for each fault. */
const SECONDS_FOR_A_FAULT = 3;
const LEAST_FAULTS = 4;
/** Of the day, of 1: before, there is nothing to disturb; after, it could not be seen whether the work goes on. */
const FROM = 0.05;
const TO = 0.9;

const MOST_STEP_MS = 30_000;
/** More than that Postgres does not wait. */
const MOST_DISK_MS = 100;

/** In the order of their times; `at` is a part of the day, of 1. */
export function planFaults(random: Random, realSeconds: number): Fault[] {
  const count = Math.max(LEAST_FAULTS, Math.round(realSeconds / SECONDS_FOR_A_FAULT));
  let left: Untimed[] = [];
  const faults = Array.from({ length: count }, () => {
    // None comes twice before each has come once.
    if (left.length === 0) left = possible(random);
    const [fault] = left.splice(random.below(left.length), 1) as [Untimed];
    return { ...fault, at: FROM + random.fraction() * (TO - FROM) };
  });
  return faults.sort((a, b) => a.at - b.at);
}

function possible(random: Random): Untimed[] {
  const seconds = () => random.between(1, 6);
  return [
    ...processes.map((of) => ({ what: "kill" as const, of })),
    ...services.flatMap((of) => [
      { what: "stop" as const, of, seconds: seconds() },
      { what: "step" as const, of, ms: random.between(-MOST_STEP_MS, MOST_STEP_MS) },
    ]),
    ...lines.flatMap((of) => [
      { what: "cut" as const, of },
      { what: "slow" as const, of, seconds: seconds(), ms: random.between(5, 60) },
      { what: "silence" as const, of, seconds: seconds() },
    ]),
    { what: "disk", of: "Postgres", seconds: seconds(), ms: random.between(20, MOST_DISK_MS) },
  ];
}

export function textOf(fault: Fault): string {
  switch (fault.what) {
    case "kill":
      return `${fault.of} is killed`;
    case "stop":
      return `${fault.of} is stopped for ${fault.seconds} s`;
    case "step":
      return `the clock of ${fault.of} steps to ${fault.ms} ms`;
    case "cut":
      return `all connections of ${fault.of} break`;
    case "slow":
      return `${fault.of}: all comes ${fault.ms} ms late for ${fault.seconds} s`;
    case "silence":
      return `${fault.of}: nothing comes through for ${fault.seconds} s`;
    case "disk":
      return `the disk of ${fault.of} takes ${fault.ms} ms longer for ${fault.seconds} s`;
  }
}
