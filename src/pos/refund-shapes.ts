import { z } from "zod";
import { GivenSerials } from "../serials/shapes.js";
import {
  CartLine,
  CashierId,
  CompletedAt,
  IdempotencyKey,
  OrderNumber,
  PaymentSummary,
  TerminalId,
  TransactionRef,
} from "./shapes.js";

/** Refunds at a till: docs/interface.md, Tills. */

const RefundLine = CartLine.extend({ serial_numbers: GivenSerials.nullish() }).meta({
  id: "RefundLine",
  description: "Units of an item that come back, and the bin they are put into.",
});

export const RefundRequest = z
  .strictObject({
    idempotency_key: IdempotencyKey,
    original_so_id: z
      .string()
      .max(128)
      .regex(/^(POS-\d+|.+-(REPLACEMENT|EXCHANGE|BO)(-\d+)?)$/, "Expected the number of a counter sale")
      .meta({ description: "Number of the sale.", examples: ["POS-1001"] }),
    original_external_txn_ref: TransactionRef,
    external_refund_ref: TransactionRef.describe("The repayment's own reference; null for cash."),
    cashier_id: CashierId,
    terminal_id: TerminalId,
    completed_at: CompletedAt,
    refund_summary: PaymentSummary.describe("The money that is paid back, in positive amounts."),
    lines: z
      .array(RefundLine)
      .min(1)
      .max(200)
      .nullish()
      .describe(
        "What comes back, and the bins it is put into. Without lines: all that is left, into the bins of the sale.",
      ),
  })
  .meta({ id: "Refund", description: "A counter sale, or a part of it, that is paid back." });
export type RefundRequest = z.infer<typeof RefundRequest>;

export const RefundMade = z
  .strictObject({
    refund_so_id: OrderNumber.meta({ description: "Number of the credit memo.", examples: ["POS-1001-REFUND"] }),
    original_so_id: OrderNumber.describe("Number of the sale."),
    fully_refunded: z
      .boolean()
      .describe("Whether all that was paid for is back, also what was split off the sale as a backorder."),
    replayed: z.literal(false).describe("Also in a replay, which has the header X-Idempotent-Replay."),
  })
  .meta({ id: "RefundMade", description: "The credit memo of a refund." });
export type RefundMade = z.infer<typeof RefundMade>;
