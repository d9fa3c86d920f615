import { z } from "zod";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { bool, int, text } from "../../src/platform/db/columns.js";
import type { Change } from "../../src/platform/events/catalog.js";
import { NothingToChange } from "../../src/platform/problem.js";
import { PoAlreadyClosed, PoExists, PoLocked, PoNotClosed, PoNotFound } from "../../src/purchasing/problems.js";
import { type PoStatusChanged, PurchaseOrder, type PurchaseOrderChanges } from "../../src/purchasing/shapes.js";
import { isLocked, statusAfter, statusByLines } from "../../src/purchasing/status.js";
import { command, type Tx } from "../command.js";
import { refusingDuplicate } from "../edit.js";
import { ASKS } from "../stock/policies.js";

const LockedPurchaseOrder = z.strictObject({ ...PurchaseOrder.shape, external_id: text });
type LockedPurchaseOrder = z.infer<typeof LockedPurchaseOrder>;

const fields = ["po_number", "po_barcode", "vendor_name", "expected_date", "notes"] as const;
type Field = (typeof fields)[number];

/**
 * Changes a purchase order's header (docs/interface.md, Purchase orders). Of a closed or archived order only the status
 * can be changed.
 */
export function editPurchaseOrder(po_id: number, edit: PurchaseOrderChanges, by: Actor): Promise<PurchaseOrder> {
  return command("purchase-orders.edit", by, { po_id, edit }, async (tx) => {
    const sent = fields.filter((field) => edit[field] !== undefined);
    if (sent.length === 0 && !edit.status) throw NothingToChange();
    const po = await lockPurchaseOrder(tx, po_id, by);
    const changes = changesOf(po, edit, sent);
    if (changes.length > 0 && isLocked(po.status)) throw PoLocked({ status: po.status });
    const status = edit.status ? statusAfter(po.status, edit.status, await linesOf(tx, po_id)) : po.status;
    const values = changes.map(({ field, new_value }) => [field, new_value]);
    const after: LockedPurchaseOrder = { ...po, ...Object.fromEntries(values), status };
    if (changes.length > 0) await saveHeader(tx, after);
    await recordEdit(tx, po, after, changes, by);
    return after;
  });
}

/** Closes a purchase order, whatever was received: nothing more can be received on it. */
export function closePurchaseOrder(po_id: number, by: Actor): Promise<PoStatusChanged> {
  return command("purchase-orders.close", by, { po_id }, async (tx) => {
    const po = await lockPurchaseOrder(tx, po_id, by);
    if (isLocked(po.status)) throw PoAlreadyClosed({ status: po.status });
    const closed = { ...po, status: "CLOSED" as const };
    await recordEdit(tx, po, closed, [], by);
    return { message: "Purchase order closed", status: closed.status };
  });
}

/** Reopens a closed purchase order; its status is derived from its lines. */
export function reopenPurchaseOrder(po_id: number, by: Actor): Promise<PoStatusChanged> {
  return command("purchase-orders.reopen", by, { po_id }, async (tx) => {
    const po = await lockPurchaseOrder(tx, po_id, by);
    if (po.status !== "CLOSED") throw PoNotClosed({ status: po.status });
    const status = statusByLines(await linesOf(tx, po_id));
    await recordEdit(tx, po, { ...po, status }, [], by);
    return { message: "Purchase order reopened", status };
  });
}

/**
 * Locks an order's row, which also serializes changes of its lines; 404 for none, 403 for one of a warehouse that is
 * not the caller's.
 */
export async function lockPurchaseOrder(tx: Tx, po_id: number, by: Actor): Promise<LockedPurchaseOrder> {
  const po = await tx.row(
    LockedPurchaseOrder,
    `select po_id, external_id, po_number, po_barcode, vendor_name, status, expected_date, warehouse_id, notes,
            created_at
     from purchase_orders where po_id = $1 for update`,
    [po_id],
  );
  if (!po) throw PoNotFound();
  checkWarehouse(by, po.warehouse_id);
  return po;
}

function changesOf(po: LockedPurchaseOrder, edit: PurchaseOrderChanges, sent: Field[]): Change[] {
  return sent
    .map((field) => ({ field, old_value: po[field], new_value: edit[field] ?? null }))
    .filter(({ old_value, new_value }) => old_value !== new_value);
}

async function saveHeader(tx: Tx, po: LockedPurchaseOrder): Promise<void> {
  const saved = tx.run(
    `update purchase_orders
     set po_number = :po_number, po_barcode = :po_barcode, vendor_name = :vendor_name, expected_date = :expected_date,
         notes = :notes
     where po_id = :po_id`,
    po,
  );
  await refusingDuplicate(saved, PoExists({ po_number: po.po_number }));
}

/**
 * Ends every edit of an order: saves a changed status, and records the changes, if there are any, in audit rows
 * (UPDATE, PO_STATUS_CHANGED) and a `purchaseorderedit.completed` event.
 */
export async function recordEdit(
  tx: Tx,
  po: LockedPurchaseOrder,
  { po_number, status }: Pick<LockedPurchaseOrder, "po_number" | "status">,
  changes: Change[],
  by: Actor,
  details: Record<string, unknown> = {},
): Promise<void> {
  const { po_id, warehouse_id, external_id } = po;
  const audit = (action: string, more: Record<string, unknown>) =>
    tx.audit({ action, entity: "PO", entityId: po_id, warehouseId: warehouse_id, details: { po_number, ...more } });
  if (changes.length > 0) audit("UPDATE", { ...details, changes });
  const all = [...changes];
  if (status !== po.status) {
    await tx.run(
      `update purchase_orders
       set status = $2::text,
           received_at = case $2::text when 'RECEIVED' then coalesce(received_at, now()) when 'CLOSED' then received_at
                                 when 'ARCHIVED' then received_at end
       where po_id = $1`,
      [po_id, status],
    );
    const change = { old_value: po.status, new_value: status };
    audit("PO_STATUS_CHANGED", change);
    all.push({ field: "status", ...change });
  }
  if (all.length === 0) return;
  tx.emit({
    type: "purchaseorderedit.completed",
    aggregateId: external_id,
    entity: "purchase_order",
    entityId: po_id,
    warehouseId: warehouse_id,
    data: {
      purchase_order_external_id: external_id,
      po_number,
      status,
      changes: all,
      edited_by_user_external_id: by.externalId,
      edited_at: tx.now,
    },
  });
}

export const Line = z.strictObject({
  po_line_id: int,
  item_id: int,
  sku: text,
  item_external_id: text,
  serial_policy: text,
  quantity_ordered: int,
  quantity_received: int,
  /** Whether the item asks for something when units of it come. */
  asks: bool,
});
export type Line = z.infer<typeof Line>;

export function linesOf(tx: Tx, poId: number): Promise<Line[]> {
  return tx.rows(
    Line,
    `select po_line_id, item_id, sku, i.external_id as item_external_id, serial_policy, quantity_ordered,
            quantity_received, ${ASKS} as asks
     from purchase_order_lines join items i using (item_id) where po_id = $1 order by line_number, po_line_id`,
    [poId],
  );
}
