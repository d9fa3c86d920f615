import { type Source, type SourceAnswer, SourceError } from "../connector.js";
import type { WooConfig } from "./config.js";

export type WooSource = Source<WooConfig>;

interface Message {
  query?: Record<string, string>;
  method?: "PUT" | "DELETE";
  body?: unknown;
}

/**
 * Requests the shop's REST API; the path begins with the namespace, such as `wc/v3/orders`. The key is sent in the
 * header Authorization, or in the address where that header does not reach WordPress ("Authentication over HTTPS").
 */
export function ask(
  { config, request }: WooSource,
  path: string,
  { query = {}, ...message }: Message = {},
): Promise<SourceAnswer> {
  const { shop_url, consumer_key, consumer_secret, auth } = config;
  const url = new URL(shop_url);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/wp-json/${path}`;
  const inQuery = auth === "query";
  url.search = new URLSearchParams({ ...query, ...(inQuery && { consumer_key, consumer_secret }) }).toString();
  const authorization = `Basic ${Buffer.from(`${consumer_key}:${consumer_secret}`).toString("base64")}`;
  return request({ url: url.href, headers: inQuery ? {} : { authorization }, ...message });
}

/** A number of a header of a list, such as `x-wp-total`; undefined without it. */
export function countOf({ headers }: SourceAnswer, header: "x-wp-total" | "x-wp-totalpages"): number | undefined {
  const text = headers[header];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** WooCommerce's largest page. */
const LARGEST_PAGE = 100;
/** The most of a short list, such as the variations of a product. */
const MOST = 5_000;

/** All documents of a short list, such as the refunds of an order, page by page. */
export async function askForAll(source: WooSource, path: string, query: Record<string, string> = {}) {
  const all: unknown[] = [];
  for (let page = 1; ; page++) {
    const answer = await ask(source, path, { query: { ...query, per_page: `${LARGEST_PAGE}`, page: `${page}` } });
    const documents = answer.json();
    if (!Array.isArray(documents) || documents.length > LARGEST_PAGE)
      throw new SourceError(`${path} is not a list of at most ${LARGEST_PAGE}`);
    all.push(...documents);
    if (all.length > MOST) throw new SourceError(`${path} has more than ${MOST} entries`);
    if (page >= (countOf(answer, "x-wp-totalpages") ?? (documents.length < LARGEST_PAGE ? page : page + 1))) return all;
  }
}
