import knexFactory, { type Knex } from "knex";
import { kept } from "./cache.js";
import { db, unprepared } from "./db.js";

/** Builds SQL for lists whose filters are optional; it has no connection of its own. */
export const builder = knexFactory({ client: "pg" });

export interface Page {
  page: number;
  per_page: number;
}

export type Paged<K extends string, T> = Record<K, T[]> &
  Page & { total: number; pages: number };

/**
 * One page of a list (reference 03): the query's rows under their plural, and where they stand. `pages` is at least 1.
 * The query must order by something unique, so that pages neither overlap nor skip.
 */
export async function listPage<T, K extends string>(
  plural: K,
  query: Knex.QueryBuilder,
  { page, per_page }: Page,
): Promise<Paged<K, T>> {
  const offset = (page - 1) * per_page;
  const records = await runBuilt<T>(
    query.clone().limit(per_page).offset(offset),
  );
  const seen = records.length > 0 ? offset + records.length : 0;
  // The last page says itself how many there are.
  const isLast =
    records.length < per_page && (records.length > 0 || page === 1);
  const total = isLast ? seen : Math.max(seen, await countOf(query));
  const pages = Math.max(1, Math.ceil(total / per_page));
  return { [plural]: records, total, page, per_page, pages } as Paged<K, T>;
}

/** To count that many takes far longer than to read a page, and they are not counted to the last one by anybody. */
const MANY = 10_000;
const counts = kept<number>((total) => (total < MANY ? 0 : 5_000));

/** How many rows a list has: exactly, or, of very many, exactly up to five seconds ago. */
function countOf(query: Knex.QueryBuilder): Promise<number> {
  const counting = query.clone().clearSelect().clearOrder().count("* as total");
  const compiled = counting.toSQL().toNative();
  return counts(JSON.stringify(compiled), async () => {
    const [counted] = await run<{ total: number }>(compiled);
    return counted?.total ?? 0;
  });
}

/** Runs a built query. */
export const runBuilt = <T>(query: Knex.QueryBuilder): Promise<T[]> =>
  run<T>(query.toSQL().toNative());

/** Only where a query looks for a text does its best plan depend on the values. */
function run<T>({ sql, bindings }: Knex.SqlNative): Promise<T[]> {
  return sql.includes(" ilike ") || !isFamiliar(sql)
    ? unprepared<T>(sql, bindings)
    : db.rows<T>(sql, [...bindings]);
}

/** Each text that is prepared takes memory in every connection: so many combinations of filters, and no more. */
const MOST_FAMILIAR = 100;
const familiar = new Set<string>();
const isFamiliar = (sql: string) =>
  familiar.has(sql) ||
  (familiar.size < MOST_FAMILIAR && Boolean(familiar.add(sql)));

/** `q` as the middle of an ILIKE pattern, its own wildcards taken literally. */
export function containing(q: string): string {
  return `%${q.replace(/[\\%_]/g, "\\$&")}%`;
}
