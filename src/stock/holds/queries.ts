import type { Sql } from "../../platform/db/db.js";
import { builder, codeOf, containing } from "../../platform/db/list.js";
import { listPage } from "../../platform/db/listing.js";
import { type HoldFilters, holdList, StockHold } from "./shapes.js";

const COLUMNS = `
  hold_id, h.external_id, h.inventory_id, v.item_id, i.external_id as item_external_id, sku, item_name, v.warehouse_id,
  ${codeOf("v.warehouse_id")}, v.bin_id, b.external_id as bin_external_id, bin_code, lot_number, expiry_date,
  h.condition, reason, quantity, quantity_held, held_by, held_at, ended_at, inspection_id`;

const JOINS = `
  stock_holds h join inventory v on v.inventory_id = h.inventory_id join items i on i.item_id = v.item_id
  join bins b on b.bin_id = v.bin_id`;

/** Holds, the newest first; `q` looks in SKU, name, bin and lot number. */
export function holds(filters: HoldFilters, warehouseIds: number[] | null) {
  const { warehouse_id, item_id, inventory_id, condition, open, q } = filters;
  const query = builder("stock_holds as h")
    .join("inventory as v", "v.inventory_id", "h.inventory_id")
    .join("items as i", "i.item_id", "v.item_id")
    .join("bins as b", "b.bin_id", "v.bin_id")
    .select(builder.raw(COLUMNS))
    .orderBy([
      { column: "held_at", order: "desc" },
      { column: "hold_id", order: "desc" },
    ]);
  if (warehouseIds) query.whereIn("v.warehouse_id", warehouseIds);
  if (warehouse_id) query.where("v.warehouse_id", warehouse_id);
  if (item_id) query.where("v.item_id", item_id);
  if (inventory_id) query.where("h.inventory_id", inventory_id);
  if (condition) query.where("h.condition", condition);
  if (open) query.whereRaw("quantity_held > 0");
  if (q)
    query.where((either) => {
      for (const column of ["sku", "item_name", "bin_code", "lot_number"]) either.orWhereILike(column, containing(q));
    });
  return listPage(StockHold, "holds", query, filters, holdList);
}

/** A hold, in any warehouse. */
export const holdOf = (sql: Sql, holdId: number): Promise<StockHold | undefined> =>
  sql.row(StockHold, `select ${COLUMNS} from ${JOINS} where hold_id = $1`, [holdId]);

/** The holds that an inspection decides about, or has. */
export const holdsOfInspection = (sql: Sql, inspectionId: number, warehouseIds: number[] | null) =>
  sql.rows(
    StockHold,
    `select ${COLUMNS} from ${JOINS}
     where inspection_id = $1 and ($2::int[] is null or v.warehouse_id = any($2)) order by hold_id`,
    [inspectionId, warehouseIds],
  );
