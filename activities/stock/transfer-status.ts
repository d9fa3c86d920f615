import { int } from "../../src/platform/db/columns.js";
import { mayBecome, type TransferOrderStatus, transferOrderStates } from "../../src/platform/states.js";
import { TransferStatus } from "../../src/platform/statuses.js";
import type { Tx } from "../command.js";
import type { LockedTransfer } from "./transfer-lock.js";

/**
 * SQL for the status of a line `l` whose counters are given; a line that was short-closed stays so. A line is APPROVED
 * only when all that it committed is.
 */
export const lineStatus = (committed: string, picked: string, approved: string): string => `
  case when l.status = 'SHORT_CLOSED' or ${committed} = 0 then 'SHORT_CLOSED'
       when ${approved} = ${committed} then 'APPROVED'
       when ${picked} = ${committed} then 'PICKED'
       when ${picked} > 0 then 'PARTIALLY_PICKED'
       else 'PENDING' end`;

/**
 * Gives a locked transfer order the status that follows from its lines and approvals, after a change of them: CLOSED
 * when every line is APPROVED or SHORT_CLOSED and no approval is pending; AWAITING_APPROVAL when nothing is left to
 * pick; otherwise by whether something is picked. A transition that is not in the table of states is a fault of the
 * caller, and rolls the command back. Audit TO_CLOSED. Returns the status.
 */
export async function settle(tx: Tx, transfer: LockedTransfer): Promise<TransferOrderStatus> {
  const { to_id, to_number, status } = transfer;
  if (status === "CLOSED" || status === "CANCELLED") return status;
  const settled = await tx.row(
    { status: TransferStatus, units: int },
    `with lines as (
       select bool_and(status in ('APPROVED', 'SHORT_CLOSED')) as done,
         bool_or(status in ('PENDING', 'PARTIALLY_PICKED')) as to_pick,
         sum(case status when 'SHORT_CLOSED' then approved_qty else picked_qty end) > 0 as picked,
         sum(approved_qty) as units
       from transfer_order_lines where to_id = $1
     ), now as (
       select units, case
         when done and not exists (
           select from transfer_order_approvals where to_id = $1 and status = 'PENDING') then 'CLOSED'
         when not to_pick then 'AWAITING_APPROVAL'
         when picked then 'PARTIALLY_PICKED' else 'OPEN' end as status
       from lines
     ), changed as (
       update transfer_orders t set status = now.status, updated_at = now() from now where to_id = $1
     )
     select status, units from now`,
    [to_id],
  );
  const now = settled?.status ?? status;
  checkMove(transfer, now);
  if (now === "CLOSED")
    tx.audit({
      action: "TO_CLOSED",
      entity: "TO",
      entityId: to_id,
      warehouseId: transfer.destination_warehouse_id,
      details: { to_number, units_approved: settled?.units },
    });
  transfer.status = now;
  return now;
}

/** Throws when a transfer order cannot go from its status to this one; it may stay as it is. */
export function checkMove({ to_number, status }: LockedTransfer, to: TransferOrderStatus): void {
  if (status !== to && !mayBecome(transferOrderStates, status, to))
    throw new Error(`${to_number} cannot go from ${status} to ${to}`);
}
