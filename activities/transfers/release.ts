import type { Tx } from "../command.js";
import { expectIncrease, type StockIncrease } from "../stock/backorders.js";
import { releaseTransferUnits } from "../stock/transfer-reservations.js";

/**
 * Locks the stock rows that a transfer order holds units of, for one line or all, and announces the increase to waiting
 * orders.
 */
async function lockHeld(tx: Tx, toId: number, toLineId: number | null): Promise<StockIncrease> {
  const [, increase] = await tx.inOrder([
    tx.run(
      `select from inventory where inventory_id in (
         select inventory_id from transfer_reservations join transfer_order_lines using (to_line_id)
         where to_id = $1 and ($2::int is null or to_line_id = $2))
       order by item_id, bin_id, lot_number for update`,
      [toId, toLineId],
    ),
    expectIncrease(
      tx,
      "transfer",
      {
        items: "select item_id from transfer_order_lines where to_id = $1 and ($2::int is null or to_line_id = $2)",
        warehouses: "select source_warehouse_id from transfer_orders where to_id = $1",
      },
      [toId, toLineId],
    ),
  ]);
  return increase;
}

/**
 * Releases the units that a locked transfer order holds, for one line or all: committed units that are not approved are
 * free again at the source, where orders may be waiting for them. Returns how many.
 */
export async function releaseHeld(tx: Tx, toId: number, toLineId: number | null = null): Promise<number> {
  const increase = await lockHeld(tx, toId, toLineId);
  return releaseTransferUnits(tx, increase, toId, toLineId);
}
