import type { Actor } from "../../src/platform/actor.js";
import { int } from "../../src/platform/db/columns.js";
import type { TransferSubmitted } from "../../src/transfers/shapes.js";
import type { Tx } from "../command.js";
import type { LockedTransfer } from "../stock/transfer-lock.js";
import { settle } from "../stock/transfer-status.js";

/** Submits the picked units of a locked transfer order; undefined when there are none. */
export async function submitPicked(
  tx: Tx,
  transfer: LockedTransfer,
  by: Actor,
): Promise<TransferSubmitted | undefined> {
  const { to_id, to_number, source_warehouse_id } = transfer;
  const made = await tx.row({ to_approval_id: int, line_count: int, units: int }, SUBMIT, [to_id, by.username]);
  if (!made) return undefined;
  const { to_approval_id, line_count, units } = made;
  const to_status = await settle(tx, transfer);
  tx.audit({
    action: "TO_SUBMITTED",
    entity: "TO_APPROVAL",
    entityId: to_approval_id,
    warehouseId: source_warehouse_id,
    details: { to_id, to_number, lines: line_count, units },
  });
  return { to_approval_id, status: "PENDING", to_status, line_count };
}

/** The picked units of each line and stock row, less those in pending approvals. */
const SUBMIT = `
  with picked as (
    select to_line_id, inventory_id, picked - coalesce((
        select sum(x.quantity) from to_approval_lines x join transfer_order_approvals a using (to_approval_id)
        where a.status = 'PENDING' and x.to_line_id = r.to_line_id and x.inventory_id = r.inventory_id), 0) as units
    from transfer_reservations r join transfer_order_lines l using (to_line_id)
    where l.to_id = $1 and r.picked > 0
  ), approval as (
    insert into transfer_order_approvals (to_id, submitted_by)
    select $1, $2 where exists (select from picked where units > 0) returning to_approval_id
  ), snapshot as (
    insert into to_approval_lines (to_approval_id, to_line_id, inventory_id, quantity)
    select to_approval_id, to_line_id, inventory_id, units from approval, picked where units > 0
    returning to_approval_id, to_line_id, quantity
  )
  select to_approval_id, count(distinct to_line_id) as line_count, sum(quantity) as units
  from snapshot group by to_approval_id`;
