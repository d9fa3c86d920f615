import { todayAt } from "../../src/platform/db/days.js";
import { endPromises } from "./end-promises.js";

/** Stock rows `v` with units past their last day, by the clock of their warehouse, that nobody was told of. */
const PAST = `v.condition = 'AVAILABLE'
  and v.stock_expiry < current_date + 1 and v.stock_expiry < ${todayAt("v.warehouse_id")}`;

/**
 * Ends the promises of units that have expired, and tells of them (docs/lots.md); gives how many stock rows there were.
 * They are not sold from the end of their last day on, whether this ran or not.
 */
export const expireStock = (only: number | null = null): Promise<number> =>
  endPromises(
    {
      name: "stock.expire",
      which: PAST,
      condition: "EXPIRED",
      reason: ({ expiry_date }) => `expired on ${expiry_date}`,
      tell(tx, { inventory_id, item_id, warehouse_id, item_external_id, quantity_on_hand, ...rest }) {
        const { min_days_at_shipping: _, ...data } = rest;
        tx.audit({
          action: "STOCK_EXPIRED",
          entity: "ITEM",
          entityId: item_id,
          warehouseId: warehouse_id,
          details: { inventory_id, item_id, ...data, quantity: quantity_on_hand },
        });
        tx.emit({
          type: "stock.expired",
          aggregateId: item_external_id,
          entity: "inventory",
          entityId: inventory_id,
          warehouseId: warehouse_id,
          data: { item_external_id, ...data, quantity_on_hand, expired_at: tx.now },
        });
      },
    },
    only,
  );
