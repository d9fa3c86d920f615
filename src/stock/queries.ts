import { readScan } from "../platform/barcodes/scan.js";
import { todayAt } from "../platform/db/days.js";
import { builder, codeOf } from "../platform/db/list.js";
import { listPage } from "../platform/db/listing.js";
import { find } from "./search.js";
import { inventoryList, type StockFilters, StockLevel } from "./shapes.js";

/** Bins whose stock is to be put away. */
export const STAGING = "b.bin_type in ('Staging', 'PickableStaging')";
/** A row of stock `v` in a bin `b` is to be put away. */
export const TO_PUT_AWAY = `${STAGING} and v.quantity_on_hand > 0`;

/** The units of the row's item that orders still have to ship, in all warehouses. */
const COMMITTED = `(
  select coalesce(sum(greatest(quantity_ordered - quantity_shipped, 0)), 0)
  from sales_order_lines l join sales_orders so using (so_id)
  where l.item_id = v.item_id and so.status in ('OPEN', 'PICKED', 'PACKED', 'WAITING_STOCK', 'FRAUD_REVIEW')
    and so.order_type not in ('return', 'refund')) as committed_to_orders`;

/** The units of a stock row `v` that are on hold. */
const HELD = `(
  select coalesce(sum(quantity_held), 0) from stock_holds h
  where h.inventory_id = v.inventory_id and quantity_held > 0)`;

/** Why units of the row `v` in zone `z` are not sold: their lot or day, where they lie, or as all are on hold. */
export const EFFECTIVE_CONDITION = `
  case when v.condition <> 'AVAILABLE' then v.condition
    when v.expiry_date < ${todayAt("v.warehouse_id")} then 'EXPIRED'
    when z.zone_type = 'DAMAGE' then 'DAMAGED' when z.zone_type = 'QUALITY' then 'QUARANTINE'
    when quantity_on_hand > 0 and quantity_on_hand = ${HELD} then (
      select h.condition from stock_holds h where h.inventory_id = v.inventory_id and quantity_held > 0
      order by held_at desc, hold_id desc limit 1)
    else 'AVAILABLE' end as effective_condition`;

/** The record of the row's lot. */
const LOT_ID = `(
  select lot_id from lots where lots.item_id = v.item_id and lots.lot_number = v.lot_number) as lot_id`;

/** Rows of which there are few are collected first, by their own index. */
const among = (condition: string) =>
  `v.inventory_id = any(array(select inventory_id from inventory where ${condition}))`;

const SEARCHED = {
  items: ["sku", "item_name", "upc"],
  bins: ["bin_code"],
  orItem: "i.upc = any(:forms) or i.barcode_aliases \\?| :forms",
};

/**
 * Stock rows by SKU and bin, including those at zero; `q` looks in SKU, name, UPC and bin code, or is the GTIN of the
 * item, or the external id of item or bin.
 */
export async function inventory(filters: StockFilters, warehouseIds: number[] | null) {
  const { warehouse_id, item_id, bin_id, search, q = search } = filters;
  // Each row has an item and a bin: it is counted without them.
  const counted = builder("inventory as v");
  if (warehouseIds) counted.whereIn("v.warehouse_id", warehouseIds);
  if (warehouse_id) counted.where("v.warehouse_id", warehouse_id);
  if (item_id) counted.where("v.item_id", item_id);
  if (bin_id) counted.where("v.bin_id", bin_id);
  const { condition, expires_within } = filters;
  if (condition === "AVAILABLE") counted.where("v.condition", condition);
  else if (condition) counted.whereRaw(among("condition = ? and condition <> 'AVAILABLE'"), [condition]);
  if (expires_within !== undefined) counted.whereRaw(among("stock_expiry <= current_date + ?::int"), [expires_within]);
  if (filters.to_put_away) counted.whereRaw(`exists (select from bins b where b.bin_id = v.bin_id and ${TO_PUT_AWAY})`);
  const query = counted
    .clone()
    .join("items as i", "i.item_id", "v.item_id")
    .join("bins as b", "b.bin_id", "v.bin_id")
    .join("zones as z", "z.zone_id", "b.zone_id")
    .select(
      "inventory_id",
      "v.item_id",
      "i.external_id as item_external_id",
      "sku",
      "item_name",
      "v.bin_id",
      "b.external_id as bin_external_id",
      "bin_code",
      "zone_name",
      "quantity_on_hand",
      "quantity_allocated",
      builder.raw("quantity_on_hand - quantity_allocated as quantity_available"),
      "quantity_doubted",
      builder.raw(`${HELD} as quantity_held`),
      builder.raw(COMMITTED),
      builder.raw(LOT_ID),
      "lot_number",
      "expiry_date",
      "condition",
      builder.raw(EFFECTIVE_CONDITION),
      "last_counted_at",
      "v.warehouse_id",
      builder.raw(codeOf("v.warehouse_id")),
    )
    .orderBy(["sku", "bin_code", "inventory_id"]);
  if (q) {
    const found = await find("v", { q, ...SEARCHED, words: { forms: readScan(q).forms } });
    counted.where(found.counted);
    query.where(found.listed);
  }
  return listPage(StockLevel, "inventory", query, filters, inventoryList, undefined, counted);
}

/** SQL: whether goods may arrive in a bin `b`; defined only here. Bin, zone and warehouse must be active. */
export const IS_OPEN = `(
  b.is_active and (select is_active from zones where zones.zone_id = b.zone_id)
  and (select is_active from warehouses where warehouses.warehouse_id = b.warehouse_id))`;

/** SQL: whether a bin `b` lies in a zone for goods that are still to be inspected. */
export const IN_QUALITY_ZONE = "(select zone_type = 'QUALITY' from zones where zones.zone_id = b.zone_id)";

/** SQL: the bins that goods may arrive in, to be used like a table. */
export const OPEN_BINS = `(
  select b.bin_id, b.bin_code, b.bin_type, b.warehouse_id, w.warehouse_code
  from bins b join warehouses w using (warehouse_id) where ${IS_OPEN})`;
