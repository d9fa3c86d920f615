import { z } from "zod";
import { type Actor, visibleWarehouses } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { ReceiptStockGone, ReceiptsElsewhere } from "../../src/receiving/problems.js";
import type { ReceiptsCancelled, ReceiptsToCancel } from "../../src/receiving/shapes.js";
import { command, type Tx } from "../command.js";
import { type Line, linesOf } from "../purchasing/edit.js";
import { unreceiveSerials } from "../serials/receive.js";
import { checkAllLocked, free, lockItems, type StockRow, takeStock } from "../stock/stock.js";
import { lockTransfersOfItems } from "../stock/transfer-cuts.js";
import { lockPo, type Po, saveLines, savePoStatus } from "./receive.js";

const Receipt = z.strictObject({
  receipt_id: int,
  po_line_id: int,
  item_id: int,
  bin_id: int,
  bin_code: text,
  lot_number: text.nullable(),
  quantity_received: int,
});
type Receipt = z.infer<typeof Receipt>;

const CancelReceiptsRow = { receipt_id: int, po_id: int.nullable() };

/**
 * Cancels receipts of one purchase order (docs/interface.md, Receiving). Units are taken from the receipt's bin first,
 * then from the other bins of the warehouse, in case they were put away already. Receipts that do not exist or are in
 * another warehouse are skipped; one that belongs to another order rejects the whole call. No event (docs/interface.md,
 * What stays as it was).
 */
export function cancelReceipts(input: ReceiptsToCancel, by: Actor): Promise<ReceiptsCancelled> {
  return command("receiving.cancelReceipts", by, input, async (tx) => {
    const { po_id, receipt_ids } = input;
    if (receipt_ids.length === 0) return { message: "No receipts to cancel" };
    const visible = await tx.rows(
      CancelReceiptsRow,
      `select receipt_id, po_id from item_receipts
       where receipt_id = any($1) and ($2::int[] is null or warehouse_id = any($2)) order by receipt_id`,
      [receipt_ids, visibleWarehouses(by)],
    );
    const elsewhere = visible.filter((receipt) => receipt.po_id !== po_id).map((receipt) => receipt.receipt_id);
    if (elsewhere.length > 0) throw ReceiptsElsewhere({}, { receipt_ids: elsewhere, po_id });
    if (visible.length === 0) return { message: "Cancelled 0 receipt(s)", reversed: 0 };
    const po = await lockPo(tx, po_id, by);
    const lines = await linesOf(tx, po_id);
    const receipts = await tx.rows(
      Receipt,
      `select receipt_id, po_line_id, r.item_id, r.bin_id, bin_code, lot_number, quantity_received
       from item_receipts r join bins using (bin_id) where receipt_id = any($1) and po_id = $2 order by receipt_id`,
      [visible.map((receipt) => receipt.receipt_id), po_id],
    );
    if (receipts.length === 0) return { message: "Cancelled 0 receipt(s)", reversed: 0 };
    await takeFromStock(tx, po.warehouse_id, receipts);
    for (const receipt of receipts) {
      const line = lines.find((l) => l.po_line_id === receipt.po_line_id);
      if (line) line.quantity_received = Math.max(0, line.quantity_received - receipt.quantity_received);
    }
    const reversed = receipts.map((receipt) => receipt.receipt_id);
    await removeReceipts(tx, po, lines, reversed, by, { reversed_receipts: reversed.length, receipt_ids: reversed });
    return { message: `Cancelled ${receipts.length} receipt(s)`, reversed: receipts.length };
  });
}

/**
 * Deletes receipts whose units the caller has taken out of stock and off the order's lines; returns the order's status
 * by its lines. Audit RECEIVE_CANCEL.
 */
export async function removeReceipts(
  tx: Tx,
  po: Po,
  lines: Line[],
  receiptIds: number[],
  by: Actor,
  details: Record<string, unknown>,
): Promise<string> {
  const [progress] = await Promise.all([
    savePoStatus(tx, po, lines),
    saveLines(tx, lines),
    tx.run("delete from item_receipts where receipt_id = any($1)", [receiptIds]),
    unreceiveSerials(tx, receiptIds, po.po_number, by),
  ]);
  tx.audit({ action: "RECEIVE_CANCEL", entity: "PO", entityId: po.po_id, warehouseId: po.warehouse_id, details });
  return progress;
}

/** Takes the units of receipts out of stock, from the rows in the order of `rowsOfReceipt`. */
async function takeFromStock(tx: Tx, warehouseId: number, receipts: Receipt[]): Promise<void> {
  const items = [...new Set(receipts.map((r) => r.item_id))];
  const [transfers, rows] = await tx.inOrder([
    lockTransfersOfItems(tx, warehouseId, items),
    lockItems(tx, warehouseId, items),
  ]);
  for (const receipt of receipts) {
    let missing = receipt.quantity_received;
    for (const row of rowsOfReceipt(receipt, rows)) {
      const units = Math.min(missing, row.quantity_on_hand);
      if (units === 0) continue;
      await takeStock(tx, transfers, row, units, receipt.bin_code);
      row.quantity_allocated = Math.min(row.quantity_allocated, row.quantity_on_hand - units);
      row.quantity_on_hand -= units;
      missing -= units;
    }
    if (missing > 0) {
      await checkAllLocked(tx, warehouseId, items, rows);
      throw ReceiptStockGone({ receipt_id: receipt.receipt_id, missing });
    }
  }
}

/** The stock rows of a receipt's item and lot: its own bin first, then those with most free units. */
export function rowsOfReceipt(
  receipt: Pick<Receipt, "item_id" | "bin_id" | "lot_number">,
  rows: StockRow[],
): StockRow[] {
  return rows
    .filter((row) => row.item_id === receipt.item_id && row.lot_number === receipt.lot_number)
    .sort((a, b) => Number(b.bin_id === receipt.bin_id) - Number(a.bin_id === receipt.bin_id) || free(b) - free(a));
}
