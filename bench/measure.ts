/** What one run came to. Times in milliseconds. */
export interface Figures {
  perSecond: number;
  p50: number;
  p95: number;
}

/** Does all works, as many at a time as there are callers; each takes the next one when it is done with its last. */
export async function measure<T>(works: T[], callers: ((work: T) => Promise<unknown>)[]): Promise<Figures> {
  const times: number[] = [];
  const rest = works.values();
  const start = performance.now();
  await Promise.all(
    callers.map(async (call) => {
      for (const work of rest) {
        const begun = performance.now();
        await call(work);
        times.push(performance.now() - begun);
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  times.sort((a, b) => a - b);
  const percentile = (share: number) => times[Math.ceil(times.length * share) - 1] ?? 0;
  return { perSecond: works.length / seconds, p50: percentile(0.5), p95: percentile(0.95) };
}

/** The best of several runs, figure by figure: whatever else a machine does only ever makes a run slower. */
export function best(runs: Figures[]): Figures {
  return {
    perSecond: Math.max(...runs.map((run) => run.perSecond)),
    p50: Math.min(...runs.map((run) => run.p50)),
    p95: Math.min(...runs.map((run) => run.p95)),
  };
}
