import { z } from "zod";
import { LabelOfItem } from "../platform/barcodes/shapes.js";
import { Day, ExternalId, Id, LotNumber, Quantity, Text, Time, Units } from "../platform/fields.js";
import { PoStatus } from "../platform/statuses.js";
import { PurchaseOrder, PurchaseOrderLine } from "../purchasing/shapes.js";

const ReceivingLine = PurchaseOrderLine.omit({ unit_cost: true })
  .extend({ quantity_remaining: Units })
  .meta({ id: "ReceivingLine", description: "A line of a purchase order, with the units still to be received." });

export const PurchaseOrderToReceive = z.strictObject({
  purchase_order: PurchaseOrder,
  lines: z.array(ReceivingLine),
});
export type PurchaseOrderToReceive = z.infer<typeof PurchaseOrderToReceive>;

const ReceiptItem = z.strictObject({
  item_id: Id,
  quantity: Quantity,
  bin_id: Id,
  lot_number: LotNumber.nullish(),
  serial_number: Text(100, "SN-0001").nullish(),
  expiry_date: Day.nullish(),
  scanned_barcode: LabelOfItem.nullish(),
  notes: Text(1000, "box dented").nullish(),
});
export type ReceiptItem = z.infer<typeof ReceiptItem>;

/** Items that arrived for one purchase order. */
export const NewReceipts = z.strictObject({ po_id: Id, items: z.array(ReceiptItem).min(1) });
export type NewReceipts = z.infer<typeof NewReceipts>;

export const ReceiptsCreated = z.strictObject({
  message: z.string(),
  receipt_ids: z.array(Id),
  po_status: PoStatus as z.ZodType<string>,
  warnings: z.array(z.string()),
});
export type ReceiptsCreated = z.infer<typeof ReceiptsCreated>;

export const ReceiptsToCancel = z.strictObject({ receipt_ids: z.array(Id), po_id: Id });
export type ReceiptsToCancel = z.infer<typeof ReceiptsToCancel>;

export const ReceiptsCancelled = z.strictObject({ message: z.string(), reversed: z.int().optional() });
export type ReceiptsCancelled = z.infer<typeof ReceiptsCancelled>;

/** What the receipts of purchase orders and of returns have. */
export const receiptFields = {
  receipt_id: Id,
  external_id: ExternalId,
  item_id: Id,
  sku: z.string(),
  item_name: z.string(),
  quantity_received: Units,
  bin_id: Id,
  bin_code: z.string(),
  warehouse_id: Id,
  lot_number: z.string().nullable(),
  received_by: z.string().nullable(),
  received_at: Time,
  notes: z.string().nullable(),
};

export const Receipt = z
  .strictObject({
    ...receiptFields,
    po_line_id: Id,
    line_number: z.int(),
    serial_number: z.string().nullable(),
  })
  .meta({ id: "Receipt", description: "Units of one item that were received on a purchase order." });
export type Receipt = z.infer<typeof Receipt>;

/** Units that were taken out of a bin. */
const TakenFromBin = z
  .strictObject({ bin_id: Id, quantity: Units })
  .meta({ id: "TakenFromBin", description: "Units that were taken out of a bin." });

/** What taking back a receipt answers. */
export const reversalFields = {
  message: z.string(),
  receipt_id: Id,
  quantity_reversed: Units,
  bin_decrements: z.array(TakenFromBin),
};

export const ReceiptReversed = z.strictObject({
  ...reversalFields,
  po_id: Id,
  po_status: PoStatus as z.ZodType<string>,
});
export type ReceiptReversed = z.infer<typeof ReceiptReversed>;
