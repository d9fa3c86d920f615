import { z } from "zod";
import { Id, OrderQuantity, Quantity, Text } from "../fields.js";
import { OrderStatus } from "../statuses.js";

/** Returns as the interface shows them: spec 3.1, 4.6 and 4.7, reference 07 §4. */

const ReturnNumber = z.string().meta({ examples: ["SO-1001-RMA"] });
const Said = (example: string) => z.string().meta({ examples: [example] });

export const NewReturn = z
  .strictObject({
    lines: z
      .array(
        z.strictObject({
          item_id: Id,
          quantity: OrderQuantity,
          original_so_line_id: Id.nullish().describe(
            "The line of the original order that the units were shipped with.",
          ),
        }),
      )
      .min(1)
      .max(500),
    memo: Text(4096, "too small").nullish(),
  })
  .meta({
    id: "NewReturn",
    description:
      "What a customer sends back of an order. Without `original_so_line_id`, the units may be of any line of " +
      "the item.",
  });
export type NewReturn = z.infer<typeof NewReturn>;

export const ReturnCreated = z
  .strictObject({ message: Said("Created return SO-1001-RMA"), so_id: Id, so_number: ReturnNumber })
  .meta({ id: "ReturnCreated", description: "The return order that was made." });
export type ReturnCreated = z.infer<typeof ReturnCreated>;

export const NewReturnReceipt = z
  .strictObject({
    item_id: Id,
    quantity: Quantity,
    warehouse_id: Id.describe("Where the goods came to; it need not be the warehouse of the order."),
    bin_id: Id,
    notes: Text(500, "box was open").nullish(),
    idempotency_key: z
      .guid()
      .nullish()
      .describe("A repeat with the same key and body receives nothing more; with another body it is refused.")
      .meta({ examples: ["5a1d0e3c-9a57-4c8e-8f0e-2b9b1c7d4e11"] }),
  })
  .meta({ id: "NewReturnReceipt", description: "Units of a return that have come, and the bin they were put into." });
export type NewReturnReceipt = z.infer<typeof NewReturnReceipt>;

export const ReturnReceived = z
  .strictObject({
    message: Said("Received 1 × MUG on SO-1001-RMA"),
    receipt_id: Id,
    status: OrderStatus,
    replayed: z.literal(true).optional().describe("Says that the key was used before: nothing was received again."),
  })
  .meta({ id: "ReturnReceived", description: "The receipt, and where the return stands after it." });
export type ReturnReceived = z.infer<typeof ReturnReceived>;

export const ReturnVoided = z
  .strictObject({
    message: Said("Voided return SO-1001-RMA"),
    so_number: ReturnNumber,
    audit_log_id: Id.nullable().describe("Null when the return had been voided before."),
  })
  .meta({ id: "ReturnVoided", description: "The return that was voided." });
export type ReturnVoided = z.infer<typeof ReturnVoided>;
