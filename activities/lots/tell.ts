import type { Lot } from "../../src/lots/shapes.js";
import { int } from "../../src/platform/db/columns.js";
import type { DomainEvent } from "../../src/platform/events/outbox.js";
import type { Tx } from "../command.js";

const InWarehouse = { warehouse_id: int, units: int };

/**
 * Emits what partners are told of a lot: an event in each warehouse that has a stock row of it. `eventOf` gets what it
 * is of, and what it says of the lot and its units there.
 */
export async function tellWarehouses(
  tx: Tx,
  lot: Lot,
  eventOf: (of: OfLot, told: ReturnType<typeof toldOf>) => DomainEvent,
): Promise<void> {
  const rows = await tx.rows(
    InWarehouse,
    `select warehouse_id, sum(quantity_on_hand) as units from inventory
     where item_id = $1 and lot_number = $2 group by warehouse_id order by warehouse_id`,
    [lot.item_id, lot.lot_number],
  );
  const of = { aggregateId: lot.external_id, entity: "lot", entityId: lot.lot_id };
  for (const { warehouse_id, units } of rows)
    tx.emit(eventOf({ ...of, warehouseId: warehouse_id }, toldOf(lot, units)));
}

type OfLot = Omit<DomainEvent, "type" | "data">;

const toldOf = ({ external_id, lot_number, item_external_id, sku, expiry_date }: Lot, units: number) => ({
  ...{ lot_external_id: external_id, lot_number, item_external_id, sku, expiry_date, quantity_on_hand: units },
});
