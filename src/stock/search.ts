import type { Knex } from "knex";
import { arrayOf, int } from "../platform/db/columns.js";
import { builder, runBuilt } from "../platform/db/list.js";

/** Conditions on an item `i` and on a bin `b`, with the words that they name. */
export interface Search {
  item: string;
  bin: string;
  words: Record<string, unknown>;
}

/** Up to so many items and so many bins: their rows are looked up, and sorted. */
const FEW = 2_000;

const Found = { items: arrayOf(int), bins: arrayOf(int) };

/** What `search` finds of a list whose rows, `row`, each have an item and a bin. */
export interface Finding {
  /** For a query that joins `i` and `b`. */
  listed: Knex.Raw;
  /** For one that does not, such as one that only counts. */
  counted: Knex.Raw;
}

/**
 * Items and bins are looked for first, as far as they are few; bins only where the items are. Where there are more, a
 * page is full after a few rows of the list, so that each row is tried on the way.
 */
export async function find(row: string, { item, bin, words }: Search): Promise<Finding> {
  const items = `select item_id from items i where ${item}`;
  const bins = `select bin_id from bins b where ${bin}`;
  const [found = { items: [], bins: [] }] = await runBuilt(
    Found,
    builder.select(
      builder.raw(
        `items, case when cardinality(items) <= ${FEW} then array(${bins} limit ${FEW + 1}) else '{}' end as bins
         from (select array(${items} limit ${FEW + 1}) as items offset 0) i`,
        words as never,
      ),
    ),
  );
  if (Math.max(found.items.length, found.bins.length) > FEW)
    return {
      listed: builder.raw(`(${item} or ${bin})`, words as never),
      counted: builder.raw(`(${row}.item_id in (${items}) or ${row}.bin_id in (${bins}))`, words as never),
    };
  const these = builder.raw(`(${row}.item_id = any(?) or ${row}.bin_id = any(?))`, [found.items, found.bins] as never);
  return { listed: these, counted: these };
}
