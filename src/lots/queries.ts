import { dayAt, sharedZone } from "../platform/db/days.js";
import { db, type Sql } from "../platform/db/db.js";
import { builder, containing } from "../platform/db/list.js";
import { listPage } from "../platform/db/listing.js";
import { EFFECTIVE_CONDITION } from "../stock/queries.js";
import { Lot, type LotDetail, type LotFilters, LotPlace, LotReceipt, lotList } from "./shapes.js";

/** The stock rows `v` of a lot `l` in the caller's warehouses, an array or null for all. */
const placesOf = (warehouses: string) => `
  inventory v where v.item_id = l.item_id and v.lot_number = l.lot_number
    and (${warehouses}::int[] is null or v.warehouse_id = any(${warehouses}))`;

const columns = (warehouses: string) => `
  l.lot_id, l.external_id, l.item_id, i.external_id as item_external_id, i.sku, i.item_name, l.lot_number,
  l.production_date, l.expiry_date, l.supplier_lot, l.condition, l.condition_reason,
  case when l.condition = 'AVAILABLE' and l.expiry_date < ${dayAt("now()", sharedZone(warehouses))} then 'EXPIRED'
    else l.condition end as effective_condition, l.notes, l.attributes,
  (select coalesce(sum(quantity_on_hand), 0) from ${placesOf(warehouses)}) as quantity_on_hand, l.created_at,
  l.updated_at`;

/** SQL: whether the caller's warehouses have, or had, units of a lot `l`. */
export const isKnownIn = (warehouses: string) =>
  `(${warehouses}::int[] is null or exists (select from ${placesOf(warehouses)}))`;

/**
 * Lots of the caller's warehouses, the newest first; `q` looks in lot number, SKU and name. Lots of items of sandboxes
 * are in no list.
 */
export function lots(filters: LotFilters, warehouses: number[] | null, areThereSandboxes: boolean) {
  const { item_id, condition, expires_within, in_stock, q } = filters;
  const own = { warehouses } as never;
  const query = builder("lots as l")
    .join("items as i", "i.item_id", "l.item_id")
    .select(builder.raw(columns(":warehouses"), own))
    .orderBy([
      { column: "l.created_at", order: "desc" },
      { column: "l.lot_id", order: "desc" },
    ]);
  if (warehouses) query.whereRaw(isKnownIn(":warehouses"), own);
  if (areThereSandboxes) query.whereRaw("not i.is_sandbox");
  if (item_id) query.where("l.item_id", item_id);
  if (condition) query.where("l.condition", condition);
  if (expires_within !== undefined) query.whereRaw("l.expiry_date <= current_date + ?::int", [expires_within]);
  if (in_stock || expires_within !== undefined)
    query.whereRaw(`exists (select from ${placesOf(":warehouses")} and v.quantity_on_hand > 0)`, own);
  if (q)
    query.where((either) => {
      for (const column of ["l.lot_number", "i.sku", "i.item_name"]) either.orWhereILike(column, containing(q));
    });
  return listPage(Lot, "lots", query, filters, lotList);
}

/** A lot as a user of these warehouses sees it, if any of it is, or was, in one of them. */
export const lotOf = (sql: Sql, lotId: number, warehouses: number[] | null): Promise<Lot | undefined> =>
  sql.row(
    Lot,
    `select ${columns("$2")} from lots l join items i using (item_id) where l.lot_id = $1 and ${isKnownIn("$2")}`,
    [lotId, warehouses],
  );

/** The same, with where it lies and where it came from. */
export async function lot(lotId: number, warehouses: number[] | null): Promise<LotDetail | undefined> {
  const [found, places, receipts] = await Promise.all([
    lotOf(db, lotId, warehouses),
    db.rows(
      LotPlace,
      `select inventory_id, warehouse_id, warehouse_code, bin_id, bin_code, quantity_on_hand, quantity_allocated,
              v.expiry_date, v.condition, ${EFFECTIVE_CONDITION}
       from lots l, lateral (select v.* from ${placesOf("$2")} and v.quantity_on_hand > 0) v
       join bins using (bin_id, warehouse_id) join zones z using (zone_id, warehouse_id)
       join warehouses using (warehouse_id)
       where lot_id = $1 order by warehouse_code, bin_code, inventory_id`,
      [lotId, warehouses],
    ),
    db.rows(
      LotReceipt,
      `select receipt_id, r.warehouse_id, po_number, so_number, vendor_name, quantity_received, received_by,
              r.received_at
       from lots l join item_receipts r using (item_id, lot_number)
       left join purchase_orders using (po_id) left join sales_orders using (so_id)
       where lot_id = $1 and ($2::int[] is null or r.warehouse_id = any($2))
       order by r.received_at desc, receipt_id desc limit 200`,
      [lotId, warehouses],
    ),
  ]);
  return found && { ...found, places, receipts };
}
