import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { Day, Id, LotNumber, Text, Units } from "../platform/fields.js";
import { OrderStatus } from "../platform/statuses.js";
import { receiptFields, reversalFields } from "../receiving/shapes.js";
import { GivenSerials } from "../serials/shapes.js";

/** Returns as the interface shows them: docs/interface.md, Sales orders and Returns. */

const ReturnNumber = z.string().meta({ description: "Number of the sales order, unique.", examples: ["SO-1001-RMA"] });
const Said = (example: string) => z.string().meta({ examples: [example] });

export const NewReturn = z
  .strictObject({
    lines: z
      .array(
        z.strictObject({
          item_id: field.ItemId,
          quantity: field.GivenUnitCount,
          original_so_line_id: Id.nullish().describe(
            "The line of the original order that the units were shipped with.",
          ),
        }),
      )
      .min(1)
      .max(500)
      .describe("The lines, each for one item."),
    memo: Text(4096, "too small").nullish().describe("Note on the order."),
  })
  .meta({
    id: "NewReturn",
    description:
      "What a customer sends back of an order. Without `original_so_line_id`, the units may be of any line of " +
      "the item.",
  });
export type NewReturn = z.infer<typeof NewReturn>;

export const ReturnCreated = z
  .strictObject({
    message: Said("Created return SO-1001-RMA").describe("What was done, in words."),
    so_id: field.SoId,
    so_number: ReturnNumber,
  })
  .meta({ id: "ReturnCreated", description: "The return order that was made." });
export type ReturnCreated = z.infer<typeof ReturnCreated>;

export const NewReturnReceipt = z
  .strictObject({
    item_id: field.ItemId,
    quantity: field.MovedUnitCount,
    warehouse_id: Id.describe("Where the goods came to; it need not be the warehouse of the order."),
    bin_id: field.BinId,
    lot_number: LotNumber.nullish().describe("Without it, the lot that the units were shipped from, if it was one."),
    expiry_date: Day.nullish().describe("When the units expire; without it, as they did when they were shipped."),
    serial_numbers: GivenSerials.nullish(),
    condition: field.HeldCondition.nullish().describe(
      "What the units are put in as they come, for the reason in `notes`; without it they are sold again.",
    ),
    notes: Text(500, "box was open").nullish().describe("Notes on the record."),
    idempotency_key: z
      .guid()
      .nullish()
      .meta({
        description: "A repeat with the same key and body receives nothing more; with another body it is refused.",
        examples: ["5a1d0e3c-9a57-4c8e-8f0e-2b9b1c7d4e11"],
      }),
  })
  .meta({ id: "NewReturnReceipt", description: "Units of a return that have come, and the bin they were put into." });
export type NewReturnReceipt = z.infer<typeof NewReturnReceipt>;

/** The same at the scanner, where the return is named in the body. */
export const ScannedReturnReceipt = NewReturnReceipt.extend({ so_id: field.SoId }).meta({
  id: "ScannedReturnReceipt",
  description: "Units of a return that somebody on the floor has before them, and the bin they are put into.",
});

/** An item of a return, over all of its lines. */
const ReturnedItem = z
  .strictObject({
    item_id: field.ItemId,
    sku: field.Sku,
    item_name: field.ItemName,
    upc: field.Upc.nullable(),
    quantity_expected: Units.describe("Units that are announced."),
    quantity_remaining: Units.describe("Units that have not come yet."),
    has_serials: z.boolean().describe("Whether its units left with serial numbers, which are to be named."),
  })
  .meta({ id: "ReturnedItem", description: "Units of an item that come back, and what is asked of them." });

export const ReturnToReceive = z
  .strictObject({
    so_id: field.SoId,
    so_number: ReturnNumber,
    original_so_number: field.SoNumber.nullable(),
    customer_name: field.CustomerName.nullable(),
    memo: field.Memo.nullable(),
    warehouse_id: field.WarehouseId,
    status: OrderStatus,
    items: z.array(ReturnedItem).describe("What comes back, in the order of the lines."),
  })
  .meta({ id: "ReturnToReceive", description: "A return that waits for goods." });
export type ReturnToReceive = z.infer<typeof ReturnToReceive>;

export const ReturnReceived = z
  .strictObject({
    message: Said("Received 1 × MUG on SO-1001-RMA").describe("What was done, in words."),
    receipt_id: field.ReceiptId,
    status: OrderStatus,
    inspection_id: Id.optional().describe("The inspection that decides about units that were put in quarantine."),
    replayed: z.literal(true).optional().describe("Says that the key was used before: nothing was received again."),
  })
  .meta({ id: "ReturnReceived", description: "The receipt, and where the return stands after it." });
export type ReturnReceived = z.infer<typeof ReturnReceived>;

/** A receipt of a return, as it is listed. */
export const ReturnReceipt = z
  .strictObject({
    ...receiptFields,
    condition: field.HeldCondition.nullable().describe("What the units were put in as they came; null for as new."),
  })
  .meta({ id: "ReturnReceipt", description: "Units of one item that came back on a return." });
export type ReturnReceipt = z.infer<typeof ReturnReceipt>;

export const ReturnReceiptReversed = z
  .strictObject({
    ...reversalFields,
    message: Said("Receipt 7 was taken back").describe("What was done, in words."),
    so_id: field.SoId,
    status: OrderStatus,
  })
  .meta({ id: "ReturnReceiptReversed", description: "What was taken out of stock, and where the return stands now." });
export type ReturnReceiptReversed = z.infer<typeof ReturnReceiptReversed>;

export const ReturnClosed = z
  .strictObject({
    message: Said("Return SO-1001-RMA expects nothing more").describe("What was done, in words."),
    so_id: field.SoId,
    so_number: ReturnNumber,
    status: OrderStatus,
    released: z
      .array(
        z.strictObject({
          so_line_id: field.SoLineId,
          item_id: field.ItemId,
          sku: field.Sku,
          quantity: field.UnitCount,
        }),
      )
      .describe("What is not expected any more, and may be returned anew."),
  })
  .meta({ id: "ReturnClosed", description: "A return whose rest was given up." });
export type ReturnClosed = z.infer<typeof ReturnClosed>;

export const ReturnVoided = z
  .strictObject({
    message: Said("Voided return SO-1001-RMA").describe("What was done, in words."),
    so_number: ReturnNumber,
    audit_log_id: Id.nullable().describe("Null when the return had been voided before."),
  })
  .meta({ id: "ReturnVoided", description: "The return that was voided." });
export type ReturnVoided = z.infer<typeof ReturnVoided>;
