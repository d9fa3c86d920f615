import type { Actor } from "../src/actor.js";
import { refuseSilentShortfalls } from "../src/picking/shortfall.js";
import { refuseUnshippable } from "../src/shipping/guard.js";
import { command, type Tx } from "./command.js";
import { lockParcel, type Parcel, packageOf, unitsPicked } from "./parcels.js";

export interface Shipment {
  so_id: number;
  tracking_number: string;
  carrier: string;
  ship_method?: string | null | undefined;
}

export interface Shipped {
  message: string;
  fulfillment_id: number;
  so_number: string;
  tracking_number: string;
  carrier: string;
  ship_method: string | null;
  lines_shipped: number;
  total_quantity: number;
}

/**
 * Hands an order to its carrier (spec 4.5, reference 02 §7): a fulfilment with its lines, what was picked counts as shipped,
 * the order is SHIPPED; a SHIP audit row and a `ship.confirmed` event.
 */
export function fulfill(input: Shipment, by: Actor): Promise<Shipped> {
  return command("shipping.fulfill", by, input, async (tx) => {
    const { tracking_number, carrier } = input;
    const order = await lockParcel(tx, input.so_id, by);
    await refuseUnshippable(tx, order);
    await refuseSilentShortfalls(tx, [order.so_id]);
    const { so_id, so_number, warehouse_id } = order;
    const ship_method = input.ship_method || order.ship_method;
    const fulfillment_id = await insertFulfillment(
      tx,
      order,
      { ...input, ship_method },
      by,
    );
    const lines_shipped = await insertFulfillmentLines(
      tx,
      fulfillment_id,
      order,
    );
    await tx.run(
      `with lines as (
         update sales_order_lines set quantity_shipped = quantity_picked, status = 'SHIPPED'
         where so_id = $1 and quantity_picked > 0
       )
       update sales_orders
       set status = 'SHIPPED', shipped_at = now(), carrier = $2, tracking_number = $3, ship_method = $4 where so_id = $1`,
      [so_id, carrier, tracking_number, ship_method],
    );
    tx.audit({
      action: "SHIP",
      entity: "SO",
      entityId: so_id,
      warehouseId: warehouse_id,
      details: { so_number, tracking_number, carrier, fulfillment_id },
    });
    tx.emit({
      type: "ship.confirmed",
      aggregateId: order.external_id,
      entity: "sales_order",
      entityId: so_id,
      warehouseId: warehouse_id,
      data: {
        sales_order_external_id: order.external_id,
        tracking_numbers: [tracking_number],
        carrier,
        service_level: ship_method,
        packages: [packageOf(order)],
        completed_by_user_external_id: by.externalId,
        completed_at: tx.now,
      },
    });
    return {
      message: `${so_number} is shipped`,
      fulfillment_id,
      so_number,
      tracking_number,
      carrier,
      ship_method,
      lines_shipped,
      total_quantity: unitsPicked(order),
    };
  });
}

async function insertFulfillment(
  tx: Tx,
  order: Parcel,
  shipment: Shipment,
  by: Actor,
): Promise<number> {
  const made = await tx.row<{ fulfillment_id: number }>(
    `insert into item_fulfillments
       (so_id, warehouse_id, tracking_number, carrier, ship_method, shipped_by, pre_ship_status)
     values ($1, $2, $3, $4, $5, $6, $7) returning fulfillment_id`,
    [
      order.so_id,
      order.warehouse_id,
      shipment.tracking_number,
      shipment.carrier,
      shipment.ship_method,
      by.username,
      order.status,
    ],
  );
  return made?.fulfillment_id as number;
}

/**
 * One line for each order line that got units, with bin and lot of its first pick. A line that was never picked by a task
 * names where such goods lie: the item's default bin, a bin with stock of it, else the first bin of the warehouse.
 */
function insertFulfillmentLines(
  tx: Tx,
  fulfillmentId: number,
  order: Parcel,
): Promise<number> {
  return tx.run(
    `insert into item_fulfillment_lines (fulfillment_id, so_line_id, item_id, quantity_shipped, bin_id, lot_number)
     select $1, l.so_line_id, l.item_id, l.quantity_picked, coalesce(pick.bin_id, home.bin_id), pick.lot_number
     from sales_order_lines l join items i using (item_id)
     left join lateral (
       select t.bin_id, s.lot_number
       from wave_pick_breakdown w join pick_tasks t using (pick_task_id) join inventory s using (inventory_id)
       where w.so_line_id = l.so_line_id and t.status in ('PICKED', 'SHORT')
       order by w.quantity_picked > 0 desc, t.pick_task_id limit 1) pick on true
     left join lateral (
       select b.bin_id
       from bins b left join inventory s on s.bin_id = b.bin_id and s.item_id = l.item_id
       where b.warehouse_id = $3 and pick.bin_id is null
       order by b.bin_id = i.default_bin_id desc nulls last, s.inventory_id is null, b.bin_id limit 1) home on true
     where l.so_id = $2 and l.quantity_picked > 0
     order by l.line_number, l.so_line_id`,
    [fulfillmentId, order.so_id, order.warehouse_id],
  );
}
