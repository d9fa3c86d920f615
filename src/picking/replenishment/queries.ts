import { z } from "zod";
import { int } from "../../platform/db/columns.js";
import { db, type Sql } from "../../platform/db/db.js";
import { builder, codeOf } from "../../platform/db/list.js";
import { listPage } from "../../platform/db/listing.js";
import type { OfWarehouse } from "../../platform/temporal/priorities.js";
import { Replenishment, type ReplenishmentFilters, replenishmentList } from "./shapes.js";

const COLUMNS = `r.replenishment_id, r.external_id, r.warehouse_id, ${codeOf("r.warehouse_id")}, r.item_id, i.sku,
  i.item_name, i.upc, r.lot_number, r.from_bin_id, f.bin_code as from_bin_code, f.bin_barcode as from_bin_barcode,
  r.to_bin_id, t.bin_code as to_bin_code, t.bin_barcode as to_bin_barcode, r.quantity, r.quantity_done, r.is_urgent,
  r.status, r.assigned_to, r.created_at, r.updated_at`;

/** SQL: tasks `r` with their columns. */
const TASKS = `select ${COLUMNS} from replenishments r join items i using (item_id)
  join bins f on f.bin_id = r.from_bin_id join bins t on t.bin_id = r.to_bin_id`;

export const UNFINISHED = "status in ('OPEN', 'TAKEN')";

export const replenishment = (sql: Sql, id: number): Promise<Replenishment | undefined> =>
  sql.row(Replenishment, `${TASKS} where replenishment_id = $1`, [id]);

const OfWarehouseRow = z.strictObject({ id: int, warehouse_id: int });

/** The warehouses that have pick faces, unfinished tasks or waves that wait for them. */
export const replenishedWarehouses = (): Promise<OfWarehouse[]> =>
  db.rows(
    OfWarehouseRow,
    `select warehouse_id as id, warehouse_id
     from (select b.warehouse_id from preferred_bins p join bins b using (bin_id) where p.min_units is not null
           union select warehouse_id from replenishments where ${UNFINISHED}
           union select warehouse_id from waves_waiting) replenished
     order by 1`,
  );

/** What a user may carry in a warehouse: the user's own tasks first, then those that nobody has, urgent ones first. */
export const tasksFor = (warehouseId: number, userId: number, limit: number): Promise<Replenishment[]> =>
  db.rows(
    Replenishment,
    `${TASKS} where r.warehouse_id = $1 and r.${UNFINISHED} and (r.assigned_to is null or r.assigned_user_id = $2)
     order by r.assigned_to is null, r.is_urgent desc, r.replenishment_id limit $3`,
    [warehouseId, userId, limit],
  );

/** A page of the tasks, newest first. */
export function replenishments(filters: ReplenishmentFilters, warehouseIds: number[] | null) {
  const { warehouse_id, item_id, status } = filters;
  const query = builder("replenishments as r")
    .join("items as i", "i.item_id", "r.item_id")
    .join("bins as f", "f.bin_id", "r.from_bin_id")
    .join("bins as t", "t.bin_id", "r.to_bin_id")
    .select(builder.raw(COLUMNS))
    .orderBy("r.replenishment_id", "desc");
  if (warehouseIds) query.whereIn("r.warehouse_id", warehouseIds);
  if (warehouse_id) query.where("r.warehouse_id", warehouse_id);
  if (item_id) query.where("r.item_id", item_id);
  if (status) query.where("r.status", status);
  return listPage(Replenishment, "replenishments", query, filters, replenishmentList);
}
