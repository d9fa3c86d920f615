import type { Caller } from "./caller.js";
import { db } from "./db.js";
import { pickFloor } from "./pick-floor.js";
import { unique } from "./unique.js";
import { pickedOrder } from "./walk.js";

/** A picking floor, and what an admin does at the desk to its orders. */
export function orderActions() {
  const floor = pickFloor();
  const { at } = floor;

  const act = (so_id: number, action: string, body: object = {}, by: Caller = at().service.admin) =>
    by.post(`/api/admin/sales-orders/${so_id}/${action}`, body);

  /** An order as the desk creates it: with reservations. */
  async function ordered(...lines: { item_id: number; quantity: number }[]) {
    const so_number = `D-${unique()}`;
    const made = await at().service.admin.ok("POST", "/api/admin/sales-orders", {
      so_number,
      warehouse_id: at().warehouse_id,
      lines: lines.map(({ item_id, quantity }) => ({ item_id, quantity_ordered: quantity })),
    });
    return {
      so_id: made.sales_order.so_id as number,
      so_number,
      line_ids: made.lines.map((line: { so_line_id: number }) => line.so_line_id) as number[],
    };
  }

  /** An order of one line that was walked for, and the task that got it. */
  async function picked(quantity = 5, more: { found?: number; lot?: string } = {}) {
    const { service, warehouse_id } = at();
    const item = await floor.shelved(0);
    const order = await pickedOrder(service.admin, warehouse_id, [{ item, quantity, ...more }]);
    const [bin_id] = order.bins as [number];
    const tasks = await tasksOf(order.so_id);
    return { ...order, ...item, bin_id, task_id: tasks[0]?.pick_task_id ?? 0 };
  }

  /** The same, packed. */
  async function packed(quantity = 5) {
    const order = await picked(quantity);
    const { so_id, sku } = order;
    const { admin } = at().service;
    const scan = { so_id, scanned_barcode: sku, quantity };
    await admin.ok("POST", "/api/packing/verify", scan);
    await admin.ok("POST", "/api/packing/complete", { so_id });
    return order;
  }

  /** The same, shipped. */
  async function shipped(quantity = 5) {
    const order = await packed(quantity);
    await at().service.admin.ok("POST", "/api/shipping/fulfill", {
      ...{ so_id: order.so_id, carrier: "UPS", tracking_number: "1Z999" },
    });
    return order;
  }

  const tasksOf = (so_id: number) =>
    db.rows<{ pick_task_id: number; status: string; quantity: number }>(
      `select pick_task_id, status, sum(w.quantity)::int as quantity from wave_pick_breakdown w join pick_tasks
        using (pick_task_id)
       where w.so_id = $1 group by pick_task_id, status order by pick_task_id`,
      [so_id],
    );

  /** Units of an item by bin, where there are any. */
  const lying = (item_id: number) =>
    db.rows<{ bin_id: number; on_hand: number; allocated: number }>(
      `select bin_id, quantity_on_hand as on_hand, quantity_allocated as allocated
       from inventory where item_id = $1 and quantity_on_hand > 0 order by bin_id`,
      [item_id],
    );

  const header = async (so_id: number) =>
    (await at().service.admin.ok("GET", `/api/admin/sales-orders/${so_id}`)).sales_order;

  const eventsOf = (so_id: number) =>
    db.column<string>(
      `select event_type from integration_events where entity_type = 'sales_order' and entity_id = $1
          order by outbox_id`,
      [so_id],
    );

  return { ...floor, act, ordered, picked, packed, shipped, tasksOf, lying, header, eventsOf };
}
