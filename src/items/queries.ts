import { db } from "../db.js";
import { builder, containing, listPage, type Page } from "../list.js";

export interface ItemSummary {
  item_id: number;
  sku: string;
  item_name: string;
  upc: string | null;
  mpn: string | null;
  category: string | null;
  weight_lbs: number | null;
  default_bin_id: number | null;
  default_bin_code: string | null;
  is_active: boolean;
  created_at: string;
}

export interface ItemFilters extends Page {
  category?: string | undefined;
  active?: boolean | undefined;
  q?: string | undefined;
}

/** Items by SKU; `q` looks in SKU, name, UPC, MPN and the barcode aliases. */
export function items(filters: ItemFilters) {
  const { category, active, q } = filters;
  const query = builder("items as i")
    .leftJoin("bins as b", "b.bin_id", "i.default_bin_id")
    .select(
      "i.item_id",
      "sku",
      "item_name",
      "upc",
      "mpn",
      "category",
      builder.raw("nullif(weight_lbs, 0)::float8 as weight_lbs"),
      "default_bin_id",
      "b.bin_code as default_bin_code",
      "i.is_active",
      "created_at",
    )
    .orderBy("sku");
  if (category) query.where({ category });
  if (active !== undefined) query.where("i.is_active", active);
  if (q) {
    query.where((either) => {
      for (const column of ["sku", "item_name", "upc", "mpn"])
        either.orWhereILike(column, containing(q));
      either.orWhereRaw("barcode_aliases::text ilike ?", containing(q));
    });
  }
  return listPage<ItemSummary, "items">("items", query, filters, "i.item_id");
}

export interface ItemDetail {
  item: Omit<ItemSummary, "default_bin_code"> & {
    description: string | null;
    barcode_aliases: string[] | null;
    length_in: number | null;
    width_in: number | null;
    height_in: number | null;
    reorder_point: number;
    reorder_qty: number;
    is_lot_tracked: boolean;
    is_serial_tracked: boolean;
    updated_at: string;
  };
  inventory: {
    bin_id: number;
    bin_code: string;
    zone_name: string;
    quantity_on_hand: number;
    quantity_allocated: number;
  }[];
  preferred_bins: {
    preferred_bin_id: number;
    bin_id: number;
    bin_code: string;
    zone_name: string;
    priority: number;
  }[];
}

/** An item, where it lies (one line per bin, all its lots together) and where it should lie, within `scope`. */
export function item(
  itemId: number,
  scope: number[] | null,
): Promise<ItemDetail | undefined> {
  return db.row<ItemDetail>(
    `select
       json_build_object(
         'item_id', item_id, 'sku', sku, 'item_name', item_name, 'description', description, 'upc', upc, 'mpn', mpn,
         'barcode_aliases', barcode_aliases, 'category', category, 'weight_lbs', nullif(weight_lbs, 0),
         'length_in', nullif(length_in, 0), 'width_in', nullif(width_in, 0), 'height_in', nullif(height_in, 0),
         'default_bin_id', default_bin_id, 'reorder_point', reorder_point, 'reorder_qty', reorder_qty,
         'is_lot_tracked', is_lot_tracked, 'is_serial_tracked', is_serial_tracked, 'is_active', is_active,
         'created_at', created_at, 'updated_at', updated_at) as item,
       (select coalesce(json_agg(stock order by bin_code, bin_id), '[]')
        from (select bin_id, bin_code, zone_name, sum(quantity_on_hand) as quantity_on_hand,
                     sum(quantity_allocated) as quantity_allocated
              from inventory v join bins using (bin_id) join zones using (zone_id)
              where v.item_id = i.item_id and ($2::int[] is null or v.warehouse_id = any($2))
              group by bin_id, bin_code, zone_name) stock) as inventory,
       (select coalesce(json_agg(preferred order by priority), '[]')
        from (select preferred_bin_id, bin_id, bin_code, zone_name, priority
              from preferred_bins p join bins b using (bin_id) join zones using (zone_id)
              where p.item_id = i.item_id and ($2::int[] is null or b.warehouse_id = any($2))) preferred) as preferred_bins
     from items i where item_id = $1`,
    [itemId, scope],
  );
}
