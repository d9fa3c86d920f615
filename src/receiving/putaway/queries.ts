import { z } from "zod";
import { bool, int, text } from "../../platform/db/columns.js";
import { db } from "../../platform/db/db.js";
import { STAGING } from "../../stock/queries.js";
import { PendingItem, StagingBin, SuggestedBin, WhyBin } from "./shapes.js";
import { RULED, suggestions } from "./suggestion.js";

const OF_ROW = suggestions("s.quantity_on_hand", "s.lot_number");
const OF_ITEM = suggestions(":quantity::int", ":lot_number::text");

/** What decides in a warehouse. */
async function suggestedIn(warehouseId: number, by: typeof OF_ROW): Promise<string> {
  const found = await db.row({ is_ruled: bool }, `select ${RULED} as is_ruled`, { warehouses: [warehouseId] });
  return found?.is_ruled ? by.ruled : by.own;
}

const OF_EXPECTED = suggestions("l.units", "null::text");
const ExpectedItem = z.strictObject({
  ...{ item_id: int, barcode_aliases: z.array(text).nullable(), bin_id: int.nullable(), bin_code: text.nullable() },
  bin_barcode: text.nullable(),
});

/** The items of a purchase order, each with the bin into which what is still to come of it is best put. */
export async function expectedItems(poId: number, warehouseId: number) {
  const suggested = await suggestedIn(warehouseId, OF_EXPECTED);
  return db.rows(
    ExpectedItem,
    `select i.item_id, i.barcode_aliases, g.bin_id, g.bin_code, g.bin_barcode
     from (select item_id, greatest(sum(quantity_ordered - quantity_received), 1) as units
           from purchase_order_lines where po_id = :po_id group by item_id) l
     join items i using (item_id) left join lateral (${suggested}) g on true`,
    { po_id: poId, warehouses: [warehouseId] },
  );
}

const PendingRow = PendingItem.extend({ why: WhyBin.nullable() });

/** The stock in the staging bins of a warehouse, of all items or of these, with the suggested bin of each. */
export async function pendingItems(warehouseId: number, items: number[] | null = null): Promise<PendingItem[]> {
  const suggested = await suggestedIn(warehouseId, OF_ROW);
  const rows = await db.rows(
    PendingRow,
    `select s.inventory_id, i.item_id, i.sku, i.item_name, i.upc, s.quantity_on_hand as quantity, b.bin_id, b.bin_code,
            s.lot_number, g.bin_id as suggested_bin_id, g.bin_code as suggested_bin_code,
            g.bin_code as suggested_bin, g.why
     from bins b join inventory s using (bin_id) join items i using (item_id)
     left join lateral (${suggested}) g on true
     where b.warehouse_id = :warehouse_id and ${STAGING} and s.quantity_on_hand > 0
       and (:items::int[] is null or s.item_id = any(:items::int[]))
     order by b.bin_code, i.sku, s.lot_number`,
    { warehouse_id: warehouseId, warehouses: [warehouseId], items },
  );
  return rows.map(({ why, ...row }) => (why ? { ...row, why } : row));
}

/** Every staging bin of a warehouse, empty ones too, with the stock in it. */
export async function stagingBins(warehouseId: number): Promise<StagingBin[]> {
  const suggested = await suggestedIn(warehouseId, OF_ROW);
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
