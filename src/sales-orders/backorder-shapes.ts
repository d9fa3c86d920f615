import { z } from "zod";
import { ComingOrder } from "../master-data/items/coming.js";
import * as field from "../platform/fields/index.js";
import { ExternalId, Id, OrderQuantity, Text, Time, Units } from "../platform/fields.js";
import { wholeList } from "../platform/list.js";
import { OrderStatus } from "../platform/statuses.js";
import { ShortChoice } from "../system/settings/shapes.js";

/**
 * Requests and answers of splitting an order, cancelling a backorder and the list of backorders: docs/interface.md,
 * Backorders.
 */

export const PartialFulfilment = z
  .strictObject({
    lines: z
      .array(
        z.strictObject({
          so_line_id: field.SoLineId,
          short_qty: OrderQuantity.describe("By how many units the line is short."),
          write_off: z
            .boolean()
            .default(false)
            .describe(
              "Whether all of them are taken off the books, wherever they are said to lie; by default only those are " +
                "that a picker looked for in vain.",
            ),
        }),
      )
      .min(1)
      .describe("The lines, each for one item."),
    reason_detail: Text(500, "two units were damaged").nullish().describe("More about the reason."),
  })
  .meta({ id: "PartialFulfilment", description: "By how many units the lines of an order are short." });
export type PartialFulfilment = z.infer<typeof PartialFulfilment>;

/** The decision about the missing units of an order that was picked short. */
export const ShortDecision = z
  .strictObject({
    decision: ShortChoice.describe(
      "`ship_short`: the order goes as it was picked; `wait`: the rest becomes a backorder; " +
        "`cancel_rest`: the rest is no longer ordered.",
    ),
    reason_detail: Text(500, "the customer was asked").nullish().describe("More about the reason."),
  })
  .meta({ id: "ShortDecision", description: "What becomes of an order that was picked short." });
export type ShortDecision = z.infer<typeof ShortDecision>;

export const ShortDecided = z
  .strictObject({
    so_id: field.SoId,
    so_number: field.SoNumber,
    status: OrderStatus,
    decision: ShortDecision.shape.decision,
    backorder_so: z
      .strictObject({ so_id: field.SoId, so_number: field.SoNumber, status: OrderStatus, external_id: ExternalId })
      .nullable()
      .describe("The backorder of the rest; null where nothing waits."),
  })
  .meta({ id: "ShortDecided", description: "An order that was picked short, and what was decided." });
export type ShortDecided = z.infer<typeof ShortDecided>;

const ShrinkLine = z
  .strictObject({
    so_line_id: field.SoLineId,
    item_id: field.ItemId,
    sku: field.Sku,
    item_name: field.ItemName,
    item_external_id: ExternalId,
    line_number: field.NumberOfLine,
    ordered_before: Units.describe("Units that the line asked for."),
    short_qty: Units.describe("By how many units the line is short."),
    ordered_after: Units.describe("Units that it asks for now."),
    line_deleted: z.boolean().describe("Whether nothing of the line was left."),
    adjustment_qty: Units.describe(
      "Units taken off the books because they were not found, as a negative number; 0 when there were none.",
    ),
  })
  .meta({ id: "ShrinkLine", description: "What became of a line that was cut, and of the stock on its books." });
export type ShrinkLine = z.infer<typeof ShrinkLine>;

export const PartiallyFulfilled = z
  .strictObject({
    original_so: z
      .strictObject({ so_id: field.SoId, so_number: field.SoNumber, status: OrderStatus })
      .describe("The order that was cut."),
    backorder_so: z
      .strictObject({ so_id: field.SoId, so_number: field.SoNumber, status: OrderStatus, external_id: ExternalId })
      .describe("The order that was made for what is short."),
    shrink_summary: z.array(ShrinkLine).describe("What became of each line that was cut."),
  })
  .meta({ id: "PartiallyFulfilledSalesOrder", description: "An order that was cut, and the backorder of the rest." });
export type PartiallyFulfilled = z.infer<typeof PartiallyFulfilled>;

export const BackorderCancellation = z.strictObject({
  cancellation_reason: Text(50, "refunded").trim().nullish().describe("Why it was cancelled."),
});
export type BackorderCancellation = z.infer<typeof BackorderCancellation>;

export const BackorderCancelled = z
  .strictObject({
    message: field.Done,
    bo_so_id: Id.describe("Id of the backorder."),
    cancellation_reason: field.CancellationReason,
    audit_log_id: Id.nullable().describe("Null when the backorder was cancelled before"),
  })
  .meta({ id: "CancelledBackorder", description: "A backorder that was cancelled, and why." });
export type BackorderCancelled = z.infer<typeof BackorderCancelled>;

export const BackorderTab = z
  .enum(["waiting", "ready-to-ship"])
  .describe("Which of the two lists: those that wait, or those that may be shipped.");
export type BackorderTab = z.infer<typeof BackorderTab>;

export const Backorder = z
  .strictObject({
    so_id: field.SoId,
    external_id: ExternalId,
    so_number: field.SoNumber,
    parent_so_id: field.ParentSoId.nullable(),
    parent_so_number: field.ParentSoNumber.nullable(),
    warehouse_id: field.WarehouseId,
    status: OrderStatus,
    customer_name: field.CustomerName.nullable(),
    items: z
      .array(
        z.strictObject({
          sku: field.Sku,
          item_name: field.ItemName,
          qty: field.Qty,
          open_po: ComingOrder,
        }),
      )
      .describe("The items, one entry for each."),
    days_waiting: field.DaysWaiting,
    backorder_opened_at: field.BackorderOpenedAt,
    fulfillable_since: Time.nullable().describe("Since when there was stock enough for it; null while it waits."),
    warehouse_code: field.WarehouseCode,
  })
  .meta({ id: "Backorder", description: "An order that waits or waited for stock, and what is on its way for it." });
export type Backorder = z.infer<typeof Backorder>;

export const BackorderFilters = z.object({
  ...wholeList(Backorder),
  tab: BackorderTab.default("waiting"),
  warehouse_id: field.WarehouseIdParam.optional(),
});
