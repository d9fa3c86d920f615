import { setTimeout as pause } from "node:timers/promises";

/** What one run came to. Times in milliseconds. */
export interface Figures extends Times {
  perSecond: number;
}

export interface Times {
  p50: number;
  p95: number;
  p99: number;
}

/**
 * Does all works, as many at a time as there are callers; each takes the next one when it is done with its last, or so
 * many milliseconds later. With a pause they do not begin all at once.
 */
export async function measure<T>(
  works: T[],
  callers: ((work: T) => Promise<unknown>)[],
  pauseMs = 0,
): Promise<Figures> {
  const times: number[] = [];
  const rest = works.values();
  const start = performance.now();
  await Promise.all(
    callers.map(async (call, i) => {
      if (pauseMs > 0) await pause((pauseMs * i) / callers.length);
      for (const work of rest) {
        const begun = performance.now();
        await call(work);
        times.push(performance.now() - begun);
        if (pauseMs > 0) await pause(pauseMs);
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  return { perSecond: works.length / seconds, ...timesOf(times) };
}

export function timesOf(unsorted: number[]): Times {
  const sorted = unsorted.toSorted((a, b) => a - b);
  return { p50: percentileOf(sorted, 0.5), p95: percentileOf(sorted, 0.95), p99: percentileOf(sorted, 0.99) };
}

/** Of what is sorted, the value below which such a part lies. */
const percentileOf = (sorted: number[], part: number): number => sorted[Math.ceil(sorted.length * part) - 1] ?? 0;

/** The best of several runs, figure by figure: whatever else a machine does only ever makes a run slower. */
export function best(runs: Figures[]): Figures {
  const least = (of: keyof Times) => Math.min(...runs.map((run) => run[of]));
  return {
    perSecond: Math.max(...runs.map((run) => run.perSecond)),
    ...{ p50: least("p50"), p95: least("p95"), p99: least("p99") },
  };
}
