import { arrayOf, int } from "../../src/platform/db/columns.js";
import { todayAt } from "../../src/platform/db/days.js";
import type { Effects } from "../../src/platform/db/db.js";
import { ConcurrentChange, type Tx } from "../command.js";
import type { StockIncrease } from "./backorders.js";
import { batchesOfRows } from "./moves.js";
import { lockTransfersOfRows } from "./transfer-cuts.js";

/** Two lots of an item, of which the units of one are of the other from now on. */
export interface MergedLots {
  itemId: number;
  from: string;
  into: string;
}

const BOTH = "v.item_id = $1 and v.lot_number in ($2, $3)";
const valuesOf = ({ itemId, from, into }: MergedLots) => [itemId, from, into];

const Claimants = { batches: arrayOf(int), transfers: arrayOf(int) };

/** Locks the stock rows of both lots, and before them all that claims units there, in the lock order. */
export async function lockToMerge(tx: Tx, lots: MergedLots): Promise<void> {
  const values = valuesOf(lots);
  const batches = await batchesOfRows(tx, BOTH, values, "for update");
  const transfers = (await lockTransfersOfRows(tx, BOTH, values)).map(({ to_id }) => to_id);
  await tx.run(`select from inventory v where ${BOTH} order by item_id, bin_id, lot_number for update`, values);
  const now = await tx.row(
    Claimants,
    `select array(select distinct batch_id from inventory v join pick_tasks t using (inventory_id)
                  where ${BOTH} and t.status = 'PENDING') as batches,
            array(select distinct to_id from inventory v join transfer_reservations using (inventory_id)
                  join transfer_order_lines using (to_line_id) where ${BOTH}) as transfers`,
    values,
  );
  if (now?.batches.some((id) => !batches.includes(id)) || now?.transfers.some((id) => !transfers.includes(id)))
    throw new ConcurrentChange("a wave or a transfer order was created");
}

/**
 * Gives the locked stock rows of one lot to the other, with all that is reserved, held and picked of them. Where a bin
 * has a row of both, they become one. All rows of the lot have its last day and its condition then.
 */
export async function mergeRows(
  tx: Tx,
  _increase: StockIncrease,
  lots: MergedLots,
  { expiry_date, condition }: { expiry_date: string | null; condition: string },
): Promise<void> {
  const values = valuesOf(lots);
  const expired = await expiredRows(tx, lots);
  const twins = await tx.rows(
    { from_id: int, into_id: int },
    `select v.inventory_id as from_id, t.inventory_id as into_id
     from inventory v join inventory t using (item_id, bin_id)
     where v.item_id = $1 and v.lot_number = $2 and t.lot_number = $3 order by 1`,
    values,
  );
  if (twins.length > 0)
    mergeTwins(
      tx.later,
      twins.map((twin) => twin.from_id),
      twins.map((twin) => twin.into_id),
    );
  await tx.run("update inventory set lot_number = $3 where item_id = $1 and lot_number = $2", values);
  await tx.run(
    `update inventory v
     set expiry_date = :expiry_date, condition = case
           when inventory_id = any(:expired) and :expiry_date::date < ${todayAt("v.warehouse_id")}
           then 'EXPIRED' else :condition end
     where item_id = :itemId and lot_number = :into`,
    { itemId: lots.itemId, into: lots.into, expiry_date, condition, expired },
  );
}

/** Gives the locked stock rows of a lot its new number, which no other lot has; what expired stays so. */
export async function renameRows(tx: Tx, lots: MergedLots): Promise<void> {
  const expired = await expiredRows(tx, lots);
  await tx.run("update inventory set lot_number = $3 where item_id = $1 and lot_number = $2", valuesOf(lots));
  if (expired.length > 0)
    await tx.run("update inventory set condition = 'EXPIRED' where inventory_id = any($1)", [expired]);
}

/** The rows of both lots of which it was told that they have expired, but where a bin has units that have not. */
async function expiredRows(tx: Tx, lots: MergedLots): Promise<number[]> {
  const rows = await tx.rows(
    { inventory_id: int },
    `select inventory_id from inventory v
     where ${BOTH} and condition = 'EXPIRED' and not exists (
       select from inventory t where t.item_id = v.item_id and t.bin_id = v.bin_id and t.lot_number in ($2, $3)
         and t.condition <> 'EXPIRED' and t.quantity_on_hand > 0)`,
    valuesOf(lots),
  );
  return rows.map(({ inventory_id }) => inventory_id);
}

/** The rows `t` of which each takes over all of its twin. */
const TWINS = "unnest($1::int[], $2::int[]) as t(from_id, into_id)";

/** Each row takes over the units of its twin, and all that names it. */
function mergeTwins(tx: Effects, from: number[], into: number[]): void {
  const twins = [from, into];
  tx.run(
    `insert into stock_reservations (so_line_id, inventory_id, quantity, created_at)
     select so_line_id, into_id, quantity, created_at from stock_reservations join ${TWINS} on inventory_id = from_id
     on conflict (so_line_id, inventory_id) do update set quantity = stock_reservations.quantity + excluded.quantity`,
    twins,
  );
  tx.run(
    `insert into transfer_reservations (to_line_id, inventory_id, quantity, picked, created_at)
     select to_line_id, into_id, quantity, picked, created_at
     from transfer_reservations join ${TWINS} on inventory_id = from_id
     on conflict (to_line_id, inventory_id) do update
       set quantity = transfer_reservations.quantity + excluded.quantity,
           picked = transfer_reservations.picked + excluded.picked`,
    twins,
  );
  tx.run(
    `insert into to_approval_lines (to_approval_id, to_line_id, inventory_id, quantity)
     select to_approval_id, to_line_id, into_id, quantity
     from to_approval_lines join ${TWINS} on inventory_id = from_id
     on conflict (to_approval_id, to_line_id, inventory_id) do update
       set quantity = to_approval_lines.quantity + excluded.quantity`,
    twins,
  );
  for (const table of ["stock_reservations", "transfer_reservations", "to_approval_lines"])
    tx.run(`delete from ${table} where inventory_id = any($1)`, [from]);
  for (const table of ["pick_tasks", "stock_holds"])
    tx.run(`update ${table} set inventory_id = into_id from ${TWINS} where inventory_id = from_id`, twins);
  tx.run(
    `update inventory v
     set quantity_on_hand = v.quantity_on_hand + g.quantity_on_hand,
         quantity_allocated = v.quantity_allocated + g.quantity_allocated,
         quantity_doubted = v.quantity_doubted + g.quantity_doubted,
         last_counted_at = least(v.last_counted_at, g.last_counted_at), updated_at = least(v.updated_at, g.updated_at)
     from ${TWINS}, inventory g where g.inventory_id = from_id and v.inventory_id = into_id`,
    twins,
  );
  tx.run("delete from inventory where inventory_id = any($1)", [from]);
}
