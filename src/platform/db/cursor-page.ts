import type { Knex } from "knex";
import { z } from "zod";
import { type Cursor, type SortKey, START } from "../list.js";
import { validationError } from "../problem.js";
import { json } from "./columns.js";
import { builder, runBuilt } from "./list.js";
import type { RowOf, Shape } from "./shape.js";

/** The rows of a page, and where the next one begins: null where there is none. */
export interface CursorPage<R> {
  records: R[];
  next_cursor: string | null;
}

/**
 * `limit` rows of a list from a cursor on (docs/lists.md, Page after page). The list's key is in `order`. What lies
 * behind a record are several ranges, each of which an index begins where the record stands: what has the same values
 * up to one of the fields, and a later value of that field. `keysFrom` has the same keys in the same order.
 */
export async function cursorPage<S extends Shape>(
  shape: S,
  query: Knex.QueryBuilder,
  order: SortKey[],
  key: string,
  cursor: Cursor,
  limit: number,
  keysFrom = query,
): Promise<CursorPage<RowOf<S>>> {
  const keys = (range: Knex.QueryBuilder) =>
    range
      .clearSelect()
      .select(key)
      .limit(limit + 1);
  const ranges = rangesBehind(cursor, order).map((range) => keys(keysFrom.clone().where(range)));
  const these = query
    .clone()
    .select(builder.raw(`json_build_array(${order.map(() => "??::text").join()}) as place`, columnsOf(order)))
    .whereRaw(`?? = any(array(${ranges.map(() => "?").join(" union all ")}))`, [key, ...ranges])
    .limit(limit + 1);
  const fields = shape instanceof z.ZodObject ? shape.shape : shape;
  const rows = (await runBuilt({ ...fields, place: json }, these, true)) as (RowOf<S> & { place?: unknown })[];
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  const next_cursor = last ? Buffer.from(JSON.stringify(last.place)).toString("base64url") : null;
  for (const row of rows) delete row.place;
  return { records: rows.slice(0, limit), next_cursor };
}

const columnsOf = (order: SortKey[]) => order.map(({ column }) => column);

type Range = (query: Knex.QueryBuilder) => void;

function rangesBehind(cursor: Cursor, order: SortKey[]): Range[] {
  if (cursor === START) return [() => undefined];
  if (cursor.length !== order.length)
    throw validationError([{ type: "value_error", loc: ["cursor"], msg: "It is of a list in another order" }]);
  return order.flatMap(({ column, order: way }, place) => {
    const same: Range = (query) => {
      for (const [i, value] of cursor.slice(0, place).entries()) query.where({ [(order[i] as SortKey).column]: value });
    };
    return beyond(column, way, cursor[place] ?? null).map(
      (later): Range =>
        (query) => {
          same(query);
          later(query);
        },
    );
  });
}

/** As Postgres orders them: null comes after all values. */
function beyond(column: string, way: SortKey["order"], value: string | null): Range[] {
  if (way === "desc")
    return [(query) => (value === null ? query.whereNotNull(column) : query.where(column, "<", value))];
  if (value === null) return [];
  return [(query) => query.where(column, ">", value), (query) => query.whereNull(column)];
}
