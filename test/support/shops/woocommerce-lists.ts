import type { Reply, Shop } from "../connectors.js";

/** Lists as WooCommerce answers them. */

// biome-ignore lint/suspicious/noExplicitAny: documents of a shop, of which a test sets any field
export type Doc = Record<string, any> & { id: number };

/** What a test may do to the lists of a shop. */
export interface Listing {
  lies: {
    /** Each list has every record twice. */
    duplicates?: boolean;
    /** So many of the next lists come without their records, while the headers count them. */
    emptyLists?: number;
    /** The header `Date` is so far from the times of records. */
    clockSkewMs?: number;
  };
  /** Runs after each list that was answered, such as to change something while pages are read. */
  afterList: ((path: string) => void) | undefined;
}

export const failure = (status: number, code: string, message: string): Reply => ({
  status,
  body: { code, message, data: { status } },
});

/** A page of the documents that the parameters ask for. Equal times come in no order, which changes every time. */
export function collection(shop: Shop & Listing, documents: Doc[], parameters: URLSearchParams, path: string): Reply {
  const asked = (name: string) => parameters.get(name) ?? undefined;
  const size = Number(asked("per_page") ?? 10);
  const page = Number(asked("page") ?? 1);
  if (!(size >= 1 && size <= 100)) return failure(400, "rest_invalid_param", "Invalid parameter(s): per_page");
  const statuses = asked("status")?.split(",");
  const include = asked("include")?.split(",");
  const [after, before] = [asked("modified_after"), asked("modified_before")];
  const time = (one: Doc) => (asked("dates_are_gmt") === "true" ? one.date_modified_gmt : one.date_modified);
  const found = documents
    .filter((one) => !include || include.includes(String(one.id)))
    .filter((one) => (statuses ? statuses.includes(one.status) : one.status !== "trash"))
    .filter((one) => (after === undefined || time(one) > after) && (before === undefined || time(one) < before));
  const direction = asked("order") === "asc" ? 1 : -1;
  const key = keyOf(asked("orderby") ?? "date");
  const ties = shop.requests.length % 2 === 0 ? 1 : -1;
  found.sort((a, b) => direction * compare(key(a), key(b)) || ties * compare(a.id, b.id));
  const pages = Math.ceil(found.length / size);
  const empty = (shop.lies.emptyLists ?? 0) > 0;
  if (empty) shop.lies.emptyLists = (shop.lies.emptyLists ?? 0) - 1;
  const some = empty ? [] : found.slice((page - 1) * size, page * size);
  const fields = asked("_fields")?.split(",");
  const body = some
    .flatMap((one) => (shop.lies.duplicates ? [one, one] : [one]))
    .map((one) => (fields ? Object.fromEntries(fields.map((field) => [field, one[field]])) : structuredClone(one)));
  const at = (number: number, rel: string) => {
    const url = new URL(path, shop.url);
    url.search = new URLSearchParams({ ...Object.fromEntries(parameters), page: `${number}` }).toString();
    return `<${url.href}>; rel="${rel}"`;
  };
  const links = [...(page > 1 ? [at(page - 1, "prev")] : []), ...(page < pages ? [at(page + 1, "next")] : [])];
  const reply = {
    headers: {
      "x-wp-total": `${found.length}`,
      "x-wp-totalpages": `${pages}`,
      ...(links.length > 0 && { link: links.join(", ") }),
    },
    body,
  };
  shop.afterList?.(path);
  return reply;
}

const keyOf = (orderby: string) => (one: Doc) =>
  orderby === "id" ? one.id : orderby === "modified" ? one.date_modified : one.date_created;
const compare = (a: number | string, b: number | string) => (a < b ? -1 : a > b ? 1 : 0);
