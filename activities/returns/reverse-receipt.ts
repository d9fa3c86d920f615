import { z } from "zod";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { ReceiptNotFound } from "../../src/receiving/problems.js";
import { NotAReturn, ReturnReceiptRefunded } from "../../src/returns/problems.js";
import type { ReturnReceiptReversed } from "../../src/returns/shapes.js";
import { command } from "../command.js";
import { takeFreeUnits } from "../receiving/reverse-receipt.js";
import { unreturnSerials } from "../serials/return.js";
import { receiveLines } from "../stock/line-counters.js";
import { LINES, ReturnedLine } from "./expected.js";
import { lockReturn } from "./lock.js";

const Receipt = z.strictObject({
  receipt_id: int,
  item_id: int,
  bin_id: int,
  warehouse_id: int,
  lot_number: text.nullable(),
  quantity_received: int,
});
type Receipt = z.infer<typeof Receipt>;

/**
 * Reverses a mistaken receipt of a return: its units leave stock, from its bin first and only free ones, and the return
 * expects them again. Refused once the order was refunded. Audit RETURN_RECEIVE_CANCEL, no event.
 */
export function reverseReturnReceipt(
  input: { so_id: number; receipt_id: number; reason?: string | null | undefined },
  by: Actor,
): Promise<ReturnReceiptReversed & { warehouse_id: number }> {
  return command("returns.reverseReceipt", by, input, async (tx) => {
    const { so_id, receipt_id } = input;
    const [{ order }, lines, receipt] = await tx.inOrder([
      lockReturn(tx, so_id, by),
      tx.rows(ReturnedLine, LINES, [so_id]),
      tx.row(
        Receipt,
        `select receipt_id, item_id, bin_id, warehouse_id, lot_number, quantity_received from item_receipts
         where receipt_id = $1 and so_id = $2`,
        [receipt_id, so_id],
      ),
    ]);
    const { so_number, order_type } = order;
    if (order_type !== "return") throw NotAReturn({ so_number, order_type });
    if (!receipt) throw ReceiptNotFound();
    checkWarehouse(by, receipt.warehouse_id);
    if (order.has_refund || order.original_refunded) throw ReturnReceiptRefunded({ so_number });
    const bin_decrements = await takeFreeUnits(tx, receipt.warehouse_id, receipt);
    const portions = unreceive(lines, receipt);
    const status = lines.some((line) => line.quantity_received > 0) ? "PARTIALLY_RECEIVED" : "OPEN";
    await Promise.all([
      receiveLines(tx, portions),
      tx.run("delete from item_receipts where receipt_id = $1", [receipt_id]),
      unreturnSerials(tx, receipt_id, order, by),
      tx.run("update sales_orders set status = $2, updated_at = clock_timestamp() where so_id = $1", [so_id, status]),
    ]);
    const { item_id, quantity_received: quantity } = receipt;
    tx.audit({
      ...{ action: "RETURN_RECEIVE_CANCEL", entity: "SO", entityId: so_id, warehouseId: receipt.warehouse_id },
      details: {
        ...{ so_number, receipt_id, item_id, quantity, bin_decrements, status },
        ...(input.reason && { reason: input.reason }),
      },
    });
    return {
      message: `Receipt ${receipt_id} was taken back`,
      ...{ receipt_id, so_id, warehouse_id: order.warehouse_id, status, quantity_reversed: quantity, bin_decrements },
    };
  });
}

/**
 * Takes the units off the lines of their item, the last line first, because they were counted from the first line on.
 */
function unreceive(lines: ReturnedLine[], { item_id, quantity_received }: Receipt) {
  let left = quantity_received;
  return lines
    .filter((line) => line.item_id === item_id)
    .toReversed()
    .flatMap((line) => {
      const units = Math.min(left, line.quantity_received);
      left -= units;
      line.quantity_received -= units;
      return units > 0 ? [{ so_line_id: line.so_line_id, units: -units }] : [];
    });
}
