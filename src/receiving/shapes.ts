import { z } from "zod";
import { ItemRow } from "../master-data/items/shapes.js";
import { LabelOfItem } from "../platform/barcodes/shapes.js";
import * as field from "../platform/fields/index.js";
import { AnyText, ExternalId, Text, Units } from "../platform/fields.js";
import { PoStatus } from "../platform/statuses.js";
import { PurchaseOrder, PurchaseOrderLine } from "../purchasing/shapes.js";
import { GivenSerials, SerialNumbers } from "../serials/shapes.js";

/** What the item asks of units that come. */
const AskedOfUnits = ItemRow.pick({
  ...{ lot_policy: true, requires_expiry: true, serial_policy: true },
  ...{ shelf_life_days: true, shelf_life_from: true, min_days_at_receipt: true },
});

export const ReceivingLine = PurchaseOrderLine.omit({ unit_cost: true })
  .extend({ quantity_remaining: field.QuantityRemaining, ...AskedOfUnits.shape })
  .meta({ id: "ReceivingLine", description: "A line of a purchase order, with the units still to be received." });

export const PurchaseOrderToReceive = z.strictObject({
  purchase_order: PurchaseOrder,
  lines: z.array(ReceivingLine).describe("The lines, each for one item."),
});
export type PurchaseOrderToReceive = z.infer<typeof PurchaseOrderToReceive>;

const ReceiptItem = z.strictObject({
  item_id: field.ItemId,
  quantity: field.MovedUnitCount,
  bin_id: field.BinId,
  lot_number: field.GivenLot.nullish(),
  serial_number: Text(100, "SN-0001").nullish().describe("Serial number of the unit."),
  serial_numbers: GivenSerials.nullish(),
  expiry_date: field.ExpiryDate.nullish(),
  production_date: field.ProductionDate.nullish(),
  scanned_barcode: LabelOfItem.nullish(),
  notes: Text(1000, "box dented").nullish().describe("Notes on the record."),
});
export type ReceiptItem = z.infer<typeof ReceiptItem>;

/** Items that arrived for one purchase order. */
export const NewReceipts = z.strictObject({
  po_id: field.PoId,
  items: z.array(ReceiptItem).min(1).describe("The items, one entry for each."),
});
export type NewReceipts = z.infer<typeof NewReceipts>;

export const ReceiptsCreated = z.strictObject({
  message: field.Done,
  receipt_ids: field.ReceiptIds,
  po_status: PoStatus as z.ZodType<string>,
  warnings: z
    .array(AnyText("The bin holds another item as well"))
    .describe("What the user should know, though it was done."),
});
export type ReceiptsCreated = z.infer<typeof ReceiptsCreated>;

export const ReceiptsToCancel = z.strictObject({ receipt_ids: field.ReceiptIds, po_id: field.PoId });
export type ReceiptsToCancel = z.infer<typeof ReceiptsToCancel>;

export const ReceiptsCancelled = z.strictObject({
  message: field.Done,
  reversed: z.int().optional().describe("How many receipts were taken back."),
});
export type ReceiptsCancelled = z.infer<typeof ReceiptsCancelled>;

/** The fields that receipts of purchase orders and of returns have. */
export const receiptFields = {
  receipt_id: field.ReceiptId,
  external_id: ExternalId,
  item_id: field.ItemId,
  sku: field.Sku,
  item_name: field.ItemName,
  quantity_received: field.QuantityReceived,
  bin_id: field.BinId,
  bin_code: field.BinCode,
  warehouse_id: field.WarehouseId,
  lot_number: field.Lot.nullable(),
  received_by: AnyText("ann").nullable().describe("Who received it."),
  received_at: field.ReceivedAt,
  notes: field.Notes.nullable(),
  serial_numbers: SerialNumbers,
};

export const Receipt = z
  .strictObject({
    ...receiptFields,
    po_line_id: field.PoLineId,
    line_number: field.NumberOfLine,
    serial_number: field.SerialNumber.nullable(),
  })
  .meta({ id: "Receipt", description: "Units of one item that were received on a purchase order." });
export type Receipt = z.infer<typeof Receipt>;

/** Units that were taken out of a bin. */
const TakenFromBin = z
  .strictObject({ bin_id: field.BinId, quantity: field.UnitCount })
  .meta({ id: "TakenFromBin", description: "Units that were taken out of a bin." });

/** The answer to the reversal of a receipt. */
export const reversalFields = {
  message: field.Done,
  receipt_id: field.ReceiptId,
  quantity_reversed: Units.describe("Units whose receipt was taken back."),
  bin_decrements: z.array(TakenFromBin).describe("What was taken out of which bin."),
};

export const ReceiptReversed = z.strictObject({
  ...reversalFields,
  po_id: field.PoId,
  po_status: PoStatus as z.ZodType<string>,
});
export type ReceiptReversed = z.infer<typeof ReceiptReversed>;
