import { todayAt } from "../../src/platform/db/days.js";
import { LAST_DAY_OF_SALE } from "../../src/stock/sellable.js";
import { endPromises } from "./end-promises.js";

/**
 * Stock rows `v` of an item `i` whose units have not expired, but have fewer days left than the item must have at
 * shipping, where nobody was told so: with the last day of their sale as it is now, which another expiry or another
 * policy changes.
 */
const TODAY = todayAt("v.warehouse_id");
const TOO_OLD = `i.min_days_at_shipping is not null and v.quantity_on_hand > 0 and v.condition = 'AVAILABLE'
  and v.expiry_date >= ${TODAY} and ${LAST_DAY_OF_SALE} < ${TODAY}
  and v.sale_ended is distinct from ${LAST_DAY_OF_SALE}`;

/**
 * Ends the promises of units that became too old to be shipped, and tells of them (docs/lots.md); gives how many stock
 * rows there were. They are not sold any more from that day on, whether this ran or not.
 */
export const endSales = (only: number | null = null): Promise<number> =>
  endPromises(
    {
      name: "stock.endSale",
      which: TOO_OLD,
      condition: "AVAILABLE",
      reason: (row) => `expires on ${row.expiry_date}, less than ${row.min_days_at_shipping} days from now`,
      async tell(tx, { inventory_id, item_id, warehouse_id, item_external_id, quantity_on_hand, ...rest }) {
        const data = { ...rest, min_days_at_shipping: rest.min_days_at_shipping as number };
        await tx.run(
          `update inventory v set sale_ended = ${LAST_DAY_OF_SALE} from items i
           where i.item_id = v.item_id and v.inventory_id = $1`,
          [inventory_id],
        );
        // Channels are told although no row says so: a day has passed.
        await tx.run("insert into availability_changes (item_id) values ($1)", [item_id]);
        tx.audit({
          action: "STOCK_TOO_OLD",
          entity: "ITEM",
          entityId: item_id,
          warehouseId: warehouse_id,
          details: { inventory_id, item_id, ...data, quantity: quantity_on_hand },
        });
        tx.emit({
          type: "stock.too_old",
          aggregateId: item_external_id,
          entity: "inventory",
          entityId: inventory_id,
          warehouseId: warehouse_id,
          data: { item_external_id, ...data, quantity_on_hand, found_at: tx.now },
        });
      },
    },
    only,
  );
