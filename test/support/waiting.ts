import { db } from "./db.js";
import { type OrderedLine, salesOrder } from "./fixtures.js";

/** An order that waits for these units, since so many days. */
export async function waitingOrder(warehouseId: number, lines: OrderedLine[], days = 0) {
  const order = await salesOrder(warehouseId, lines);
  await db.run(
    `update sales_orders set status = 'WAITING_STOCK', backorder_opened_at = now() - make_interval(days => $2)
     where so_id = $1`,
    [order.so_id, days],
  );
  return order;
}

export const statusOf = (so_id: number) =>
  db.value<string>("select status from sales_orders where so_id = $1", [so_id]);

/** What was told of orders that wait no longer. */
export const releases = () =>
  db.rows<{ entity_id: number; command_id: string; payload: Record<string, unknown> }>(
    `select entity_id, command_id, event_data(integration_events) as payload from integration_events
     where event_type = 'backorder.fulfillable' order by outbox_id`,
  );

export const releasesOf = async (so_id: number) => (await releases()).filter((event) => event.entity_id === so_id);
