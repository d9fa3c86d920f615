import { z } from "zod";
import { int, text } from "../../platform/db/columns.js";
import { db } from "../../platform/db/db.js";
import { STAGING } from "../../stock/queries.js";
import { PendingItem, StagingBin, SuggestedBin } from "./shapes.js";

/**
 * The suggested bin of item `i`, for a lateral join: its preferred bin of highest priority within the warehouses $2,
 * else its default bin there (docs/interface.md, Put-away).
 */
const SUGGESTED = `
  select b.bin_id, b.bin_code, b.bin_barcode, z.zone_name, choice.priority
  from (select p.bin_id, p.priority, false as by_default from preferred_bins p where p.item_id = i.item_id
        union all select i.default_bin_id, 1, true) choice
  join bins b using (bin_id) join zones z using (zone_id)
  where b.is_active and ($2::int[] is null or b.warehouse_id = any($2))
  order by choice.by_default, choice.priority limit 1`;

/** The stock in the staging bins of a warehouse, with the suggested bin of each item. */
export function pendingItems(warehouseId: number): Promise<PendingItem[]> {
  return db.rows(
    PendingItem,
    `select s.inventory_id, i.item_id, i.sku, i.item_name, i.upc, s.quantity_on_hand as quantity, b.bin_id, b.bin_code,
            s.lot_number, g.bin_id as suggested_bin_id, g.bin_code as suggested_bin_code,
            g.bin_code as suggested_bin
     from bins b join inventory s using (bin_id) join items i using (item_id)
     left join lateral (${SUGGESTED}) g on true
     where b.warehouse_id = $1 and ${STAGING} and s.quantity_on_hand > 0
     order by b.bin_code, i.sku, s.lot_number`,
    [warehouseId, [warehouseId]],
  );
}

/** Every staging bin of a warehouse, empty ones too, with the stock in it. */
export function stagingBins(warehouseId: number): Promise<StagingBin[]> {
  return db.rows(
    StagingBin,
    `select b.bin_id, b.bin_code, b.bin_type, coalesce(sum(s.quantity_on_hand), 0) as total_quantity,
       coalesce(sum(s.quantity_on_hand), 0) as total_qty,
       count(distinct s.item_id) filter (where s.quantity_on_hand > 0) as sku_count,
       coalesce(json_agg(json_build_object(
           'inventory_id', s.inventory_id, 'item_id', i.item_id, 'sku', i.sku, 'item_name', i.item_name, 'upc', i.upc,
           'quantity_on_hand', s.quantity_on_hand, 'quantity', s.quantity_on_hand, 'suggested_bin', g.bin_code,
           'lot_number', s.lot_number) order by i.sku, s.lot_number)
         filter (where s.quantity_on_hand > 0), '[]') as items
     from bins b left join (inventory s join items i using (item_id)) using (bin_id)
     left join lateral (${SUGGESTED}) g on s.quantity_on_hand > 0
     where b.warehouse_id = $1 and ${STAGING}
     group by b.bin_id order by b.bin_code`,
    [warehouseId, [warehouseId]],
  );
}

const Suggestion = z.strictObject({ item_id: int, sku: text, item_name: text, bin: SuggestedBin.nullable() });
type Suggestion = z.infer<typeof Suggestion>;

/** An item and its suggested bin; `warehouses` null means all. */
export function suggestBin(itemId: number, warehouses: number[] | null): Promise<Suggestion | undefined> {
  return db.row(
    Suggestion,
    `select i.item_id, i.sku, i.item_name, (select to_json(g) from (${SUGGESTED}) g) as bin
     from items i where i.item_id = $1`,
    [itemId, warehouses],
  );
}
