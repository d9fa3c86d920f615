import knexFactory, { type Knex } from "knex";
import { kept, together } from "./cache.js";
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
 * The query must order by something unique, so that pages neither overlap nor skip. `key` names a row, for a list that grows
 * long: its later pages are then looked up by an index alone, as far as one holds what is asked for.
 */
export async function listPage<T, K extends string>(
  plural: K,
  query: Knex.QueryBuilder,
  { page, per_page }: Page,
  key?: string,
): Promise<Paged<K, T>> {
  const offset = (page - 1) * per_page;
  const { records, total } = await slice<T>(query, per_page, offset, key);
  const pages = Math.max(1, Math.ceil(total / per_page));
  return { [plural]: records, total, page, per_page, pages } as Paged<K, T>;
}

/** So many rows of a list from a place on, and how many it has in all. */
export async function slice<T>(
  query: Knex.QueryBuilder,
  limit: number,
  offset: number,
  key?: string,
): Promise<{ records: T[]; total: number }> {
  const these = query.clone().limit(limit).offset(offset);
  const records = await runBuilt<T>(
    key && offset > 0
      ? query
          .clone()
          .clearWhere()
          .whereRaw("?? = any(array ?)", [key, these.clearSelect().select(key)])
      : these,
  );
  const seen = records.length > 0 ? offset + records.length : 0;
  // The last rows say themselves how many there are.
  const isLast = records.length < limit && (records.length > 0 || offset === 0);
  const total = isLast ? seen : Math.max(seen, await countOf(query));
  return { records, total };
}

/** To count that many takes far longer than to read a page, and they are not counted to the last one by anybody. */
const MANY = 10_000;
const counts = kept<number>((total) => (total < MANY ? 0 : 5_000));
const counting = together<number>();

/** How many rows a list has: exactly, or, of very many, exactly up to five seconds ago. */
function countOf(query: Knex.QueryBuilder): Promise<number> {
  const all = query.clone().clearSelect().clearOrder().count("* as total");
  const compiled = all.toSQL().toNative();
  const key = JSON.stringify(compiled);
  const count = async () => {
    const [counted] = await run<{ total: number }>(compiled);
    return counted?.total ?? 0;
  };
  return counts(key, () => counting(key, count));
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
