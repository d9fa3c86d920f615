import { Refused } from "./shopify-orders.js";

export type Document = Record<string, unknown>;

interface Kept {
  id: number;
  updated: number;
}
type Place = [first: number, second: number];

/** What a list does wrong: repeats a record on the next page, or leaves these out of the first page that has them. */
export interface Lies {
  repeats: boolean;
  leavesOut: Set<number>;
}

const follows = ([a, b]: Place, [c, d]: Place) => a > c || (a === c && b > d);
const inSeconds = (ms: number) => Math.floor(ms / 1_000);

/** A page of the records, by their oldest change first where that is asked for, and where the next one is. */
export function pageOf<R extends Kept>(
  all: R[],
  query: Record<string, string>,
  { most, lies }: { most: number; lies: Lies },
): { records: R[]; next: Record<string, string> | undefined } {
  const { page_info, limit = "50", fields, ...filters } = query;
  for (const filter of page_info ? Object.keys(filters) : [])
    throw new Refused(400, { [filter]: `${filter} cannot be passed when page_info is present.` });
  if (!(Number(limit) >= 1 && Number(limit) <= 250)) throw new Refused(400, { limit: "is not from 1 to 250" });
  const begun = page_info ? JSON.parse(Buffer.from(page_info, "base64url").toString()) : { by: filters, after: null };
  const { by, after } = begun as { by: Record<string, string>; after: Place | null };
  const placeOf = ({ id, updated }: R): Place => (by.order === "updated_at asc" ? [updated, id] : [-id, 0]);
  const since = by.updated_at_min ? Date.parse(by.updated_at_min) : 0;
  const left = all
    .filter(({ updated }) => inSeconds(updated) >= inSeconds(since))
    .filter((record) => !after || follows(placeOf(record), after))
    .sort((a, b) => (follows(placeOf(a), placeOf(b)) ? 1 : -1));
  const page = left.slice(0, Math.min(Number(limit), most));
  const last = page.at(-1);
  const repeated = lies.repeats && after ? all.filter((record) => String(placeOf(record)) === String(after)) : [];
  const info = Buffer.from(JSON.stringify({ by, after: last && placeOf(last) })).toString("base64url");
  return {
    records: [...repeated, ...page.filter(({ id }) => !lies.leavesOut.delete(id))],
    next: left.length > page.length ? { limit, ...(fields && { fields }), page_info: info } : undefined,
  };
}

/** The fields of a document that were asked for. */
export const shown = (document: Document, fields: string | undefined): Document =>
  fields === undefined
    ? document
    : Object.fromEntries(Object.entries(document).filter(([name]) => fields.split(",").includes(name)));
