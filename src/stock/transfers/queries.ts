import { db } from "../../platform/db/db.js";
import { InterWarehouseTransfer } from "./shapes.js";

/** The newest transfers from or to one of these warehouses (null: all). */
export function interWarehouseTransfers(
  limit: number,
  warehouseIds: number[] | null,
): Promise<InterWarehouseTransfer[]> {
  return db.rows(
    InterWarehouseTransfer,
    `select transfer_id, bin_transfers.external_id, item_id, sku, item_name,
            from_bin_id, f.bin_code as from_bin_code, f.warehouse_id as from_warehouse_id,
            fw.warehouse_name as from_warehouse_name, fw.warehouse_code as from_warehouse_code,
            to_bin_id, t.bin_code as to_bin_code, t.warehouse_id as to_warehouse_id,
            tw.warehouse_name as to_warehouse_name, tw.warehouse_code as to_warehouse_code,
            quantity, lot_number, transferred_by, transferred_at, 'completed' as status
     from bin_transfers
     join items using (item_id)
     join bins f on f.bin_id = from_bin_id join warehouses fw on fw.warehouse_id = f.warehouse_id
     join bins t on t.bin_id = to_bin_id join warehouses tw on tw.warehouse_id = t.warehouse_id
     where transfer_type = 'INTER_WAREHOUSE'
       and ($2::int[] is null or f.warehouse_id = any($2) or t.warehouse_id = any($2))
     order by transferred_at desc, transfer_id desc limit $1`,
    [limit, warehouseIds],
  );
}
