import { z } from "zod";
import { Day, ExternalId, Id, OrderQuantity, QueryInt, Text, Time, Units } from "../platform/fields.js";
import { wholeList } from "../platform/list.js";
import { OrderStatus } from "../platform/statuses.js";

/**
 * What dividing an order, cancelling a backorder and the list of backorders take and answer: docs/interface.md,
 * Backorders.
 */

export const PartialFulfilment = z
  .strictObject({
    lines: z
      .array(
        z.strictObject({
          so_line_id: Id,
          short_qty: OrderQuantity,
          write_off: z
            .boolean()
            .default(false)
            .describe(
              "Whether all of them are taken off the books, wherever they are said to lie; by default only those are " +
                "that a picker looked for in vain.",
            ),
        }),
      )
      .min(1),
    reason_detail: Text(500, "two units were damaged").nullish(),
  })
  .meta({ id: "PartialFulfilment", description: "By how many units the lines of an order are short." });
export type PartialFulfilment = z.infer<typeof PartialFulfilment>;

/** What becomes of what an order that was picked short lacks. */
export const ShortDecision = z
  .strictObject({
    decision: z
      .enum(["ship_short", "wait", "cancel_rest"])
      .describe(
        "`ship_short`: the order goes as it was picked; `wait`: the rest becomes a backorder; " +
          "`cancel_rest`: the rest is no longer ordered.",
      ),
    reason_detail: Text(500, "the customer was asked").nullish(),
  })
  .meta({ id: "ShortDecision", description: "What becomes of an order that was picked short." });
export type ShortDecision = z.infer<typeof ShortDecision>;

export const ShortDecided = z
  .strictObject({
    so_id: Id,
    so_number: z.string(),
    status: OrderStatus,
    decision: ShortDecision.shape.decision,
    backorder_so: z
      .strictObject({ so_id: Id, so_number: z.string(), status: OrderStatus, external_id: ExternalId })
      .nullable()
      .describe("The backorder of the rest; null where nothing waits."),
  })
  .meta({ id: "ShortDecided", description: "An order that was picked short, and what was decided." });
export type ShortDecided = z.infer<typeof ShortDecided>;

const ShrinkLine = z
  .strictObject({
    so_line_id: Id,
    item_id: Id,
    sku: z.string(),
    item_name: z.string(),
    item_external_id: ExternalId,
    line_number: z.int(),
    ordered_before: Units,
    short_qty: Units,
    ordered_after: Units,
    line_deleted: z.boolean(),
    adjustment_qty: Units,
  })
  .meta({ id: "ShrinkLine", description: "What became of a line that was cut, and of the stock on its books." });
export type ShrinkLine = z.infer<typeof ShrinkLine>;

export const PartiallyFulfilled = z
  .strictObject({
    original_so: z.strictObject({ so_id: Id, so_number: z.string(), status: OrderStatus }),
    backorder_so: z.strictObject({
      so_id: Id,
      so_number: z.string(),
      status: OrderStatus,
      external_id: ExternalId,
    }),
    shrink_summary: z.array(ShrinkLine),
  })
  .meta({ id: "PartiallyFulfilledSalesOrder", description: "An order that was cut, and the backorder of the rest." });
export type PartiallyFulfilled = z.infer<typeof PartiallyFulfilled>;

export const BackorderCancellation = z.strictObject({
  cancellation_reason: Text(50, "refunded").trim().nullish(),
});
export type BackorderCancellation = z.infer<typeof BackorderCancellation>;

export const BackorderCancelled = z
  .strictObject({
    message: z.string(),
    bo_so_id: Id,
    cancellation_reason: z.string(),
    audit_log_id: Id.nullable().describe("Null when the backorder was cancelled before"),
  })
  .meta({ id: "CancelledBackorder", description: "A backorder that was cancelled, and why." });
export type BackorderCancelled = z.infer<typeof BackorderCancelled>;

export const BackorderTab = z.enum(["waiting", "ready-to-ship"]);
export type BackorderTab = z.infer<typeof BackorderTab>;

export const Backorder = z
  .strictObject({
    so_id: Id,
    external_id: ExternalId,
    so_number: z.string(),
    parent_so_id: Id.nullable(),
    parent_so_number: z.string().nullable(),
    warehouse_id: Id,
    status: OrderStatus,
    customer_name: z.string().nullable(),
    items: z.array(
      z.strictObject({
        sku: z.string(),
        item_name: z.string(),
        qty: Units,
        open_po: z
          .strictObject({ po_id: Id, po_number: z.string(), expected_date: Day.nullable(), quantity_remaining: Units })
          .nullable(),
      }),
    ),
    days_waiting: z.int(),
    backorder_opened_at: Time,
    fulfillable_since: Time.nullable(),
    warehouse_code: z.string(),
  })
  .meta({ id: "Backorder", description: "An order that waits or waited for stock, and what is on its way for it." });
export type Backorder = z.infer<typeof Backorder>;

export const BackorderFilters = z.object({
  ...wholeList(Backorder),
  tab: BackorderTab.default("waiting"),
  warehouse_id: QueryInt.optional(),
});
