import { z } from "zod";
import { int, text } from "../../src/platform/db/columns.js";
import { groupBy } from "../../src/platform/values.js";
import type { Tx } from "../command.js";

const LotInWarehouse = z.strictObject({
  warehouse_id: int,
  lot_external_id: text,
  lot_number: text,
  item_external_id: text,
  sku: text,
  quantity_on_hand: int,
});

const SerialInWarehouse = z.strictObject({
  warehouse_id: int,
  serial_external_id: text,
  serial_number: text,
  item_external_id: text,
  sku: text,
});

/**
 * What events of a recall say in each warehouse that has, or had, units of one of its lots: which, and how many are
 * there; and in each where one of its serials was seen last.
 */
export async function recalledByWarehouse(tx: Tx, recall: { recall_id: number; external_id: string; reason: string }) {
  const { recall_id, external_id, reason } = recall;
  const lots = await tx.rows(
    LotInWarehouse,
    `select warehouse_id, l.external_id as lot_external_id, l.lot_number, i.external_id as item_external_id, sku,
       sum(quantity_on_hand) as quantity_on_hand
     from recall_lots join lots l using (lot_id) join items i using (item_id)
     join inventory v on v.item_id = l.item_id and v.lot_number = l.lot_number
     where recall_id = $1
     group by warehouse_id, l.lot_id, l.external_id, l.lot_number, i.external_id, sku order by warehouse_id, l.lot_id`,
    [recall_id],
  );
  const serials = await tx.rows(
    SerialInWarehouse,
    `select warehouse_id, s.external_id as serial_external_id, serial_number, i.external_id as item_external_id, sku
     from recall_serials join serials s using (serial_id) join items i using (item_id)
     where recall_id = $1 order by warehouse_id, serial_id`,
    [recall_id],
  );
  const lotsOf = groupBy(lots, ({ warehouse_id }) => warehouse_id);
  const serialsOf = groupBy(serials, ({ warehouse_id }) => warehouse_id);
  const warehouses = [...new Set([...lotsOf.keys(), ...serialsOf.keys()])].sort((a, b) => a - b);
  return warehouses.map((warehouseId) => ({
    event: { aggregateId: external_id, entity: "recall", entityId: recall_id, warehouseId },
    data: {
      ...{ recall_external_id: external_id, recall_id, reason },
      lots: (lotsOf.get(warehouseId) ?? []).map(({ warehouse_id: _, ...lot }) => lot),
      ...(serialsOf.has(warehouseId) && {
        serials: serialsOf.get(warehouseId)?.map(({ warehouse_id: _, ...serial }) => serial),
      }),
    },
  }));
}
