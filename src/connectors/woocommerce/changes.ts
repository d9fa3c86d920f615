import { type Page, SourceError, type SyncFrom } from "../connector.js";
import { ask, countOf, type WooSource } from "./api.js";
import { type Document, Documents, NEVER, read } from "./documents.js";

/**
 * Reads a list by the time of the last change, oldest first. A page begins not at a page number, which means other
 * records as soon as one changes, but at the time at which the page before ended. Records that change meanwhile move to
 * the end of the list and are read there; the records of the second where two pages meet are read twice, which writes
 * nothing. Only where one second has more records than a page, as after an import, is that second read by page number,
 * in the order of ids. When a record leaves that second meanwhile, the total shows it, and reading it begins again.
 */

/** After a time (null for the beginning), or within a second. Times are GMT without a zone, as WooCommerce has them. */
type Position = { after: string | null } | { second: string; page: number; total: number | undefined };

export interface List {
  /** Such as `wc/v3/orders`. */
  path: string;
  query?: Record<string, string>;
  size: number;
}

export async function pageOf(source: WooSource, list: List, from: SyncFrom): Promise<Page<Document>> {
  const at: Position =
    from.cursor === null
      ? { after: from.since === null ? null : shifted(from.since, -1) }
      : (JSON.parse(from.cursor) as Position);
  const asked = Date.now();
  const answer = await ask(source, list.path, {
    query: { ...list.query, per_page: `${list.size}`, order: "asc", dates_are_gmt: "true", ...where(at) },
  });
  const took = Date.now() - asked;
  const documents = read(Documents, answer.json(), list.path);
  const total = countOf(answer, "x-wp-total");
  const more = total === undefined ? documents.length >= list.size : total > list.size;
  const next = "after" in at ? afterPage(at.after, documents, more) : withinSecond(at, documents, total, list.size);

  const now = msOf(answer.headers.date ?? "");
  const isOver = ({ date_modified_gmt }: Document) => {
    const age = now - msOf(date_modified_gmt);
    return !(age >= 0 && age <= took + 1_000);
  };
  // A record that changed a moment ago may change again within the second, and would then have the same version: it is
  // left to the next sync.
  const records = documents.filter(isOver);
  // With a time in the future, the next sync would begin there.
  const times = records.map((one) => msOf(one.date_modified_gmt)).filter((time) => !(time > now));
  return {
    records,
    next: next && JSON.stringify(next),
    newest: times.length > 0 ? new Date(Math.max(...times)).toISOString() : null,
  };
}

/** The bounds are exclusive. */
function where(at: Position): Record<string, string> {
  if ("after" in at) return { orderby: "modified", ...(at.after !== null && { modified_after: at.after }) };
  return {
    orderby: "id",
    page: `${at.page}`,
    modified_after: shifted(at.second, -1),
    modified_before: shifted(at.second, 1),
  };
}

function afterPage(after: string | null, documents: Document[], more: boolean): Position | null {
  if (!more) return null;
  const last = documents.findLast(({ date_modified_gmt }) => date_modified_gmt !== NEVER)?.date_modified_gmt;
  if (last === undefined) {
    if (documents.length === 0) throw none();
    return { second: NEVER, page: 1, total: undefined };
  }
  if (after !== null && last <= after) throw new SourceError("WooCommerce sent records that are older than asked for");
  const seam = shifted(last, -1);
  return seam === after || documents[0]?.date_modified_gmt === last
    ? { second: last, page: 1, total: undefined }
    : { after: seam };
}

function withinSecond(
  { second, page, total: before }: Extract<Position, { second: string }>,
  documents: Document[],
  total: number | undefined,
  size: number,
): Position {
  if (total === undefined) throw new SourceError("WooCommerce did not say how many records there are (X-WP-Total)");
  if (page > 1 && total !== before) return { second, page: 1, total };
  if (documents.length === 0 && (page - 1) * size < total) throw none();
  return page * size < total ? { second, page: page + 1, total } : { after: second };
}

const none = () => new SourceError("WooCommerce says that it has more records, and sent none of them");

/** A time some seconds away, in GMT without a zone. */
const shifted = (time: string, seconds: number): string =>
  new Date(msOf(time) + seconds * 1_000).toISOString().slice(0, 19);

/** A time without a zone is GMT. */
const msOf = (time: string): number => Date.parse(/T[\d:]+$/.test(time) ? `${time}Z` : time);
