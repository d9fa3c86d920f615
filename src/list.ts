import knexFactory, { type Knex } from "knex";
import { unprepared } from "./db.js";

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
  const [records, counted] = await Promise.all([
    runBuilt<T>(
      query
        .clone()
        .limit(per_page)
        .offset((page - 1) * per_page),
    ),
    runBuilt<{ total: number }>(
      query.clone().clearSelect().clearOrder().count("* as total"),
    ),
  ]);
  const total = counted[0]?.total ?? 0;
  const pages = Math.max(1, Math.ceil(total / per_page));
  return { [plural]: records, total, page, per_page, pages } as Paged<K, T>;
}

/** Runs a built query. */
function runBuilt<T>(query: Knex.QueryBuilder): Promise<T[]> {
  const { sql, bindings } = query.toSQL().toNative();
  return unprepared<T>(sql, bindings);
}

/** `q` as the middle of an ILIKE pattern, its own wildcards taken literally. */
export function containing(q: string): string {
  return `%${q.replace(/[\\%_]/g, "\\$&")}%`;
}
