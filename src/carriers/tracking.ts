import { type TrackingStatus, trackingStatuses } from "../shipping/parcels/tracking-statuses.js";

/** Where a parcel is, by its carrier: docs/carriers.md, Tracking. Pure. */

/** What a carrier noted of a parcel on its way. */
export interface Scan {
  /** RFC 3339 in UTC, in milliseconds. */
  at: string;
  /** Null where what the carrier says is none of them: it is told and changes nothing. */
  status: TrackingStatus | null;
  message: string | null;
  place: string | null;
}

/** What a carrier says of a parcel: all that it knows, or what is new. */
export interface Tracked {
  scans: Scan[];
  /** The day on which it is delivered, as the carrier thinks; null where it does not say. */
  expected_day: string | null;
  /** When the carrier thought so; RFC 3339. */
  as_of: string;
}

export interface TrackedParcel extends Tracked {
  tracking_number: string;
}

/** Where a parcel stands: the scan that says so; without one, at its beginning. */
export interface Standing extends Omit<Scan, "at" | "status"> {
  at: string | null;
  status: TrackingStatus;
}

/** A later stage is not undone by an earlier one, whenever that comes; within one, the newest scan counts. */
const stages: Record<TrackingStatus, number> = {
  pre_transit: 0,
  ...{ in_transit: 1, out_for_delivery: 1, available_for_pickup: 1, exception: 1 },
  delivered: 2,
  // What comes back to the sender is delivered there, some carriers say.
  returned: 3,
};

/** A total order, so that scans lead to the same in whatever order they come, and however often. */
function compare(a: Standing, b: Standing): number {
  const rank = ({ status }: Standing) => trackingStatuses.indexOf(status);
  const time = ({ at }: Standing) => (at === null ? Number.NEGATIVE_INFINITY : Date.parse(at));
  return (
    stages[a.status] - stages[b.status] ||
    compared(time(a), time(b)) ||
    rank(a) - rank(b) ||
    compared(a.message ?? "", b.message ?? "") ||
    compared(a.place ?? "", b.place ?? "")
  );
}

const compared = <T extends number | string>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

/** Where a parcel stands after scans, which may be old, and known already. */
export const standingAfter = (before: Standing, scans: readonly Scan[]): Standing =>
  scans.reduce<Standing>((latest, { status, ...scan }) => {
    const next = status && { ...scan, status };
    return next && compare(next, latest) > 0 ? next : latest;
  }, before);

export type TrackingEvent = "parcel.in_transit" | "parcel.delivered" | "parcel.exception";

/** What partners are told of a change; undefined where it is no news for them. */
export function eventOf(before: TrackingStatus, after: TrackingStatus): TrackingEvent | undefined {
  if (before === after || after === "pre_transit") return undefined;
  if (after === "delivered") return "parcel.delivered";
  if (after === "exception" || after === "returned") return "parcel.exception";
  // It goes on after a problem, or begins.
  return before === "pre_transit" || before === "exception" ? "parcel.in_transit" : undefined;
}

/** A time as scans have it; undefined for a text that is none. A carrier's time without a zone is in UTC. */
export function scanTime(text: string | number): string | undefined {
  const zoned = typeof text === "number" || /(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text.replace(" ", "T")}Z`;
  const time = new Date(zoned);
  const year = time.getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR ? time.toISOString() : undefined;
}
const FIRST_YEAR = 2000;
const LAST_YEAR = 2100;

/** The day of a time or a day, as carriers write it; null for a text that is none. */
export const expectedDay = (text: string | null | undefined): string | null =>
  (text && scanTime(text.length === DAY_LENGTH ? `${text}T00:00` : text)?.slice(0, DAY_LENGTH)) || null;
const DAY_LENGTH = "2026-05-06".length;

/** When the carrier said what it says: as it says itself, else at the time of the newest scan. */
export const asOf = (scans: readonly Scan[], said?: string | null): string =>
  (said && scanTime(said)) ||
  (scans
    .map(({ at }) => at)
    .sort()
    .at(-1) ??
    LONG_AGO);
const LONG_AGO = new Date(0).toISOString();
