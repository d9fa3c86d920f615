import { int, text } from "../../src/platform/db/columns.js";
import { DAYS_LEFT, isFreshFor } from "../../src/stock/sellable.js";
import type { Tx } from "../command.js";
import { expectIncreaseFrom, expectLacking } from "../stock/backorders.js";
import { releaseWhere } from "../stock/reservations.js";

/** SQL: reservations of these orders `so` for units that are too old for them. */
const TOO_OLD = `(so_line_id, inventory_id) in (
  select so_line_id, r.inventory_id
  from sales_orders so join sales_order_lines l using (so_id) join stock_reservations r using (so_line_id)
    join inventory v using (inventory_id) join warehouses w on w.warehouse_id = v.warehouse_id
  where so.so_id = any($1) and not ${isFreshFor(DAYS_LEFT)})`;

/**
 * Releases what locked orders have reserved of units that have fewer days left than the orders ask for. The orders get
 * others, or more, as far as there are any. Audit SO_ALLOCATION_RELEASED.
 */
export async function releaseTooOld(tx: Tx, soIds: number[]): Promise<void> {
  expectLacking(tx, soIds);
  const increase = await expectIncreaseFrom(tx, soIds);
  const released = await releaseWhere(tx, increase, TOO_OLD, [soIds]);
  if (released.length === 0) return;
  const orders = await tx.rows(
    { so_id: int, so_number: text, warehouse_id: int, quantity: int },
    `select so.so_id, so_number, warehouse_id, sum(units) as quantity
     from unnest($1::int[], $2::int[]) as released(so_line_id, units)
       join sales_order_lines using (so_line_id) join sales_orders so using (so_id)
     group by so.so_id order by so.so_id`,
    [released.map((line) => line.so_line_id), released.map((line) => line.units)],
  );
  for (const { so_id, warehouse_id, ...details } of orders)
    tx.audit({
      action: "SO_ALLOCATION_RELEASED",
      entity: "SO",
      entityId: so_id,
      warehouseId: warehouse_id,
      details: { ...details, reason: "too_old" },
    });
}
