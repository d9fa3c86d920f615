import { z } from "zod";
import { type Actor, visibleWarehouses } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { isLocked } from "../../src/purchasing/status.js";
import { NotAPoReceipt, ReceiptNotAvailable, ReceiptNotFound } from "../../src/receiving/problems.js";
import type { ReceiptReversed } from "../../src/receiving/shapes.js";
import { command, type Tx } from "../command.js";
import { linesOf, lockPurchaseOrder } from "../purchasing/edit.js";
import { changeRows, checkAllLocked, free, lockItems, type StockRow } from "../stock/stock.js";
import { removeReceipts, rowsOfReceipt } from "./cancel-receipts.js";

const Receipt = z.strictObject({
  receipt_id: int,
  external_id: text,
  po_id: int.nullable(),
  po_line_id: int.nullable(),
  item_id: int,
  item_external_id: text,
  sku: text,
  bin_id: int,
  quantity_received: int,
  lot_number: text.nullable(),
  serial_number: text.nullable(),
});
type Receipt = z.infer<typeof Receipt>;

/**
 * Reverses one receipt for an admin (docs/interface.md, Purchase orders). Units are taken from its bin first, then from
 * the other bins of the warehouse; only free units are taken, so no sales order loses a reservation.
 */
export function reverseReceipt(
  input: { receipt_id: number; reason?: string | null | undefined },
  by: Actor,
): Promise<ReceiptReversed> {
  return command("receiving.unreceive", by, input, async (tx) => {
    const { receipt_id } = input;
    const reason = input.reason || null;
    const { po_id } = await receiptOf(tx, receipt_id, by);
    if (po_id === null) throw NotAPoReceipt({ receipt_id }, { kind: "not_a_po_receipt" });
    const po = await lockPurchaseOrder(tx, po_id, by);
    const receipt = await receiptOf(tx, receipt_id, by);
    const bin_decrements = await takeFreeUnits(tx, po.warehouse_id, receipt);
    const lines = await linesOf(tx, po_id);
    const line = lines.find((l) => l.po_line_id === receipt.po_line_id);
    const quantity_reversed = receipt.quantity_received;
    if (line) line.quantity_received -= quantity_reversed;
    const progress = await removeReceipts(tx, po, lines, [receipt_id], by, {
      source: "admin_unreceive",
      receipt_id,
      item_id: receipt.item_id,
      quantity: quantity_reversed,
      bin_decrements,
      reason,
    });
    tx.emit({
      type: "receipt.cancelled",
      aggregateId: po.external_id,
      entity: "item_receipt",
      entityId: receipt_id,
      warehouseId: po.warehouse_id,
      data: {
        receipt_external_id: receipt.external_id,
        po_external_id: po.external_id,
        po_number: po.po_number,
        lines: [
          {
            item_external_id: receipt.item_external_id,
            sku: receipt.sku,
            quantity_reversed,
            lot_number: receipt.lot_number,
            serial_number: receipt.serial_number,
          },
        ],
        cancelled_by_user_external_id: by.externalId,
        cancelled_at: tx.now,
        reason,
      },
    });
    return {
      message: `Receipt ${receipt_id} was taken back`,
      receipt_id,
      po_id,
      po_status: isLocked(po.status) ? po.status : progress,
      quantity_reversed,
      bin_decrements,
    };
  });
}

/**
 * The receipt, within the caller's warehouses. It is read again after its order is locked, because a concurrent request
 * may have reversed it meanwhile.
 */
async function receiptOf(tx: Tx, receiptId: number, by: Actor): Promise<Receipt> {
  const receipt = await tx.row(
    Receipt,
    `select receipt_id, r.external_id, po_id, po_line_id, item_id, i.external_id as item_external_id, sku, bin_id,
            quantity_received, lot_number, serial_number
     from item_receipts r join items i using (item_id)
     where receipt_id = $1 and ($2::int[] is null or warehouse_id = any($2))`,
    [receiptId, visibleWarehouses(by)],
  );
  if (!receipt) throw ReceiptNotFound({}, { kind: "not_found" });
  return receipt;
}

/** Takes a receipt's units from free stock; returns how many were taken from which bin. */
export async function takeFreeUnits(
  tx: Tx,
  warehouseId: number,
  receipt: Pick<Receipt, "receipt_id" | "item_id" | "bin_id" | "lot_number" | "quantity_received">,
): Promise<ReceiptReversed["bin_decrements"]> {
  const rows = await lockItems(tx, warehouseId, [receipt.item_id]);
  const taken: { row: StockRow; units: number }[] = [];
  let available = 0;
  let missing = receipt.quantity_received;
  for (const row of rowsOfReceipt(receipt, rows)) {
    available += free(row);
    const units = Math.min(missing, free(row));
    if (units > 0) taken.push({ row, units });
    missing -= units;
  }
  if (missing > 0) {
    await checkAllLocked(tx, warehouseId, [receipt.item_id], rows);
    const counts = { warehouse_available: available, receipt_quantity: receipt.quantity_received };
    throw ReceiptNotAvailable(
      { receipt_id: receipt.receipt_id, ...counts },
      { kind: "insufficient_available", ...counts },
    );
  }
  await changeRows(
    tx,
    [],
    undefined,
    taken.map(({ row, units }) => ({ inventoryId: row.inventory_id, onHand: -units, released: 0 })),
  );
  return taken.map(({ row, units }) => ({ bin_id: row.bin_id, quantity: units }));
}
