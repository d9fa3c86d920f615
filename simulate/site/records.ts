import type { Caller, Json } from "../http/caller.js";

const PER_PAGE = 500;

/** All records of a list, a page at a time. */
export async function* listed(
  by: Caller,
  path: string,
  plural: string,
  query: Record<string, string | number> = {},
): AsyncGenerator<Json> {
  for (let page = 1; ; page++) {
    const answer = await by.ok("GET", path, { query: { ...query, page, per_page: PER_PAGE } });
    yield* answer[plural];
    if (page >= answer.pages) return;
  }
}

/** The record of a list that fits, or else a new one. */
export async function foundOrMade(
  list: Json[],
  fits: (record: Json) => boolean,
  make: () => Promise<Json>,
): Promise<Json> {
  return list.find(fits) ?? (await make());
}

export async function all(by: Caller, path: string, plural: string, query: Record<string, string | number> = {}) {
  const records: Json[] = [];
  for await (const record of listed(by, path, plural, query)) records.push(record);
  return records;
}
