import knexFactory, { type Knex } from "knex";
import type { z } from "zod";
import { ttlCache } from "../concurrency/ttl-cache.js";
import type { Paging } from "../fields.js";
import { MOST_SUMMED, reversed, type SortKey, type Totals } from "../list.js";
import { asUuid } from "../values.js";
import { int } from "./columns.js";
import { db, jsonRows, unprepared } from "./db.js";
import type { JsonRows } from "./json-rows.js";
import type { RowOf, Shape } from "./shape.js";

/** Builds SQL for lists whose filters are optional; it has no connection of its own. */
export const builder = knexFactory({ client: "pg" });

export type Page = z.output<z.ZodObject<typeof Paging>>;

export type Paged<K extends string, T> = Record<K, T[]> &
  Page & { total: number; total_is_exact?: boolean; pages: number; next_cursor?: string | null };

/** From so many rows on, a list's number may be old. */
const MANY = 10_000;
/** Behind this part of such a list, a page is found from its end. */
const NEAR_END = 0.75;

/** Reads the rows of a query; `forItsValues` as for `isPrepared` below. */
export type Read<R> = (query: Knex.QueryBuilder, forItsValues: boolean) => Promise<R>;

/** How many rows a list has; not exact where there are more, which were not counted. */
export interface Total {
  total: number;
  isExact: boolean;
}

/** Which rows of a list are asked for, and how they are found. */
interface Part {
  limit: number;
  offset: number;
  /** The column that identifies a row. */
  key: string;
  forItsValues: boolean;
  /** Whether counting may end where it would take long. */
  isQuick?: boolean;
  /** A query with the same number of rows. */
  counted?: Knex.QueryBuilder | undefined;
  /** A query with the same keys in the same order, where these are found with fewer tables. */
  keys?: Knex.QueryBuilder;
  /** The order that was asked for. */
  order?: SortKey[];
}

/**
 * A part of a list, as `read` reads it, and how many rows the list has in all. The keys of a later page, or of a page
 * in an order that was asked for, are found first, by an index-only scan where an index has all columns of filter and
 * order, and without the tables that only add columns.
 */
export async function slice<R extends { length: number }>(
  read: Read<R>,
  query: Knex.QueryBuilder,
  { limit, offset, key, forItsValues, isQuick = false, counted = query, keys = query, order = [] }: Part,
): Promise<Total & { records: R }> {
  const part = (of: Knex.QueryBuilder) => of.clone().limit(limit).offset(offset);
  const found =
    order.length > 0 && isNearEnd(offset, counted)
      ? keysFromEnd(keys, key, order, { limit, offset }, counted)
      : part(keys).clearSelect().select(key);
  const wanted = offset > 0 || forItsValues ? byKeys(query, found, key) : part(query);
  const records = await read(wanted, forItsValues);
  const seen = records.length > 0 ? offset + records.length : 0;
  // The number of the last row is the number of rows.
  if (records.length < limit && (records.length > 0 || offset === 0)) return { records, total: seen, isExact: true };
  if (isQuick) return { records, ...(await quickTotal(counted, forItsValues, seen)) };
  const known = await countOf(counted, forItsValues);
  // Who reads page after page would end here, though a number that is old may lack rows.
  const total = known >= MANY && known <= seen ? await countNow(counted, forItsValues) : known;
  return { records, total: Math.max(seen, total), isExact: true };
}

/** Only the length of a list of many rows is known. */
const isNearEnd = (offset: number, counted: Knex.QueryBuilder): boolean =>
  offset > NEAR_END * MANY && offset > NEAR_END * (counts.known(nameOf(counted)) ?? Number.POSITIVE_INFINITY);

/** The rows of the list with these keys. */
const byKeys = (query: Knex.QueryBuilder, keys: Knex.QueryBuilder, key: string): Knex.QueryBuilder =>
  query.clone().whereRaw("?? = any(array ?)", [key, keys]);

/**
 * The keys of a part of a list, read from its end. How long the list is, is counted in the same statement, as an older
 * number would move the page: that reads less than the way from the beginning.
 */
function keysFromEnd(
  keys: Knex.QueryBuilder,
  key: string,
  order: SortKey[],
  { limit, offset }: { limit: number; offset: number },
  counted: Knex.QueryBuilder,
): Knex.QueryBuilder {
  const length = counted.clone().clearSelect().clearOrder().count("* as length");
  const left = (rows: number) => builder.raw("(select greatest(length - ?, 0) from list_length)", [rows]);
  const backwards = keys
    .clone()
    .clearSelect()
    .clearOrder()
    .select(key)
    .orderBy(order.map(reversed))
    .limit(limit)
    .offset(left(offset + limit) as never);
  // The last page may be shorter.
  const cut = builder.raw("select * from ? backwards limit ?", [backwards, left(offset)]);
  return builder.with("list_length", length).from(builder.raw("(?) keys", [cut]));
}

/** Counting so many takes far longer than reading a page: the number is kept, and counted anew meanwhile. */
const counts = ttlCache<number>((total) => (total < MANY ? 0 : 60_000), 5_000);

/** The number of rows of a list: exact, or for very many, up to a minute old. */
export const countOf = (query: Knex.QueryBuilder, forItsValues: boolean): Promise<number> =>
  counts(nameOf(query), () => countNow(query, forItsValues));

/**
 * The number of rows of a list of which `seen` were read: the one that is known, else no more are counted than one
 * beyond `MANY` and beyond these. All are counted meanwhile, for whoever asks next.
 */
export async function quickTotal(query: Knex.QueryBuilder, forItsValues: boolean, seen = 0): Promise<Total> {
  const known = counts.known(nameOf(query)) ?? 0;
  if (known > seen) return { total: await countOf(query, forItsValues), isExact: true };
  const most = Math.max(MANY, seen);
  const some = query
    .clone()
    .clearSelect()
    .clearOrder()
    .select(builder.raw("1"))
    .limit(most + 1);
  const total = await countNow(builder.from(some.as("some")), forItsValues);
  // A fault meets who asks for the number itself.
  if (total > most) countOf(query, forItsValues).catch(() => {});
  return { total, isExact: total <= most };
}

const nameOf = (query: Knex.QueryBuilder) => JSON.stringify(countSql(query));

const countSql = (query: Knex.QueryBuilder) =>
  query.clone().clearSelect().clearOrder().count("* as total").toSQL().toNative();

async function countNow(query: Knex.QueryBuilder, forItsValues: boolean): Promise<number> {
  const [counted] = await run({ total: int }, countSql(query), forItsValues);
  return counted?.total ?? 0;
}

/** Sums of a list, and of how many rows they are. */
interface Sums {
  rows: number;
  of: Record<string, number>;
}

const sums = ttlCache<Sums>(({ rows }) => (rows < MANY ? 0 : 60_000), 5_000);

/**
 * The sums over all rows of a query, null where these are too many; as old as a count may be. What the query selects
 * besides is not computed.
 */
export async function sumsOf(query: Knex.QueryBuilder, totals: Totals): Promise<Record<string, number> | null> {
  const names = Object.keys(totals);
  const listed = query
    .clone()
    .clearOrder()
    .limit(MOST_SUMMED + 1);
  for (const [name, { sql }] of Object.entries(totals)) if (sql) listed.select(builder.raw(`${sql} as ${name}`));
  const asked = builder
    .from(listed.as("listed"))
    .select(
      builder.raw(["count(*) as rows", ...names.map((name) => `coalesce(sum(${name}), 0)::int8 as ${name}`)].join()),
    );
  const { rows, of } = await sums(JSON.stringify(asked.toSQL().toNative()), async () => {
    const shape = Object.fromEntries(["rows", ...names].map((name) => [name, int]));
    const [{ rows = 0, ...of } = {}] = (await runBuilt(shape, asked, true)) as Record<string, number>[];
    return { rows, of };
  });
  return rows > MOST_SUMMED ? null : of;
}

/** Runs a built query; `forItsValues` as for `isPrepared` below. */
export const runBuilt = <S extends Shape>(
  shape: S,
  query: Knex.QueryBuilder,
  forItsValues = false,
): Promise<RowOf<S>[]> => run(shape, query.toSQL().toNative(), forItsValues);

/** The same, as JSON behind `opening`. */
export function runAsJson(
  shape: Shape,
  query: Knex.QueryBuilder,
  forItsValues: boolean,
  opening: string,
): Promise<JsonRows> {
  const { sql, bindings } = query.toSQL().toNative();
  return jsonRows(shape, sql, bindings, opening, isPrepared(sql, forItsValues));
}

const run = <S extends Shape>(
  shape: S,
  { sql, bindings }: Knex.SqlNative,
  forItsValues: boolean,
): Promise<RowOf<S>[]> =>
  isPrepared(sql, forItsValues) ? db.rows(shape, sql, [...bindings]) : unprepared(shape, sql, bindings);

/**
 * A search for text, or a query with many variants, is planned for its values; any other list is prepared, as far as
 * there is room.
 */
const isPrepared = (sql: string, forItsValues: boolean) => !forItsValues && !sql.includes(" ilike ") && mayPrepare(sql);

/** Each prepared statement takes memory in every connection, and filters have many combinations. */
const MAX_PREPARED = 100;
const preparedTexts = new Set<string>();
const mayPrepare = (sql: string) =>
  preparedTexts.has(sql) || (preparedTexts.size < MAX_PREPARED && Boolean(preparedTexts.add(sql)));

/** A condition: the text is in one of the columns, or it is the external id. For the `where` of a query. */
export const anyOf = (q: string, columns: string[], externalId: string) => (either: Knex.QueryBuilder) => {
  for (const column of columns) either.orWhereILike(column, containing(q));
  const uuid = asUuid(q);
  if (uuid) either.orWhere(externalId, uuid);
};

/** Whether an index of trigrams finds `q`: it has three letters or digits in a row. */
export const isFoundByIndex = (q: string): boolean => /[\p{L}\p{N}]{3}/u.test(q);

/** `q` as the middle of an ILIKE pattern, its own wildcards taken literally. */
export function containing(q: string): string {
  return `%${q.replace(/[\\%_]/g, "\\$&")}%`;
}

/** `q` as the beginning of a LIKE pattern, its own wildcards taken literally. */
export const beginning = (q: string): string => containing(q).slice(1);

/** SQL: whether a number begins as the pattern says, in capitals or not; an index of `upper(…)` finds it. */
export const begins = (column: string, pattern: string) => `upper(${column}) like upper(${pattern})`;

/**
 * The SQL of the code of a row's warehouse, which every list of several warehouses has; `warehouse` is the column with
 * the warehouse's id.
 */
export const codeOf = (warehouse: string, as = "warehouse_code") =>
  `(select warehouse_code from warehouses where warehouses.warehouse_id = ${warehouse}) as ${as}`;
