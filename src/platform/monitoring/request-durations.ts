/** Upper bounds in seconds: from what a scanner's user does not notice to what nobody waits for. */
export const BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Durations of the requests of one method, route and status. */
export interface RequestDurations {
  method: string;
  route: string;
  status: number;
  /**
   * The number of requests up to each boundary and above the one before it; the last is of those above all boundaries.
   */
  counts: number[];
  count: number;
  /** In seconds. */
  sum: number;
}

const all = new Map<string, RequestDurations>();

/** Of this process since it began. */
export const requestDurations = (): RequestDurations[] => [...all.values()];

/**
 * Counts a request. An instrument of OpenTelemetry hashes the attributes of each value, which takes 1.7 % of a lookup:
 * so the exporter is given these counts instead (metrics-server.ts).
 */
export function recordDuration(method: string, route: string, status: number, seconds: number): void {
  const key = `${method} ${route} ${status}`;
  let one = all.get(key);
  if (!one) {
    const counts = Array<number>(BOUNDARIES.length + 1).fill(0);
    one = { method, route, status, counts, count: 0, sum: 0 };
    all.set(key, one);
  }
  let at = 0;
  while (seconds > (BOUNDARIES[at] ?? Infinity)) at++;
  one.counts[at] = (one.counts[at] ?? 0) + 1;
  one.count++;
  one.sum += seconds;
}
