import { InspectionClosed, InspectionNotFound } from "../../src/lots/inspections/problems.js";
import type { Decision } from "../../src/lots/inspections/shapes.js";
import type { Actor } from "../../src/platform/actor.js";
import { bool, int } from "../../src/platform/db/columns.js";
import { inspectionDeadlineMs } from "../../src/system/settings/queries.js";
import type { Tx } from "../command.js";

/** Inspections as rows: docs/inspection.md. What is decided about them: decide-inspection.ts. */

/** What is to be inspected: units of a warehouse, or a whole lot. */
interface Inspected {
  item_id: number;
  warehouse_id: number | null;
  lot_id: number | null;
  quantity: number;
  reason: string;
}

/** Opens an inspection; its workflow is started by whoever called the command, else by the job `reconcile`. */
export async function openInspection(tx: Tx, inspected: Inspected, by: Actor): Promise<number> {
  const deadline = await inspectionDeadlineMs(tx);
  const made = await tx.row(
    { inspection_id: int },
    `insert into inspections (item_id, warehouse_id, lot_id, quantity, reason, opened_by, due_at)
     values (:item_id, :warehouse_id, :lot_id, :quantity, :reason, :username,
             now() + make_interval(secs => :deadline::float8 / 1000))
     returning inspection_id`,
    { ...inspected, username: by.username, deadline },
  );
  const inspection_id = made?.inspection_id as number;
  tx.audit({
    action: "INSPECTION_OPEN",
    entity: "INSPECTION",
    entityId: inspection_id,
    warehouseId: inspected.warehouse_id,
    details: { ...inspected },
  });
  return inspection_id;
}

/** Opens the inspection of a locked lot that comes into quarantine, unless it is open already. */
export async function openInspectionOfLot(
  tx: Tx,
  lot: { item_id: number; lot_id: number; quantity_on_hand: number },
  reason: string,
  by: Actor,
): Promise<void> {
  const { item_id, lot_id, quantity_on_hand: quantity } = lot;
  const open = await tx.row({}, "select from inspections where lot_id = $1 and closed_at is null", [lot_id]);
  if (!open) await openInspection(tx, { item_id, warehouse_id: null, lot_id, quantity, reason }, by);
}

/** Closes the open inspection of a locked lot that leaves quarantine, with what was decided. */
export async function closeInspectionOfLot(
  tx: Tx,
  lot: { lot_id: number; quantity_on_hand: number },
  decided: { decision: Decision; reason: string },
  by: Actor,
): Promise<void> {
  const open = await tx.row(
    { inspection_id: int },
    `update inspections set closed_at = clock_timestamp() where lot_id = $1 and closed_at is null
     returning inspection_id`,
    [lot.lot_id],
  );
  if (open) await recordDecision(tx, open.inspection_id, { ...decided, quantity: lot.quantity_on_hand }, by);
}

/** Records a decision. Audit INSPECTION_DECIDE. */
export async function recordDecision(
  tx: Tx,
  inspection_id: number,
  decided: { decision: Decision; quantity: number; reason: string },
  by: Actor,
  warehouseId: number | null = null,
): Promise<void> {
  const { decision, quantity, reason } = decided;
  await tx.run(
    `insert into inspection_decisions (inspection_id, decision, quantity, reason, decided_by)
     values (:inspection_id, :decision, :quantity, :reason, :username)`,
    { inspection_id, decision, quantity, reason, username: by.username },
  );
  tx.audit({
    action: "INSPECTION_DECIDE",
    entity: "INSPECTION",
    entityId: inspection_id,
    warehouseId,
    details: { decision, quantity, reason },
  });
}

const Found = { warehouse_id: int.nullable(), lot_id: int.nullable(), is_open: bool };

/** An inspection that is open; 404 for none, 409 for one that has closed. */
export async function openOne(tx: Tx, inspection_id: number) {
  const found = await tx.row(
    Found,
    "select warehouse_id, lot_id, closed_at is null as is_open from inspections where inspection_id = $1",
    [inspection_id],
  );
  if (!found) throw InspectionNotFound();
  if (!found.is_open) throw InspectionClosed({ inspection_id });
  return found;
}
