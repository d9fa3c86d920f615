import { db } from "../../platform/db/db.js";
import { codeOf, containing } from "../../platform/db/list.js";
import { asUuid } from "../../platform/values.js";
import { PreferredBin, type PreferredBinFilters } from "./shapes.js";

/**
 * Preferred bins by SKU and priority, all on one page; `q` looks in SKU, name and bin code, or is the external
 * id of item or bin.
 */
export function preferredBins(
  { item_id, bin_id, q }: PreferredBinFilters,
  warehouseIds: number[] | null,
): Promise<PreferredBin[]> {
  return db.rows(
    PreferredBin,
    `select preferred_bin_id, item_id, bin_id, priority, notes, p.updated_at, i.external_id as item_external_id, sku,
            item_name, b.external_id as bin_external_id, bin_code, zone_name, b.warehouse_id,
            ${codeOf("b.warehouse_id")}
     from preferred_bins p join items i using (item_id) join bins b using (bin_id) join zones z using (zone_id)
     where (:warehouseIds::int[] is null or b.warehouse_id = any(:warehouseIds))
       and (:item_id::int is null or item_id = :item_id) and (:bin_id::int is null or bin_id = :bin_id)
       and (:text::text is null or sku ilike :text or item_name ilike :text or bin_code ilike :text
            or i.external_id = :id or b.external_id = :id)
     order by sku, priority, preferred_bin_id`,
    { warehouseIds, item_id, bin_id, text: q && containing(q), id: q && asUuid(q) },
  );
}
