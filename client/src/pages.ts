/** What a list answers for a page: its records under one name, and how many pages there are. */
export interface ListPage {
  page: number;
  pages: number;
}

/** The type of a list's records. */
export type RecordOf<A> = { [K in keyof A]-?: A[K] extends readonly (infer T)[] ? T : never }[keyof A];

/** Records that are read at once, where the caller does not say `per_page`. */
const AT_ONCE = 200;

/** The records of all pages, one after the other; the next page is read once the last record of this one was taken. */
export async function* eachRecord<T>(
  read: (query: { page: number; per_page: number }) => Promise<ListPage>,
  { page = 1, per_page = AT_ONCE }: { page?: number; per_page?: number } = {},
): AsyncGenerator<T, void, undefined> {
  for (let at = page; ; at++) {
    const answer = await read({ page: at, per_page });
    yield* Object.values(answer).find(Array.isArray) ?? [];
    if (at >= answer.pages) return;
  }
}
