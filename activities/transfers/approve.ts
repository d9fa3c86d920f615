import { z } from "zod";
import type { Actor } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { OPEN_BINS } from "../../src/stock/queries.js";
import { NoStagingBin, SnapshotEmpty, TransferLineNotFound } from "../../src/transfers/problems.js";
import type { TransferApproved } from "../../src/transfers/shapes.js";
import type { WithState } from "../../src/transfers/steps.js";
import { command, type Tx } from "../command.js";
import { expectIncreaseIn } from "../stock/backorders.js";
import { addStock, changeCounters, lockLots } from "../stock/stock.js";
import type { LockedTransfer } from "../stock/transfer-lock.js";
import { lineStatus, settle } from "../stock/transfer-status.js";
import { type ApprovalChoice, isSelfApproval, lockApproval, type PendingApproval } from "./review.js";
import { transferState } from "./state.js";

/** Units of a stock row that an approval moves. */
const Moved = z.strictObject({
  to_line_id: int,
  inventory_id: int,
  quantity: int,
  item_id: int,
  bin_id: int,
  lot_number: text.nullable(),
  expiry_date: text.nullable(),
  sku: text,
  item_external_id: text,
});
type Moved = z.infer<typeof Moved>;

/**
 * Approves submitted picks (docs/interface.md, Transfer orders): the units leave the books of the source and arrive, by
 * lot, in the first Staging bin of the destination, where orders may be waiting for them. The number of statements does
 * not depend on the number of lines. Audit TO_APPROVED, and TO_CLOSED after the last one; event
 * `inventorytransfer.completed`, with one line for each item. With `to_line_ids` only these lines move, and the others
 * wait in an approval of their own.
 *
 * Refusals: 404 `transfer_line_not_found`, 409 `approval_not_pending`, 403 `self_approval_blocked`, 422
 * `approval_snapshot_empty`, 409 `no_destination_staging_bin`.
 */
export function approveTransfer(input: ApprovalChoice, by: Actor): Promise<WithState<TransferApproved>> {
  return command("transfers.approve", by, input, async (tx) => {
    const { transfer, approval } = await lockApproval(tx, input, by);
    if (input.to_line_ids) await leaveOthers(tx, approval, input.to_line_ids);
    const [self, moved, staging] = await Promise.all([
      isSelfApproval(tx, approval, by),
      unitsOf(tx, approval),
      stagingBin(tx, transfer.destination_warehouse_id),
    ]);
    if (moved.length === 0) throw SnapshotEmpty();
    if (!staging) throw NoStagingBin();
    await sendUnits(tx, transfer, moved, staging.bin_id);
    await Promise.all([
      countApproved(tx, approval),
      tx.run(
        `update transfer_order_approvals set status = 'APPROVED', approved_by = $2, approved_at = now()
         where to_approval_id = $1`,
        [approval.to_approval_id, by.username],
      ),
    ]);
    const { to_approval_id } = approval;
    const line_count = new Set(moved.map((unit) => unit.to_line_id)).size;
    tx.audit({
      action: "TO_APPROVED",
      entity: "TO_APPROVAL",
      entityId: to_approval_id,
      warehouseId: transfer.destination_warehouse_id,
      details: {
        to_id: transfer.to_id,
        to_number: transfer.to_number,
        submitted_by: approval.submitted_by,
        ...(self && { self_approved: true }),
        lines: line_count,
        units: moved.reduce((sum, { quantity }) => sum + quantity, 0),
        bin_id: staging.bin_id,
      },
    });
    emitCompleted(tx, transfer, approval, moved);
    const to_closed = (await settle(tx, transfer)) === "CLOSED";
    return {
      to_approval_id,
      status: "APPROVED",
      to_closed,
      line_count,
      state: await transferState(tx, transfer.to_id),
    };
  });
}

/** Moves the lines that are not decided now to a pending approval of their own. */
async function leaveOthers(tx: Tx, { to_approval_id }: PendingApproval, lineIds: number[]): Promise<void> {
  const found = await tx.row(
    { named: int },
    `with rest as (
       insert into transfer_order_approvals (to_id, submitted_by, submitted_at)
       select to_id, submitted_by, submitted_at from transfer_order_approvals
       where to_approval_id = $1
         and exists (select from to_approval_lines where to_approval_id = $1 and to_line_id <> all($2))
       returning to_approval_id
     ), left_over as (
       update to_approval_lines l set to_approval_id = rest.to_approval_id from rest
       where l.to_approval_id = $1 and l.to_line_id <> all($2)
     )
     select count(distinct to_line_id) as named from to_approval_lines
     where to_approval_id = $1 and to_line_id = any($2)`,
    [to_approval_id, lineIds],
  );
  if (found?.named !== new Set(lineIds).size) throw TransferLineNotFound();
}

const unitsOf = (tx: Tx, { to_approval_id }: PendingApproval) =>
  tx.rows(
    Moved,
    `select to_line_id, inventory_id, quantity, v.item_id, v.bin_id, v.lot_number, v.expiry_date, sku,
       i.external_id as item_external_id
     from to_approval_lines join inventory v using (inventory_id) join items i on i.item_id = v.item_id
     where to_approval_id = $1 order by to_line_id, inventory_id`,
    [to_approval_id],
  );

/** The first Staging bin of a warehouse that goods may arrive in. None of its Staging bins is deleted meanwhile. */
function stagingBin(tx: Tx, warehouseId: number) {
  tx.later.run("select from bins where warehouse_id = $1 and bin_type = 'Staging' order by bin_id for key share", [
    warehouseId,
  ]);
  return tx.row(
    { bin_id: int },
    `select bin_id from ${OPEN_BINS} b where warehouse_id = $1 and bin_type = 'Staging' order by bin_id limit 1`,
    [warehouseId],
  );
}

async function sendUnits(tx: Tx, transfer: LockedTransfer, moved: Moved[], toBin: number): Promise<void> {
  const items = [...new Set(moved.map((unit) => unit.item_id))];
  const [increase] = await tx.inOrder([
    expectIncreaseIn(tx, "transfer", items, [toBin]),
    lockLots(
      tx,
      moved.flatMap(({ item_id, bin_id }) => [
        { itemId: item_id, binId: bin_id },
        { itemId: item_id, binId: toBin },
      ]),
    ),
  ]);
  await changeCounters(
    tx.later,
    undefined,
    moved.map(({ inventory_id, quantity }) => ({ inventoryId: inventory_id, onHand: -quantity, allocated: -quantity })),
  );
  await addStock(
    tx.later,
    increase,
    moved.map(({ item_id, lot_number, expiry_date, quantity }) => ({
      itemId: item_id,
      binId: toBin,
      warehouseId: transfer.destination_warehouse_id,
      lot: lot_number,
      expiry: expiry_date,
      quantity,
    })),
  );
}

/** Takes the approved units from the reservations of the lines, and counts them. */
const countApproved = (tx: Tx, { to_approval_id }: PendingApproval) =>
  tx.run(
    `with approved as (
       select to_line_id, inventory_id, quantity from to_approval_lines where to_approval_id = $1
     ), emptied as (
       delete from transfer_reservations r using approved a
       where r.to_line_id = a.to_line_id and r.inventory_id = a.inventory_id and r.quantity = a.quantity
     ), reduced as (
       update transfer_reservations r set quantity = r.quantity - a.quantity, picked = r.picked - a.quantity
       from approved a
       where r.to_line_id = a.to_line_id and r.inventory_id = a.inventory_id and r.quantity > a.quantity
     )
     update transfer_order_lines l set approved_qty = l.approved_qty + a.units,
       status = ${lineStatus("l.committed_qty", "l.picked_qty", "l.approved_qty + a.units")}
     from (select to_line_id, sum(quantity) as units from approved group by to_line_id) a
     where l.to_line_id = a.to_line_id`,
    [to_approval_id],
  );

/** The event has one line for each item, over its lines, bins and lots. */
function emitCompleted(tx: Tx, transfer: LockedTransfer, approval: PendingApproval, moved: Moved[]): void {
  const lines = new Map<number, { item_external_id: string; sku: string; quantity: number }>();
  for (const { item_id, item_external_id, sku, quantity } of moved) {
    const line = lines.get(item_id);
    lines.set(item_id, { item_external_id, sku, quantity: quantity + (line?.quantity ?? 0) });
  }
  tx.emit({
    type: "inventorytransfer.completed",
    aggregateId: approval.external_id,
    entity: "transfer_order_approval",
    entityId: approval.to_approval_id,
    warehouseId: transfer.destination_warehouse_id,
    data: {
      transfer_external_id: approval.external_id,
      to_number: transfer.to_number,
      from_warehouse_id: transfer.source_warehouse_id,
      to_warehouse_id: transfer.destination_warehouse_id,
      lines: [...lines.values()],
      completed_at: tx.now,
    },
  });
}
