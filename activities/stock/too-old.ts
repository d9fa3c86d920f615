import { int, text } from "../../src/platform/db/columns.js";
import { DAYS_LEFT, isFreshFor } from "../../src/stock/sellable.js";
import type { Tx } from "../command.js";
import { expectIncreaseFrom, expectLacking } from "./backorders.js";
import { releaseLines } from "./line-counters.js";
import { releaseRows } from "./reserve-rows.js";

/** SQL: reservations `r` of these orders `so` for units that are too old for them. */
const TOO_OLD = `
  from sales_orders so join sales_order_lines l using (so_id) join stock_reservations r using (so_line_id)
    join inventory v using (inventory_id) join warehouses w on w.warehouse_id = v.warehouse_id
  where so.so_id = any($1) and not ${isFreshFor(DAYS_LEFT)}`;

/**
 * Releases what locked orders have reserved of units that have fewer days left than the orders ask for. The orders get
 * others, or more, as far as there are any. Audit SO_ALLOCATION_RELEASED.
 */
export async function releaseTooOld(tx: Tx, soIds: number[]): Promise<void> {
  expectLacking(tx, soIds);
  const held = await tx.rows({ inventory_id: int }, `select distinct inventory_id ${TOO_OLD}`, [soIds]);
  if (held.length === 0) return;
  await expectIncreaseFrom(tx, soIds);
  const rows = held.map((row) => row.inventory_id);
  const [, released] = await tx.inOrder([
    tx.run(`select from inventory where inventory_id = any($1) order by item_id, bin_id, lot_number for update`, [
      rows,
    ]),
    tx.rows(
      { so_id: int, so_number: text, warehouse_id: int, quantity: int },
      `with released as (
         delete from stock_reservations where (so_line_id, inventory_id) in (
           select so_line_id, inventory_id ${TOO_OLD} and inventory_id = any($2))
         returning so_line_id, inventory_id, quantity as units
       ), of_rows as (
         ${releaseRows("released")}
       ), of_lines as (
         ${releaseLines("released")}
       )
       select so.so_id, so_number, warehouse_id, sum(units) as quantity
       from released join sales_order_lines using (so_line_id) join sales_orders so using (so_id)
       group by so.so_id order by so.so_id`,
      [soIds, rows],
    ),
  ]);
  for (const { so_id, warehouse_id, ...details } of released)
    tx.audit({
      action: "SO_ALLOCATION_RELEASED",
      entity: "SO",
      entityId: so_id,
      warehouseId: warehouse_id,
      details: { ...details, reason: "too_old" },
    });
}
