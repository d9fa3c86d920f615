import type { Actor } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { ofSalesOrder } from "../../src/platform/events/outbox.js";
import { LineProperties } from "../../src/sales-orders/properties.js";
import type { Tx } from "../command.js";

interface PickedOrder {
  so_id: number;
  so_number: string;
  external_id: string;
  warehouse_id: number;
}

/** Emits a `pick.confirmed` event for each of these orders, with its unreleased picks by line and lot. */
export async function emitPickConfirmed(tx: Tx, orders: PickedOrder[], by: Actor): Promise<void> {
  const picked = await pickedLines(
    tx,
    orders.map((order) => order.so_id),
  );
  for (const { so_id, so_number, external_id, warehouse_id } of orders) {
    tx.emit({
      type: "pick.confirmed",
      ...ofSalesOrder({ so_id, external_id, warehouse_id }),
      data: {
        sales_order_external_id: external_id,
        so_number,
        lines: picked
          .filter((line) => line.so_id === so_id)
          .map(({ item_external_id, sku, quantity_picked, lot_number, properties }) => ({
            item_external_id,
            sku,
            quantity_picked,
            lot_number,
            serial_number: null,
            ...(properties.length > 0 && { properties }),
          })),
        completed_by_user_external_id: by.externalId,
        completed_at: tx.now,
      },
    });
  }
}

const PickedLinesRow = {
  so_id: int,
  item_external_id: text,
  sku: text,
  quantity_picked: int,
  lot_number: text.nullable(),
  properties: LineProperties,
};

function pickedLines(tx: Tx, soIds: number[]) {
  return tx.rows(
    PickedLinesRow,
    `select w.so_id, i.external_id as item_external_id, sku, sum(w.quantity_picked) as quantity_picked,
            v.lot_number,
            (select properties from sales_order_lines l where l.so_line_id = w.so_line_id) as properties
     from wave_pick_breakdown w join pick_tasks t using (pick_task_id)
     join inventory v using (inventory_id) join items i on i.item_id = t.item_id
     where w.so_id = any($1) and t.status in ('PICKED', 'SHORT')
     group by w.so_id, w.so_line_id, i.external_id, sku, v.lot_number
     order by w.so_id, w.so_line_id, v.lot_number`,
    [soIds],
  );
}
