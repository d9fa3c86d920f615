import { type Page, type Source, type SourceAnswer, SourceError, type SyncFrom } from "../connector.js";
import type { ShopifyConfig } from "./config.js";
import { Documents, read } from "./documents.js";
import { later } from "./versions.js";

/**
 * Shopify serves a version for at least a year, and answers a request for an older one with the oldest that it serves.
 */
const VERSION = "2025-10";
/** The most records that Shopify puts on a page. */
const PAGE = "250";

export type ShopifySource = Source<ShopifyConfig>;

interface Message {
  query?: Record<string, string>;
  body?: unknown;
}

/** Requests the Admin API of the shop. The token is sent to the shop's own address only. */
function ask({ config, request }: ShopifySource, path: string, { query = {}, body }: Message): Promise<SourceAnswer> {
  const url = new URL(`/admin/api/${VERSION}/${path}.json`, config.shop_url);
  url.search = new URLSearchParams(query).toString();
  const headers = { "x-shopify-access-token": config.access_token };
  return request({ url: url.href, headers, ...(body !== undefined && { body }) });
}

/** Requests the GraphQL Admin API, for what the REST API lacks. */
export const askGraphql = async (source: ShopifySource, body: { query: string; variables: object }): Promise<unknown> =>
  (await ask(source, "graphql", { body })).json();

/** A field of the answer. */
export async function askFor(
  source: ShopifySource,
  field: string,
  path: string,
  message: Message = {},
): Promise<unknown> {
  return fieldOf(await ask(source, path, message), field);
}

function fieldOf(answer: SourceAnswer, field: string): unknown {
  const value = (answer.json() as Record<string, unknown> | null)?.[field];
  if (value === undefined) throw new SourceError(`Shopify's answer has no ${field}`, answer.status);
  return value;
}

/**
 * A page of documents, oldest change first: what changes while the pages are read comes again at their end. The first
 * request has the filters; the others may only name the page.
 */
export async function pageOf(
  source: ShopifySource,
  name: "orders" | "products",
  filter: Record<string, string>,
  { since, cursor }: SyncFrom,
): Promise<Page<Record<string, unknown>>> {
  const first = { ...filter, order: "updated_at asc", ...(since !== null && { updated_at_min: since }) };
  const answer = await ask(source, name, {
    query: { limit: PAGE, ...(cursor === null ? first : { page_info: cursor }) },
  });
  const records = read(Documents, fieldOf(answer, name), `a list of ${name}`);
  return {
    records,
    next: nextPage(answer.headers.link),
    newest:
      records
        .flatMap(({ updated_at }) => (updated_at === null ? [] : later(updated_at)))
        .sort()
        .at(-1) ?? null,
  };
}

/** The `page_info` of the header `Link: <https://…&page_info=…>; rel="next"`. */
function nextPage(link = ""): string | null {
  const url = /<([^<>]+)>\s*;\s*rel="?next"?/.exec(link)?.[1];
  return url && URL.canParse(url) ? new URL(url).searchParams.get("page_info") : null;
}
