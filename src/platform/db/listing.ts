import type { Knex } from "knex";
import { semaphore } from "../concurrency/semaphore.js";
import { JsonText } from "../json-text.js";
import { type Arrangement, type List, MOST_SUMMED, reversed, type SortKey } from "../list.js";
import { text } from "./columns.js";
import { cursorPage } from "./cursor-page.js";
import {
  builder,
  countOf,
  type Page,
  type Paged,
  quickTotal,
  type Read,
  runAsJson,
  runBuilt,
  slice,
  sumsOf,
  type Total,
} from "./list.js";
import type { RowOf, Shape } from "./shape.js";

/** A requested list: its answer, and, for a file, all of its records from first to last. */
export class Listing<A> {
  constructor(
    readonly answer: () => Promise<A | JsonText>,
    readonly batches: () => AsyncGenerator<object[]>,
  ) {}
}

/** Adds fields to each record that are not in its row. */
type Complete<S extends Shape, T> = (rows: RowOf<S>[]) => T[] | Promise<T[]>;

/**
 * A list in pages (docs/interface.md, Answers and errors): the query's rows under their plural, and the numbers of rows
 * and pages. `pages` is at least 1. The query orders by something unique, so that pages neither overlap nor skip.
 */
export function listPage<S extends Shape, K extends string, T extends object = RowOf<S>>(
  shape: S,
  plural: K,
  query: Knex.QueryBuilder,
  filters: Page & Arrangement,
  list: List,
  complete?: Complete<S, T>,
  counted?: Knex.QueryBuilder,
): Listing<Paged<K, T>> {
  const order = arrange(query, filters, list);
  if (counted) limitToChanged(counted, filters, list);
  const { page, per_page, cursor, quick_total: isQuick = false } = filters;
  const keys = counted && isOfOneTable(order, list) ? counted.clone().orderBy(order) : query;
  const part = <R extends { length: number }>(read: Read<R>) =>
    slice(read, query, {
      ...{ limit: per_page, offset: (page - 1) * per_page, key: list.key, forItsValues: isAskedFor(filters) },
      ...{ isQuick, counted, keys, order },
    });
  const { totals } = list;
  const numbersOf = async ({ total, isExact }: Total) => ({
    ...{ total, page, per_page, pages: Math.max(1, Math.ceil(total / per_page)) },
    ...(isQuick && { total_is_exact: isExact }),
    ...(filters.totals && totals && { totals: total > MOST_SUMMED ? null : await sumsOf(query, totals) }),
  });
  const whole = () => completed(shape, query, list.key, complete);
  if (cursor)
    return new Listing(async () => {
      const { records, next_cursor } = await cursorPage(shape, query, order, list.key, cursor, per_page, keys);
      const all = counted ?? query;
      const total = isQuick ? await quickTotal(all, true) : { total: await countOf(all, true), isExact: true };
      const shown = complete ? await complete(records) : records;
      return { [plural]: shown, ...(await numbersOf(total)), next_cursor } as Paged<K, T>;
    }, whole);
  const answer = complete
    ? async () => {
        const { records, ...total } = await part((query, forItsValues) => runBuilt(shape, query, forItsValues));
        return { [plural]: await complete(records), ...(await numbersOf(total)) } as Paged<K, T>;
      }
    : async () => {
        const { records, ...total } = await part((query, forItsValues) =>
          runAsJson(shape, query, forItsValues, `{"${plural}":[`),
        );
        return new JsonText(records.close(`],${JSON.stringify(await numbersOf(total)).slice(1)}`), "latin1");
      };
  return new Listing(answer, whole);
}

/** A list as one page with all of its rows, in JSON that Postgres makes: there may be many. */
export async function allAsJson(
  plural: string,
  query: Knex.QueryBuilder,
  asked: Arrangement,
  list: List,
): Promise<string> {
  arrange(query, asked, list);
  const page = `json_build_object('${plural}', coalesce(json_agg(r), '[]'), 'total', count(*), 'page', 1,
    'per_page', greatest(count(*), 1), 'pages', 1)::text as text`;
  const [whole] = await runBuilt({ text }, builder.select(builder.raw(page)).from(query.as("r")));
  return (whole as { text: string }).text;
}

export interface ListSlice<T> {
  records: T[];
  total: number;
  limit: number;
  offset: number;
}

/** A list with `limit` and `offset`: the records of that slice, and the number of all. */
export function listSlice<S extends Shape, A, T extends object = RowOf<S>>(
  shape: S,
  query: Knex.QueryBuilder,
  filters: { limit: number; offset: number } & Arrangement,
  list: List,
  answer: (part: ListSlice<T>) => A,
  complete: Complete<S, T> = asTheyAre,
): Listing<A> {
  arrange(query, filters, list);
  const { limit, offset } = filters;
  const read: Read<RowOf<S>[]> = (query, forItsValues) => runBuilt(shape, query, forItsValues);
  return new Listing(
    async () => {
      const part = { limit, offset, key: list.key, forItsValues: isAskedFor(filters) };
      const { records, total } = await slice(read, query, part);
      return answer({ records: await complete(records), total, limit, offset });
    },
    () => completed(shape, query, list.key, complete),
  );
}

/** All records of a list. */
async function* completed<S extends Shape, T extends object>(
  shape: S,
  query: Knex.QueryBuilder,
  key: string,
  complete: Complete<S, T> = asTheyAre,
): AsyncGenerator<T[]> {
  for await (const rows of wholeOf(shape, query, key)) yield await complete(rows);
}

const asTheyAre = <T>(rows: unknown[]) => rows as T[];

/** Which part of a list is asked for, and how it is counted. */
const PART = ["page", "per_page", "limit", "offset", "quick_total"];

/**
 * Whether an order or a filter is asked for. Such a list is planned for its values: for any values at all, Postgres
 * expects that a page is full after a few rows, and tries all rows of a large table where few are wanted.
 */
const isAskedFor = (filters: object) =>
  Object.entries(filters).some(([name, value]) => Boolean(value) && !PART.includes(name));

/**
 * Rows with equal values are ordered by what the list says of the last column, and by their key, in its direction.
 * Gives the order, unless it is the list's own.
 */
function arrange(query: Knex.QueryBuilder, asked: Arrangement, list: List): SortKey[] {
  limitToChanged(query, asked, list);
  const order = orderOf(asked, list);
  if (order.length > 0) query.clearOrder().orderBy(order);
  return order;
}

function limitToChanged(query: Knex.QueryBuilder, { updated_since, after }: Arrangement, list: List): void {
  const { key, keyType, updatedAt } = list;
  if (updated_since && updatedAt) query.where(updatedAt, ">=", updated_since);
  if (after && updatedAt)
    query.whereRaw(`(??, ??) > (?::timestamptz, ?::${keyType})`, [updatedAt, key, after.at, after.id]);
}

function orderOf({ sort, after, cursor }: Arrangement, { key, updatedAt, ties }: List): SortKey[] {
  const asked =
    after && updatedAt ? [{ column: updatedAt, order: "asc" } as const] : (sort ?? (cursor ? [] : undefined));
  if (!asked) return [];
  const { column: last = "", order: way = "asc" } = asked.at(-1) ?? {};
  const byKey: SortKey = { column: key, order: "asc" };
  const orderBy = (ties: SortKey[]) => withoutRepeats([...asked, ...(way === "asc" ? ties : ties.map(reversed))]);
  const plain = orderBy([byKey]);
  // A cursor of an earlier release has no more values than these.
  const isPlain = Array.isArray(cursor) && cursor.length === plain.length;
  return isPlain ? plain : orderBy([...(ties?.[last] ?? []), byKey]);
}

/** Whether the order is told by the table of the key alone. */
const isOfOneTable = (order: SortKey[], { key }: List) =>
  order.length > 0 && order.every(({ column }) => tableOf(column) === tableOf(key));

const tableOf = (column: string) => column.slice(0, column.indexOf(".") + 1);

/** What stands behind the key, or a second time, changes nothing. */
const withoutRepeats = (order: SortKey[]) =>
  order.filter(({ column }, place) => order.findIndex((other) => other.column === column) === place);

/** How many rows are read at a time. */
const BATCH = 500;
/** The most connections of the pool that all files together use at a time. */
export const exportSlots = semaphore(2);

const Keys = { keys: text.nullable() };

/**
 * All rows of a list. First the keys of the whole list are read, as one text, and then the rows of these keys, if they
 * are still in the list. So the order is that of one moment, any order costs one pass, and between two batches neither
 * a connection nor a transaction is held, however slow the reader is.
 */
async function* wholeOf<S extends Shape>(shape: S, query: Knex.QueryBuilder, key: string): AsyncGenerator<RowOf<S>[]> {
  const keys = query.clone().clearSelect().select({ key });
  const all = builder.select(builder.raw("string_agg(key::text, ',') as keys")).from(keys.as("listed"));
  const [listed] = await exportSlots(() => runBuilt(Keys, all, true));
  for (const some of batchesOf(listed?.keys ?? "")) {
    const these = query.clone().whereRaw("?? = any(?)", [key, `{${some}}`]);
    yield await exportSlots(() => runBuilt(shape, these, true));
  }
}

/** The keys, `BATCH` at a time, cut from the text as they are needed. */
function* batchesOf(keys: string): Generator<string> {
  const batch = new RegExp(`[^,]+(?:,[^,]+){0,${BATCH - 1}}`, "g");
  for (const [some] of keys.matchAll(batch)) yield some;
}
