import type { Knex } from "knex";
import { arrayOf, int } from "../platform/db/columns.js";
import { builder, containing, runBuilt } from "../platform/db/list.js";
import { fewWith, type ShortSearch } from "../platform/db/short-search.js";
import { asUuid } from "../platform/values.js";

export const ITEM_TEXTS: ShortSearch = {
  table: "items",
  key: "item_id",
  texts: ["sku", "item_name", "upc", "mpn", "barcode_aliases::text"],
  together: "(sku || item_name || coalesce(upc, '') || coalesce(mpn, '') || coalesce(barcode_aliases::text, ''))",
};

export const BIN_TEXTS: ShortSearch = {
  table: "bins",
  key: "bin_id",
  texts: ["bin_code", "bin_barcode"],
  together: "(bin_code || bin_barcode)",
};

/** What `q` is looked for in: texts of items and bins, and their external ids. */
export interface Search {
  q: string;
  items: string[];
  bins: string[];
  /** Another condition on an item `i`, with the words that it names. */
  orItem?: string;
  words?: Record<string, unknown>;
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
export async function find(row: string, search: Search): Promise<Finding> {
  const { q, orItem } = search;
  const [fewItems, fewBins] = await Promise.all([
    fewWith(q, "i.item_id", { ...ITEM_TEXTS, texts: search.items }),
    fewWith(q, "b.bin_id", { ...BIN_TEXTS, texts: search.bins }),
  ]);
  const inItem = fewItems?.sql ?? contains("i", search.items);
  const item = `(${[inItem, "i.external_id = :uuid", ...(orItem ? [orItem] : [])].join(" or ")})`;
  const bin = `(${fewBins?.sql ?? contains("b", search.bins)} or b.external_id = :uuid)`;
  const words = { like: containing(q), uuid: asUuid(q), ...fewItems?.words, ...fewBins?.words, ...search.words };
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

const contains = (of: string, texts: string[]) => texts.map((text) => `${of}.${text} ilike :like`).join(" or ");
