import { db } from "../db.js";
import { builder, containing, listPage, type Page } from "../list.js";

export interface Warehouse {
  warehouse_id: number;
  warehouse_code: string;
  warehouse_name: string;
  address: string | null;
  is_active: boolean;
  created_at: string;
}

export interface Zone {
  zone_id: number;
  warehouse_id: number;
  zone_code: string;
  zone_name: string;
  zone_type: string;
  is_active: boolean;
}

export interface Bin {
  bin_id: number;
  zone_id: number;
  warehouse_id: number;
  bin_code: string;
  bin_barcode: string;
  bin_type: BinType;
  aisle: string | null;
  row_num: string | null;
  level_num: string | null;
  position_num: string | null;
  pick_sequence: number;
  putaway_sequence: number;
  is_active: boolean;
}

export type BinType = "Pickable" | "PickableStaging" | "Staging";

/** Warehouses by id, those of `scope` only. */
export function warehouses(paging: Page, scope: number[] | null) {
  const query = builder("warehouses")
    .select(
      "warehouse_id",
      "warehouse_code",
      "warehouse_name",
      "address",
      "is_active",
      "created_at",
    )
    .orderBy("warehouse_id");
  if (scope) query.whereIn("warehouse_id", scope);
  return listPage<Warehouse, "warehouses">("warehouses", query, paging);
}

/** A warehouse with its zones. */
export function warehouse(
  warehouseId: number,
): Promise<{ warehouse: Warehouse; zones: Zone[] } | undefined> {
  return db.row(
    `select
       json_build_object(
         'warehouse_id', warehouse_id, 'warehouse_code', warehouse_code, 'warehouse_name', warehouse_name,
         'address', address, 'is_active', is_active, 'created_at', created_at) as warehouse,
       (select coalesce(json_agg(json_build_object(
           'zone_id', zone_id, 'warehouse_id', warehouse_id, 'zone_code', zone_code, 'zone_name', zone_name,
           'zone_type', zone_type, 'is_active', is_active) order by zone_id), '[]')
        from zones z where z.warehouse_id = w.warehouse_id) as zones
     from warehouses w where warehouse_id = $1`,
    [warehouseId],
  );
}

/** Zones by id. */
export function zones(
  filters: Page & { warehouse_id?: number | undefined },
  scope: number[] | null,
) {
  const query = builder("zones")
    .select(
      "zone_id",
      "warehouse_id",
      "zone_code",
      "zone_name",
      "zone_type",
      "is_active",
    )
    .orderBy("zone_id");
  if (scope) query.whereIn("warehouse_id", scope);
  if (filters.warehouse_id) {
    query.where({ warehouse_id: filters.warehouse_id });
  }
  return listPage<Zone, "zones">("zones", query, filters);
}

export interface BinFilters extends Page {
  warehouse_id?: number | undefined;
  zone_id?: number | undefined;
  bin_type?: BinType | undefined;
  q?: string | undefined;
}

/** Bins by id; `q` looks in code and barcode. */
export function bins(filters: BinFilters, scope: number[] | null) {
  const { warehouse_id, zone_id, bin_type, q } = filters;
  const query = builder("bins as b")
    .join("zones as z", "z.zone_id", "b.zone_id")
    .select(
      "b.bin_id",
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
    )
    .orderBy("b.bin_id");
  if (scope) query.whereIn("b.warehouse_id", scope);
  if (warehouse_id) query.where("b.warehouse_id", warehouse_id);
  if (zone_id) query.where("b.zone_id", zone_id);
  if (bin_type) query.where("b.bin_type", bin_type);
  if (q) {
    query.where((either) =>
      either
        .whereILike("b.bin_code", containing(q))
        .orWhereILike("b.bin_barcode", containing(q)),
    );
  }
  return listPage<Bin & { zone_name: string }, "bins">("bins", query, filters);
}

export interface BinDetail {
  bin: Bin & { zone_name: string };
  inventory: {
    item_id: number;
    sku: string;
    item_name: string;
    quantity_on_hand: number;
    quantity_allocated: number;
  }[];
}

/** A bin and what lies in it: one line per item, all its lots together. */
export function bin(binId: number): Promise<BinDetail | undefined> {
  return db.row<BinDetail>(
    `select
       json_build_object(
         'bin_id', bin_id, 'zone_id', b.zone_id, 'zone_name', zone_name, 'warehouse_id', b.warehouse_id,
         'bin_code', bin_code, 'bin_barcode', bin_barcode, 'bin_type', bin_type, 'aisle', aisle, 'row_num', row_num,
         'level_num', level_num, 'position_num', position_num, 'pick_sequence', pick_sequence,
         'putaway_sequence', putaway_sequence, 'is_active', b.is_active) as bin,
       (select coalesce(json_agg(stock order by sku), '[]')
        from (select item_id, sku, item_name, sum(quantity_on_hand) as quantity_on_hand,
                     sum(quantity_allocated) as quantity_allocated
              from inventory join items using (item_id) where inventory.bin_id = b.bin_id
              group by item_id, sku, item_name) stock) as inventory
     from bins b join zones using (zone_id) where bin_id = $1`,
    [binId],
  );
}
