import { z } from "zod";
import { bool, int, text } from "../../platform/db/columns.js";
import { db } from "../../platform/db/db.js";
import { STAGING } from "../../stock/queries.js";
import { PendingItem, StagingBin, SuggestedBin, WhyBin } from "./shapes.js";
import { RULED, suggestions } from "./suggestion.js";

const OF_ROW = suggestions("s.quantity_on_hand", "s.lot_number");
const OF_ITEM = suggestions(":quantity::int", ":lot_number::text");

/** What decides about the rows of a warehouse. */
async function suggestedForRows(warehouseId: number): Promise<string> {
  const found = await db.row({ is_ruled: bool }, `select ${RULED} as is_ruled`, { warehouses: [warehouseId] });
  return found?.is_ruled ? OF_ROW.ruled : OF_ROW.own;
}

const PendingRow = PendingItem.extend({ why: WhyBin.nullable() });

/** The stock in the staging bins of a warehouse, with the suggested bin of each item. */
export async function pendingItems(warehouseId: number): Promise<PendingItem[]> {
  const suggested = await suggestedForRows(warehouseId);
  const rows = await db.rows(
    PendingRow,
    `select s.inventory_id, i.item_id, i.sku, i.item_name, i.upc, s.quantity_on_hand as quantity, b.bin_id, b.bin_code,
            s.lot_number, g.bin_id as suggested_bin_id, g.bin_code as suggested_bin_code,
            g.bin_code as suggested_bin, g.why
     from bins b join inventory s using (bin_id) join items i using (item_id)
     left join lateral (${suggested}) g on true
     where b.warehouse_id = :warehouse_id and ${STAGING} and s.quantity_on_hand > 0
     order by b.bin_code, i.sku, s.lot_number`,
    { warehouse_id: warehouseId, warehouses: [warehouseId] },
  );
  return rows.map(({ why, ...row }) => (why ? { ...row, why } : row));
}

/** Every staging bin of a warehouse, empty ones too, with the stock in it. */
export async function stagingBins(warehouseId: number): Promise<StagingBin[]> {
  const suggested = await suggestedForRows(warehouseId);
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
     left join lateral (${suggested}) g on s.quantity_on_hand > 0
     where b.warehouse_id = :warehouse_id and ${STAGING}
     group by b.bin_id order by b.bin_code`,
    { warehouse_id: warehouseId, warehouses: [warehouseId] },
  );
}

const Suggestion = z.strictObject({
  ...{ item_id: int, sku: text, item_name: text, is_ruled: bool },
  ...{ bin: SuggestedBin.nullable(), why: WhyBin.nullable() },
});
type Suggestion = z.infer<typeof Suggestion>;

interface Units {
  item_id: number;
  quantity: number;
  lot_number: string | null;
}

/** An item, and the suggested bin for so many units of it; `warehouses` null means all. */
export async function suggestBin(
  { item_id, quantity, lot_number }: Units,
  warehouses: number[] | null,
): Promise<Suggestion | undefined> {
  const read = (suggested: string) =>
    db.row(
      Suggestion,
      `select i.item_id, i.sku, i.item_name, ${RULED} as is_ruled, g.why,
         case when g.bin_id is not null then json_build_object(
           'bin_id', g.bin_id, 'bin_code', g.bin_code, 'bin_barcode', g.bin_barcode, 'zone_name', g.zone_name,
           'priority', g.priority) end as bin
       from items i left join lateral (${suggested}) g on true where i.item_id = :item_id`,
      { item_id, warehouses, quantity, lot_number },
    );
  const own = await read(OF_ITEM.own);
  return own?.is_ruled ? read(OF_ITEM.ruled) : own;
}
