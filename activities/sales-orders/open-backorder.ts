import type { Actor } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import type { Payload } from "../../src/platform/events/catalog.js";
import { ofSalesOrder } from "../../src/platform/events/outbox.js";
import { addressColumns } from "../../src/sales-orders/addresses.js";
import type { ShrinkLine } from "../../src/sales-orders/backorder-shapes.js";
import type { LineProperties } from "../../src/sales-orders/properties.js";
import type { Tx } from "../command.js";
import { childNumber } from "./child-number.js";
import type { ActionOrder } from "./orders-with-picks.js";

/** The columns that a backorder copies from its order; not the totals, which were paid with the order. */
export const inherited = [
  ...["customer_name", "customer_id", "customer_phone", "customer_email", "customer_address"],
  ...["warehouse_id", "priority", "ship_method", "ship_address", "currency", "order_date", "ship_by_date"],
  ...["order_source", "order_origin", "source_system", "hold_reason", "min_days_at_shipping"],
  ...addressColumns,
].join();

const OpenBackorderRow = { so_id: int, external_id: text, customer_name: text.nullable() };

/**
 * Opens a backorder `<order>-BO` for the units that an order was reduced by: WAITING_STOCK, nothing reserved. The
 * caller has locked the order. Audit CREATE, `backorder.opened`.
 */
export async function openBackorder(
  tx: Tx,
  order: ActionOrder,
  cuts: (Omit<ShrinkLine, "adjustment_qty"> & { properties: LineProperties })[],
  by: Actor,
): Promise<{ so_id: number; so_number: string; status: "WAITING_STOCK"; external_id: string }> {
  const so_number = await childNumber(tx, order, "BO");
  const made = (await tx.row(
    OpenBackorderRow,
    `with made as (
       insert into sales_orders (so_number, so_barcode, status, order_type, parent_so_id, backorder_opened_at,
         created_by, memo, ${inherited})
       select :so_number, :so_number, 'WAITING_STOCK', 'backorder', so_id, :now, :username,
              concat_ws(': ', 'Backorder of ' || so_number, nullif(memo, '')), ${inherited}
       from sales_orders where so_id = :so_id returning so_id, external_id, customer_name
     ), lines as (
       insert into sales_order_lines (so_id, item_id, quantity_ordered, line_number, properties)
       select so_id, item_id, units, line_number, properties
       from made, unnest(:item_ids::int[], :quantities::int[], :line_numbers::int[], :properties::jsonb[])
         with ordinality
         as c(item_id, units, line_number, properties, place)
       order by place
     )
     select so_id, external_id, customer_name from made`,
    {
      so_id: order.so_id,
      so_number,
      now: tx.now,
      username: by.username,
      item_ids: cuts.map((cut) => cut.item_id),
      quantities: cuts.map((cut) => cut.short_qty),
      line_numbers: cuts.map((cut) => cut.line_number),
      properties: cuts.map((cut) => JSON.stringify(cut.properties)),
    },
  )) as { so_id: number; external_id: string; customer_name: string | null };
  const { so_id, external_id, customer_name } = made;
  tx.audit({
    action: "CREATE",
    entity: "SO",
    entityId: so_id,
    warehouseId: order.warehouse_id,
    details: { so_number, order_type: "backorder", parent_so_number: order.so_number, lines: cuts.length },
  });
  emitOpened(
    tx,
    { so_id, external_id, so_number, warehouse_id: order.warehouse_id, customer_name },
    order,
    cuts.map(({ item_external_id, sku, item_name, short_qty: qty }) => ({ item_external_id, sku, item_name, qty })),
    by.externalId,
  );
  return { so_id, so_number, status: "WAITING_STOCK", external_id };
}

/** Emits `backorder.opened`; the backorder of a till was not split off an order. */
export function emitOpened(
  tx: Tx,
  backorder: {
    so_id: number;
    external_id: string;
    so_number: string;
    warehouse_id: number;
    customer_name: string | null;
  },
  parent: { external_id: string; so_number: string } | undefined,
  items: Payload<"backorder.opened">["items"],
  openedBy: string,
): void {
  const { so_id, external_id, so_number, warehouse_id, customer_name } = backorder;
  tx.emit({
    type: "backorder.opened",
    ...ofSalesOrder({ so_id, external_id, warehouse_id }),
    data: {
      backorder_so_external_id: external_id,
      backorder_so_number: so_number,
      parent_so_external_id: parent?.external_id ?? null,
      parent_so_number: parent?.so_number ?? null,
      warehouse_id,
      customer_name,
      items,
      opened_by_user_external_id: openedBy,
      opened_at: tx.now,
    },
  });
}
