import { createHistogram, type RecordableHistogram } from "node:perf_hooks";

/** An order is late that was not shipped so many simulated minutes after it came in. */
export const LATE_AFTER = 45;

/** What was done, counted; of the same size however long a run takes. */

const kinds = {
  ordersIn: "orders in",
  ordersPicked: "orders picked",
  ordersPacked: "orders packed",
  divided: "orders packed in several parcels",
  parcelsVoided: "parcels packed anew",
  labels: "labels of parcels",
  parcelsShipped: "shipments of parcels",
  parts: "of these before the rest was packed",
  ordersShipped: "orders shipped",
  ordersLate: "orders shipped late",
  atStation: "shipped at the station",
  voids: "shipments voided",
  cancelled: "cancelled",
  backorders: "backorders",
  backordersReleased: "backorders released by stock",
  backordersCancelled: "backorders cancelled",
  waves: "waves",
  linesPicked: "lines picked",
  wrongScans: "wrong scans",
  shorts: "shorts",
  leftOut: "left out of a wave for lack of stock",
  purchaseOrders: "purchase orders",
  unitsReceived: "units received",
  putAway: "put away",
  moves: "moves between shelves",
  counts: "counts",
  variances: "variances",
  returns: "returns announced",
  unitsReturned: "units returned",
  sales: "counter sales",
  refunds: "refunds at the till",
  unitsRefunded: "units refunded",
  repeats: "requests sent once more",
  transfers: "transfers",
  syncs: "syncs",
} as const;

export type Kind = keyof typeof kinds;

export class Figures {
  readonly #counts = new Map<Kind, number>();
  /** Simulated seconds from an order's arrival to its shipment. */
  readonly leadTime: RecordableHistogram = createHistogram({ lowest: 1, highest: 10_000_000, figures: 2 });
  /** Simulated minutes that pickers walked, and how far; unknown where the service does not say it of each walk. */
  pickingMinutes = 0;
  metres: number | undefined = 0;

  add(kind: Kind, amount = 1): void {
    this.#counts.set(kind, this.of(kind) + amount);
  }

  of(kind: Kind): number {
    return this.#counts.get(kind) ?? 0;
  }

  /** Those that happened, with their names. */
  named(): [name: string, count: number][] {
    return (Object.keys(kinds) as Kind[]).map((kind) => [kinds[kind], this.of(kind)]);
  }

  walked(walk: { metres: number } | null): void {
    this.metres = walk && this.metres !== undefined ? this.metres + walk.metres : undefined;
  }

  shipped(minutes: number | undefined): void {
    this.add("ordersShipped");
    if (minutes !== undefined && minutes > LATE_AFTER) this.add("ordersLate");
    if (minutes !== undefined) this.leadTime.record(Math.max(1, Math.round(minutes * 60)));
  }

  get metresPerLine(): number | undefined {
    return this.metres === undefined ? undefined : this.metres / Math.max(1, this.of("linesPicked"));
  }

  get linesPerHour(): number {
    return this.pickingMinutes > 0 ? (this.of("linesPicked") * 60) / this.pickingMinutes : 0;
  }
}
