import { createHistogram, type RecordableHistogram } from "node:perf_hooks";

/** How long answers of each route took, and what was refused: of the same size however long a run takes. */

interface RouteFigures {
  /** In microseconds. */
  times: RecordableHistogram;
  /** How often each code was answered. */
  refusals: Map<string, number>;
}

export interface RouteRow {
  route: string;
  answers: number;
  p50: number;
  p95: number;
  max: number;
  refusals: [code: string, times: number][];
}

/** A request, and what the service answered when it did what was asked. */
export interface Heard {
  /** As `post /api/shipping/fulfill`. */
  route: string;
  params: Record<string, string | number>;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are of the interface, which declares them
  asked: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  answer: any;
  /** When it was sent, the time that it was answered; of `performance.now()`. */
  sentAt: number;
}

const MOST_LISTED = 50;
const TEN_MINUTES = 600_000_000;

export class Measure {
  readonly #routes = new Map<string, RouteFigures>();
  /** Refusals that nobody expected, the first ones. */
  readonly unexpected: string[] = [];
  unexpectedCount = 0;
  /** How often a request was sent once more, because it was not answered or was to come later. */
  again = 0;
  /** Is told of each request that was done. */
  heard?: (one: Heard) => void;

  answered(route: string, ms: number, code?: string): void {
    const figures = this.#of(route);
    figures.times.record(Math.min(TEN_MINUTES, Math.max(1, Math.round(ms * 1000))));
    if (code) figures.refusals.set(code, (figures.refusals.get(code) ?? 0) + 1);
  }

  surprise(text: string): void {
    this.unexpectedCount++;
    if (this.unexpected.length < MOST_LISTED) this.unexpected.push(text);
  }

  /** Of each route, in milliseconds. */
  rows(): RouteRow[] {
    return [...this.#routes]
      .map(([route, { times, refusals }]) => ({
        route,
        answers: times.count,
        p50: times.percentile(50) / 1000,
        p95: times.percentile(95) / 1000,
        max: times.max / 1000,
        refusals: [...refusals].sort(([, a], [, b]) => b - a),
      }))
      .sort((a, b) => a.route.localeCompare(b.route));
  }

  #of(route: string): RouteFigures {
    const known = this.#routes.get(route);
    if (known) return known;
    const times = createHistogram({ lowest: 1, highest: TEN_MINUTES, figures: 2 });
    const figures = { times, refusals: new Map<string, number>() };
    this.#routes.set(route, figures);
    return figures;
  }
}
