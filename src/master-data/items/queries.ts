import type { z } from "zod";
import { readScan } from "../../platform/barcodes/scan.js";
import { db } from "../../platform/db/db.js";
import { anyOf, builder, codeOf, containing } from "../../platform/db/list.js";
import { listPage } from "../../platform/db/listing.js";
import { fewWith, whereFew } from "../../platform/db/short-search.js";
import { ITEM_TEXTS } from "../../stock/search.js";
import { comingOrders } from "./coming.js";
import { type ItemFilters, ItemRow, ItemSummary, ItemWithBins, itemList, ListedItem } from "./shapes.js";
import { sharedCodes } from "./shared-codes.js";

/** A stored zero means that there is no measure: in answers it is null. */
const measures = ["weight_lbs", "length_in", "width_in", "height_in"];

/** SQL: the columns of `items as i` that are fields of the record; those of other tables are added to it. */
export const itemColumns = ({ shape }: z.ZodObject) =>
  Object.keys(shape)
    .map((name) => (measures.includes(name) ? `nullif(i.${name}, 0)::float8 as ${name}` : `i.${name}`))
    .join(", ");

/** `where` limits the bin whose code is shown: the first preferred bin, before the default bin. */
const listed = (where: string) => `
  ${itemColumns(ListedItem)},
  (select bin_code from bins
   where bin_id = coalesce((select bin_id from preferred_bins where item_id = i.item_id and priority = 1),
     default_bin_id) ${where}) as default_bin_code`;

const EVERYWHERE = builder.raw(listed(""));
const within = (warehouseIds: number[]) => builder.raw(listed("and warehouse_id = any(?)"), [warehouseIds] as never);

/**
 * Items by SKU; `q` looks in SKU, name, UPC, MPN and the barcode aliases, or is a GTIN or an external id. The codes of
 * bins outside `warehouseIds` are null. Items of sandboxes are in no list.
 */
export async function items(filters: ItemFilters, warehouseIds: number[] | null, areThereSandboxes = false) {
  const { category, active, q } = filters;
  const query = builder("items as i")
    .select(warehouseIds ? within(warehouseIds) : EVERYWHERE)
    .orderBy("sku");
  if (category) query.where({ category });
  // Otherwise the items are counted by an index alone.
  if (areThereSandboxes) query.whereRaw("not i.is_sandbox");
  // Not as a parameter: for any value at all Postgres would expect half of all items.
  if (active !== undefined) query.whereRaw(active ? "i.is_active" : "not i.is_active");
  if (q) {
    const { forms } = readScan(q);
    const few = await fewWith(q, "i.item_id", ITEM_TEXTS);
    query.where((either) => {
      if (few) either.where(whereFew(few));
      else
        either
          .where(anyOf(q, ["sku", "item_name", "upc", "mpn"], "i.external_id"))
          .orWhereRaw("barcode_aliases::text ilike ?", containing(q));
      if (forms.length > 0) either.orWhereRaw("upc = any(:forms) or barcode_aliases \\?| :forms", { forms } as never);
    });
  }
  return listPage(ItemSummary, "items", query, filters, itemList);
}

const ItemWithoutSharedRow = ItemWithBins.omit({ shared_codes: true });

/**
 * An item, its stock (one line for each bin, with all lots), its preferred bins and what is on its way, within
 * `warehouseIds`, and the codes that it shares with other items.
 */
export async function item(itemId: number, warehouseIds: number[] | null): Promise<ItemWithBins | undefined> {
  const found = await db.row(
    ItemWithoutSharedRow,
    `select
       (select to_json(one)
        from (select ${itemColumns(ItemRow)},
                     (select bin_code from bins where bin_id = i.default_bin_id
                        and ($2::int[] is null or warehouse_id = any($2))) as default_bin_code) one) as item,
       (select coalesce(json_agg(stock order by bin_code, bin_id), '[]')
        from (select bin_id, bin_code, zone_name, ${codeOf("v.warehouse_id")},
                     sum(quantity_on_hand) as quantity_on_hand, sum(quantity_allocated) as quantity_allocated
              from inventory v join bins using (bin_id) join zones using (zone_id)
              where v.item_id = i.item_id and ($2::int[] is null or v.warehouse_id = any($2))
              group by bin_id, bin_code, zone_name, v.warehouse_id) stock) as inventory,
       (select coalesce(json_agg(preferred order by priority), '[]')
        from (select preferred_bin_id, bin_id, bin_code, zone_name, priority, p.min_units, p.max_units,
                     p.case_units, ${codeOf("b.warehouse_id")}
              from preferred_bins p join bins b using (bin_id) join zones using (zone_id)
              where p.item_id = i.item_id and ($2::int[] is null or b.warehouse_id = any($2))) preferred)
         as preferred_bins,
       (select coalesce(json_agg(coming order by expected_date nulls last, po_id), '[]')
        from (${comingOrders("i.item_id", "($2::int[] is null or p.warehouse_id = any($2))")}) coming) as coming
     from items i where item_id = $1`,
    [itemId, warehouseIds],
  );
  return found && { ...found, shared_codes: (await sharedCodes(db, [found.item])).get(itemId) ?? [] };
}
