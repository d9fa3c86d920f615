import { z } from "zod";
import type { Lot } from "../../src/lots/shapes.js";
import { int } from "../../src/platform/db/columns.js";
import type { Tx } from "../command.js";

/** What partners are told of a lot: an event in each warehouse that has a stock row of it. */

const InWarehouse = z.strictObject({ warehouse_id: int, units: int });

/** The warehouses that know a lot, and its units there. */
export const unitsByWarehouse = (tx: Tx, { item_id, lot_number }: Lot) =>
  tx.rows(
    InWarehouse,
    `select warehouse_id, sum(quantity_on_hand) as units from inventory
     where item_id = $1 and lot_number = $2 group by warehouse_id order by warehouse_id`,
    [item_id, lot_number],
  );

/** What such an event is of. */
export const eventOf = <Type extends `lot.${string}`>(type: Type, lot: Lot, warehouseId: number) => ({
  ...{ type, aggregateId: lot.external_id, entity: "lot", entityId: lot.lot_id, warehouseId },
});

/** What an event says of a lot. */
export const asTold = ({ external_id, lot_number, item_external_id, sku, expiry_date }: Lot, units: number) => ({
  ...{ lot_external_id: external_id, lot_number, item_external_id, sku, expiry_date, quantity_on_hand: units },
});
/** What an event says of a lot that was corrected. */
export const asCorrected = (lot: Lot, units: number) => ({
  ...asTold(lot, units),
  production_date: lot.production_date,
});
