import { type Actor, checkWarehouse } from "../src/actor.js";
import { NothingToChange } from "../src/problem.js";
import {
  PoAlreadyClosed,
  PoExists,
  PoLocked,
  PoNotClosed,
} from "../src/purchase-orders/problems.js";
import type { PoDetail } from "../src/purchase-orders/queries.js";
import {
  isLocked,
  progressOf,
  statusAfter,
} from "../src/purchase-orders/status.js";
import { PoNotFound } from "../src/receiving/problems.js";
import type { PurchaseOrderStatus } from "../src/states.js";
import { command, type Tx } from "./command.js";
import { type Change, unlessTaken } from "./edit.js";
import { linesOf } from "./receiving.js";

type Header = PoDetail["purchase_order"];
export type LockedPo = Header & { external_id: string };

const fields = [
  "po_number",
  "po_barcode",
  "vendor_name",
  "expected_date",
  "notes",
] as const;
type Field = (typeof fields)[number];

/** What is to change; what is left out stays. */
export interface PoEdit {
  po_number?: string | undefined;
  po_barcode?: string | undefined;
  vendor_name?: string | null | undefined;
  expected_date?: string | null | undefined;
  notes?: string | null | undefined;
  status?: PurchaseOrderStatus | undefined;
}

/** Changes a purchase order's header (spec 4.6, reference 03 §3). Closed and archived ones change nothing but their status. */
export function editPurchaseOrder(
  po_id: number,
  edit: PoEdit,
  by: Actor,
): Promise<Header> {
  return command("purchase-orders.edit", by, { po_id, edit }, async (tx) => {
    const sent = fields.filter((field) => edit[field] !== undefined);
    if (sent.length === 0 && !edit.status) throw NothingToChange();
    const order = await lockPurchaseOrder(tx, po_id, by);
    const changes = changesOf(order, edit, sent);
    if (changes.length > 0 && isLocked(order.status))
      throw PoLocked({ status: order.status });
    const status = edit.status
      ? statusAfter(order.status, edit.status, await linesOf(tx, po_id))
      : order.status;
    const values = changes.map(({ field, new_value }) => [field, new_value]);
    const edited: LockedPo = {
      ...order,
      ...Object.fromEntries(values),
      status,
    };
    if (changes.length > 0) await saveHeader(tx, edited);
    await finishEdit(tx, order, edited, changes, by);
    const { external_id: _, ...header } = edited;
    return header;
  });
}

/** Ends what is expected of a purchase order, whatever came. */
export function closePurchaseOrder(
  po_id: number,
  by: Actor,
): Promise<{ message: string; status: PurchaseOrderStatus }> {
  return command("purchase-orders.close", by, { po_id }, async (tx) => {
    const order = await lockPurchaseOrder(tx, po_id, by);
    if (isLocked(order.status)) throw PoAlreadyClosed({ status: order.status });
    const closed = { ...order, status: "CLOSED" as const };
    await finishEdit(tx, order, closed, [], by);
    return {
      message: `Purchase order ${order.po_number} closed`,
      status: closed.status,
    };
  });
}

/** Goes on with a closed purchase order: it is as far as its lines say. */
export function reopenPurchaseOrder(
  po_id: number,
  by: Actor,
): Promise<{ message: string; status: PurchaseOrderStatus }> {
  return command("purchase-orders.reopen", by, { po_id }, async (tx) => {
    const order = await lockPurchaseOrder(tx, po_id, by);
    if (order.status !== "CLOSED") throw PoNotClosed({ status: order.status });
    const status = progressOf(await linesOf(tx, po_id));
    await finishEdit(tx, order, { ...order, status }, [], by);
    return { message: `Purchase order ${order.po_number} reopened`, status };
  });
}

/** Locks an order, which guards its lines; 404 when there is none, 403 when it is of a warehouse that is not the caller's. */
export async function lockPurchaseOrder(
  tx: Tx,
  po_id: number,
  by: Actor,
): Promise<LockedPo> {
  const order = await tx.row<LockedPo>(
    `select po_id, po_number, po_barcode, vendor_name, status, expected_date, warehouse_id, notes, created_at, external_id
     from purchase_orders where po_id = $1 for update`,
    [po_id],
  );
  if (!order) throw PoNotFound();
  checkWarehouse(by, order.warehouse_id);
  return order;
}

function changesOf(order: LockedPo, edit: PoEdit, sent: Field[]): Change[] {
  return sent
    .map((field) => ({
      field,
      old_value: order[field],
      new_value: edit[field] ?? null,
    }))
    .filter(({ old_value, new_value }) => old_value !== new_value);
}

async function saveHeader(tx: Tx, order: LockedPo): Promise<void> {
  const { po_id, po_number, po_barcode, vendor_name, expected_date, notes } =
    order;
  const saved = tx.run(
    `update purchase_orders
     set po_number = $2, po_barcode = $3, vendor_name = $4, expected_date = $5, notes = $6 where po_id = $1`,
    [po_id, po_number, po_barcode, vendor_name, expected_date, notes],
  );
  await unlessTaken(saved, PoExists({ po_number }));
}

/**
 * What every edit of an order ends with: its status is saved where it became another one, and audit rows (UPDATE,
 * PO_STATUS_CHANGED) and a `purchaseorderedit.completed` tell what changed, if anything did.
 */
export async function finishEdit(
  tx: Tx,
  order: LockedPo,
  { po_number, status }: Pick<LockedPo, "po_number" | "status">,
  changes: Change[],
  by: Actor,
  details: Record<string, unknown> = {},
): Promise<void> {
  const { po_id, warehouse_id, external_id } = order;
  const tell = (action: string, more: Record<string, unknown>) =>
    tx.audit({
      action,
      entity: "PO",
      entityId: po_id,
      warehouseId: warehouse_id,
      details: { po_number, ...more },
    });
  if (changes.length > 0) tell("UPDATE", { ...details, changes });
  const all = [...changes];
  if (status !== order.status) {
    await tx.run(
      `update purchase_orders
       set status = $2::text,
           received_at = case $2::text when 'RECEIVED' then coalesce(received_at, now()) when 'CLOSED' then received_at
                                 when 'ARCHIVED' then received_at end
       where po_id = $1`,
      [po_id, status],
    );
    const change = { old_value: order.status, new_value: status };
    tell("PO_STATUS_CHANGED", change);
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
