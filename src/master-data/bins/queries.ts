import { db } from "../../platform/db/db.js";
import { builder, codeOf } from "../../platform/db/list.js";
import { listPage } from "../../platform/db/listing.js";
import { textIn } from "../../platform/db/short-search.js";
import { BIN_TEXTS } from "../../stock/search.js";
import { type BinFilters, BinWithStock, BinWithZone, binList } from "./shapes.js";

/** Bins by id; `q` looks in code and barcode, or is an external id. */
export async function bins(filters: BinFilters, warehouseIds: number[] | null) {
  const { warehouse_id, zone_id, bin_type, q } = filters;
  const query = builder("bins as b")
    .join("zones as z", "z.zone_id", "b.zone_id")
    .select(
      "b.bin_id",
      "b.external_id",
      "b.zone_id",
      "z.zone_name",
      "b.warehouse_id",
      "b.bin_code",
      "b.bin_barcode",
      "b.bin_type",
      "b.aisle",
      "b.row_num",
      "b.level_num",
      "b.position_num",
      "b.pick_sequence",
      "b.putaway_sequence",
      "b.is_active",
      "b.max_units",
      builder.raw("b.max_weight_lbs::float8 as max_weight_lbs, b.max_volume_cuft::float8 as max_volume_cuft"),
      "b.is_reserve",
      "b.updated_at",
      builder.raw(codeOf("b.warehouse_id")),
    )
    .orderBy("b.bin_id");
  if (warehouseIds) query.whereIn("b.warehouse_id", warehouseIds);
  if (warehouse_id) query.where("b.warehouse_id", warehouse_id);
  if (zone_id) query.where("b.zone_id", zone_id);
  if (bin_type) query.where("b.bin_type", bin_type);
  if (q) query.where(await textIn(q, "b.bin_id", BIN_TEXTS, "b.external_id"));
  return listPage(BinWithZone, "bins", query, filters, binList);
}

/** A bin and the stock in it: one line for each item, with all its lots. */
export function bin(binId: number): Promise<BinWithStock | undefined> {
  return db.row(
    BinWithStock,
    `select
       json_build_object(
         'bin_id', bin_id, 'external_id', external_id, 'zone_id', b.zone_id, 'zone_name', zone_name,
         'warehouse_id', b.warehouse_id,
         'bin_code', bin_code, 'bin_barcode', bin_barcode, 'bin_type', bin_type, 'aisle', aisle, 'row_num', row_num,
         'level_num', level_num, 'position_num', position_num, 'pick_sequence', pick_sequence,
         'putaway_sequence', putaway_sequence, 'is_active', b.is_active,
         'max_units', max_units, 'max_weight_lbs', max_weight_lbs, 'max_volume_cuft', max_volume_cuft,
         'is_reserve', b.is_reserve,
         'updated_at', b.updated_at,
         'warehouse_code', warehouse_code) as bin,
       (select coalesce(json_agg(stock order by sku), '[]')
        from (select item_id, sku, item_name, sum(quantity_on_hand) as quantity_on_hand,
                     sum(quantity_allocated) as quantity_allocated
              from inventory join items using (item_id) where inventory.bin_id = b.bin_id
              group by item_id, sku, item_name) stock) as inventory
     from bins b join zones using (zone_id) join warehouses w on w.warehouse_id = b.warehouse_id where bin_id = $1`,
    [binId],
  );
}
