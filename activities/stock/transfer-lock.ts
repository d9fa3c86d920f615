import { z } from "zod";
import { type Actor, mayUseWarehouse } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { TransferStatus } from "../../src/platform/statuses.js";
import { TransferNotFound } from "../../src/transfers/problems.js";
import { ConcurrentChange, type Tx } from "../command.js";

/** The lock of a transfer order covers its lines, its approvals and what its lines hold (lock order: stock.ts). */
export const LockedTransfer = z.strictObject({
  to_id: int,
  to_number: text,
  source_warehouse_id: int,
  destination_warehouse_id: int,
  status: TransferStatus,
});
export type LockedTransfer = z.infer<typeof LockedTransfer>;

const COLUMNS = "to_id, to_number, source_warehouse_id, destination_warehouse_id, status";

/** The warehouse whose users may do it: the source, the destination, or either. */
type Side = "source" | "destination" | "either";

/** Locks a transfer order; 404 for none, 403 outside the caller's warehouses. */
export async function lockTransfer(tx: Tx, toId: number, side: Side, by: Actor): Promise<LockedTransfer> {
  const transfer = await tx.row(LockedTransfer, `select ${COLUMNS} from transfer_orders where to_id = $1 for update`, [
    toId,
  ]);
  if (!transfer) throw TransferNotFound();
  checkSide(transfer, side, by);
  return transfer;
}

export function checkSide(transfer: LockedTransfer, side: Side, by: Actor): void {
  const { source_warehouse_id: source, destination_warehouse_id: destination } = transfer;
  const sides = { source: [source], destination: [destination], either: [source, destination] }[side];
  if (!sides.some((id) => mayUseWarehouse(by, id))) throw WarehouseDenied();
}

/** Locks the transfer orders that these batches pick, and another one, in id order. */
export function lockTransfersOf(tx: Tx, batchIds: number[], another?: number): Promise<LockedTransfer[]> {
  return tx.rows(
    LockedTransfer,
    `select ${COLUMNS} from transfer_orders
     where to_id = $2 or to_id in (select to_id from pick_batches where batch_id = any($1))
     order by to_id for update`,
    [batchIds, another],
  );
}

/** A walk for a transfer order that is in progress. */
const Walk = z.strictObject({ batch_id: int, batch_number: text });

/** Locks a transfer order's walk, if there is one, and then the order. */
export async function lockWithWalk(tx: Tx, toId: number, side: Side, by: Actor) {
  const walkNow = (lock: string) =>
    tx.row(
      Walk,
      `select batch_id, batch_number from pick_batches
       where to_id = $1 and status in ('OPEN', 'IN_PROGRESS') ${lock}`,
      [toId],
    );
  // The last statement sees a walk that began while this waited for the order's lock.
  const [walk, transfer, now] = await tx.inOrder([
    walkNow("for update"),
    lockTransfer(tx, toId, side, by),
    walkNow(""),
  ]);
  if (now && now.batch_id !== walk?.batch_id) throw new ConcurrentChange("another walk");
  return { transfer, walk: now };
}
