import type { DomainError } from "../src/platform/problem.js";
import type { Tx } from "./command.js";
import { refusingReferenced } from "./edit.js";

/** Warehouses and items that are removed with all that is in them. */
export interface Whole {
  warehouse_ids: number[];
  item_ids: number[];
}

/**
 * Removes warehouses with all that is in them, and items; throws `refusal` where something outside refers to any of it.
 */
export async function removeWhole(tx: Tx, { warehouse_ids, item_ids }: Whole, refusal: DomainError): Promise<void> {
  for (const statement of REMOVED) await refusingReferenced(tx.run(statement, { warehouse_ids, item_ids }), refusal);
}

const HERE = "warehouse_id = any(:warehouse_ids)";

/**
 * What refers to others comes before them. What is not named here goes with what it belongs to, such as lines with
 * their order, or refuses the removal: shipments that a shop was told of, credentials of a connector, transfer orders
 * to other warehouses.
 */
const REMOVED = [
  `delete from pick_batches where ${HERE}`,
  `delete from transfer_orders
   where source_warehouse_id = any(:warehouse_ids) and destination_warehouse_id = any(:warehouse_ids)`,
  `delete from replenishments where ${HERE}`,
  `delete from label_purchases where ${HERE}`,
  `delete from parcels where ${HERE}`,
  `delete from item_receipts where ${HERE}`,
  `delete from item_fulfillments where ${HERE}`,
  `delete from carrier_collections where ${HERE}`,
  `delete from inventory_adjustments where ${HERE}`,
  `delete from cycle_counts where ${HERE}`,
  `delete from bin_transfers where ${HERE}`,
  `delete from recalls where recall_id in (
     select recall_id from recall_lots join lots using (lot_id)
     group by recall_id having bool_and(item_id = any(:item_ids)))`,
  `delete from serials where ${HERE}`,
  `delete from inspections where ${HERE}`,
  `delete from sales_order_lines where so_id in (select so_id from sales_orders where ${HERE})`,
  `delete from sales_orders where ${HERE}`,
  `delete from purchase_order_lines where po_id in (select po_id from purchase_orders where ${HERE})`,
  `delete from purchase_orders where ${HERE}`,
  `delete from inventory where ${HERE}`,
  `delete from preferred_bins where bin_id in (select bin_id from bins where ${HERE})`,
  `delete from app_settings
   where (key = 'default_receiving_bin' and value in (select bin_id::text from bins where ${HERE}))
      or (key = 'BACKORDER_WAREHOUSE_CODE' and value in (select warehouse_code from warehouses where ${HERE}))`,
  `delete from bins where ${HERE}`,
  `delete from zones where ${HERE}`,
  "delete from items where item_id = any(:item_ids)",
  `delete from warehouses where ${HERE}`,
];
