import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { AnyText, Day, ExternalId, Id, LotNumber, listed, Name } from "../../platform/fields.js";
import { list } from "../../platform/list.js";
import { GivenSerials } from "../../serials/shapes.js";

export const Adjustment = z
  .strictObject({
    adjustment_id: field.AdjustmentId,
    external_id: ExternalId,
    item_id: field.ItemId,
    bin_id: field.BinId,
    warehouse_id: field.WarehouseId,
    quantity_change: field.QuantityChange,
    reason_code: field.ReasonCode,
    reason_detail: AnyText("Dropped").nullable().describe("More about the reason."),
    status: z.enum(["PENDING", "APPROVED", "REJECTED"]).describe("Where the record stands in its life."),
    adjusted_by: AnyText("ann").nullable().describe("Who corrected the stock."),
    adjusted_at: field.AdjustedAt,
    cycle_count_id: Id.nullable().describe("Id of the cycle count that it comes from; null otherwise."),
    superseded_by_count_id: Id.nullable().describe(
      "Id of the count that found the item anew while this waited for approval; null otherwise.",
    ),
    sku: field.Sku,
    item_name: field.ItemName,
    bin_code: field.BinCode,
    expected_quantity: z.int().nullable().describe("Units that should be there; null in a blind count."),
    counted_quantity: z.int().nullable().describe("Units that were counted; null until then."),
    warehouse_code: field.WarehouseCode,
  })
  .meta({
    id: "InventoryAdjustment",
    description: "A change of stock. Only one that a cycle count made has an expected and a counted quantity.",
  });
export type Adjustment = z.infer<typeof Adjustment>;

/** `username` repeats `adjusted_by`, for older clients. */
export const ListedAdjustment = Adjustment.extend({
  username: AnyText("ann").describe("The same as `adjusted_by`.").nullable(),
}).meta({ id: "ListedInventoryAdjustment", description: "An adjustment in the list of all adjustments." });
export type ListedAdjustment = z.infer<typeof ListedAdjustment>;

export const adjustmentList = list(
  "adjustment_id",
  ...["adjustment_id", "adjusted_at", "adjusted_by", "status", "reason_code", "quantity_change", "sku", "bin_code"],
);

export const AdjustmentFilters = z.object({
  ...adjustmentList.parameters,
  warehouse_id: field.WarehouseIdParam.optional(),
});
export type AdjustmentFilters = z.infer<typeof AdjustmentFilters>;

const adjustmentTypes = ["ADD", "REMOVE"] as const;
/** Upper or lower case, for older clients. */
const AdjustmentType = listed(
  z
    .string()
    .trim()
    .toUpperCase()
    .pipe(z.enum(adjustmentTypes))
    .meta({ examples: ["ADD"] }),
  adjustmentTypes,
).describe("Whether units are added or removed.");

export const DirectAdjustment = z.strictObject({
  item_id: field.ItemId,
  bin_id: field.BinId,
  warehouse_id: field.WarehouseId,
  adjustment_type: AdjustmentType,
  quantity: field.GivenUnitCount,
  lot_number: LotNumber.nullish().describe(
    "The lot of the units. Without it they are taken from any, and added without one.",
  ),
  expiry_date: Day.nullish().describe("When units that are added expire."),
  serial_numbers: GivenSerials.nullish(),
  reason: Name(500, "found behind the rack").describe("Why, in the words of the user."),
});
export type DirectAdjustment = z.infer<typeof DirectAdjustment>;

export const DirectAdjustmentDone = z.strictObject({
  adjustment_id: field.AdjustmentId,
  item_id: field.ItemId,
  sku: field.Sku,
  bin_id: field.BinId,
  bin_code: field.BinCode,
  warehouse_id: field.WarehouseId,
  adjustment_type: z.enum(adjustmentTypes).describe("Whether units are added or removed."),
  quantity_change: field.QuantityChange,
  reason: field.Reason,
  status: z.literal("APPROVED").describe("Where the record stands in its life."),
  adjusted_at: field.AdjustedAt,
});
export type DirectAdjustmentDone = z.infer<typeof DirectAdjustmentDone>;

/** A reviewer's decision on one adjustment. */
export const Decision = z.strictObject({
  adjustment_id: field.AdjustmentId,
  action: z.enum(["approve", "reject"]).describe("What to do with it."),
  serial_numbers: GivenSerials.nullish(),
  lot_number: field.GivenLot.nullish().describe("Lot of the units that were found, where it is known."),
});
export type Decision = z.infer<typeof Decision>;

/** How many adjustments a review approved and rejected. */
export const ReviewResult = z.strictObject({
  approved: z.int().describe("How many were approved."),
  rejected: z.int().describe("How many were rejected."),
});
export type ReviewResult = z.infer<typeof ReviewResult>;

/** With the present status of each adjustment that was named; a refusal has it, too. */
export const ReviewAnswer = ReviewResult.extend({
  decisions: z
    .array(
      Adjustment.pick({ adjustment_id: true, status: true, quantity_change: true }).meta({
        id: "DecidedAdjustment",
        description: "What an adjustment is after the review; of an approved one the change that stock took.",
      }),
    )
    .describe("What each of the adjustments is now; those of other warehouses are not among them."),
});
