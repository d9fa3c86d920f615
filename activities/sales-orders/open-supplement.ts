import type { Actor } from "../../src/platform/actor.js";
import { int } from "../../src/platform/db/columns.js";
import type { LineProperties } from "../../src/sales-orders/properties.js";
import type { Tx } from "../command.js";
import { expectLacking } from "../stock/backorders.js";
import { LineToReserve, reserveLines } from "../stock/reservations.js";
import { childNumber } from "./child-number.js";
import { unitsOf } from "./create.js";
import { inherited } from "./open-backorder.js";
import type { ActionOrder } from "./orders-with-picks.js";

/** Units that a source added: to which of its lines, and with which customer's wishes, where the source says so. */
export interface AddedUnits {
  item_id: number;
  units: number;
  line_number: number | null;
  properties: LineProperties | null;
}

/**
 * Opens an order `<order>-ADD` for units that a source added to an order that is being worked on, or was shipped: OPEN,
 * with as much stock reserved as there is. The caller has locked the order and the items' stock. Audit CREATE.
 */
export async function openSupplement(tx: Tx, order: ActionOrder, units: AddedUnits[], by: Actor): Promise<void> {
  const so_number = await childNumber(tx, order, "ADD");
  const lines = await tx.rows(
    { ...LineToReserve.shape, so_id: int },
    `with made as (
       insert into sales_orders
         (so_number, so_barcode, status, order_type, parent_so_id, created_by, memo, ${inherited})
       select $2, $2, 'OPEN', 'sale', so_id, $3, memo, ${inherited} from sales_orders where so_id = $1
       returning so_id
     )
     insert into sales_order_lines (so_id, item_id, quantity_ordered, line_number, properties)
     select so_id, item_id, units, coalesce(line_number, place), coalesce(properties, '[]')
     from made, rows from (jsonb_to_recordset($4::jsonb)
         as (item_id int, units int, line_number int, properties jsonb))
       with ordinality as u(item_id, units, line_number, properties, place)
     order by place
     returning so_id, so_line_id, item_id, quantity_ordered as quantity`,
    [order.so_id, so_number, by.username, JSON.stringify(units)],
  );
  const { so_id } = lines[0] as { so_id: number };
  if ((await reserveLines(tx, order, lines)) < unitsOf(lines)) expectLacking(tx, [so_id]);
  tx.audit({
    action: "CREATE",
    entity: "SO",
    entityId: so_id,
    warehouseId: order.warehouse_id,
    details: { so_number, order_type: "sale", parent_so_number: order.so_number, lines: lines.length },
  });
}
