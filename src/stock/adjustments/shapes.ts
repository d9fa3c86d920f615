import { z } from "zod";
import { ExternalId, Id, listed, Name, OrderQuantity, QueryInt, Time, Units } from "../../platform/fields.js";
import { list } from "../../platform/list.js";

export const Adjustment = z
  .strictObject({
    adjustment_id: Id,
    external_id: ExternalId,
    item_id: Id,
    bin_id: Id,
    warehouse_id: Id,
    quantity_change: Units,
    reason_code: z.string(),
    reason_detail: z.string().nullable(),
    status: z.enum(["PENDING", "APPROVED", "REJECTED"]),
    adjusted_by: z.string().nullable(),
    adjusted_at: Time,
    cycle_count_id: Id.nullable(),
    superseded_by_count_id: Id.nullable(),
    sku: z.string(),
    item_name: z.string(),
    bin_code: z.string(),
    expected_quantity: z.int().nullable(),
    counted_quantity: z.int().nullable(),
    warehouse_code: z.string(),
  })
  .meta({
    id: "InventoryAdjustment",
    description: "A change of stock. Only one that a cycle count made has an expected and a counted quantity.",
  });
export type Adjustment = z.infer<typeof Adjustment>;

/** `username` repeats `adjusted_by`, for older clients. */
export const ListedAdjustment = Adjustment.extend({
  username: z.string().describe("The same as `adjusted_by`.").nullable(),
}).meta({
  id: "ListedInventoryAdjustment",
  description: "An adjustment in the list of all adjustments.",
});
export type ListedAdjustment = z.infer<typeof ListedAdjustment>;

export const adjustmentList = list(
  "adjustment_id",
  ...["adjustment_id", "adjusted_at", "adjusted_by", "status", "reason_code", "quantity_change", "sku", "bin_code"],
);

export const AdjustmentFilters = z.object({ ...adjustmentList.parameters, warehouse_id: QueryInt.optional() });
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
);

export const DirectAdjustment = z.strictObject({
  item_id: Id,
  bin_id: Id,
  warehouse_id: Id,
  adjustment_type: AdjustmentType,
  quantity: OrderQuantity,
  reason: Name(500, "found behind the rack"),
});
export type DirectAdjustment = z.infer<typeof DirectAdjustment>;

export const DirectAdjustmentDone = z.strictObject({
  adjustment_id: Id,
  item_id: Id,
  sku: z.string(),
  bin_id: Id,
  bin_code: z.string(),
  warehouse_id: Id,
  adjustment_type: z.enum(adjustmentTypes),
  quantity_change: Units,
  reason: z.string(),
  status: z.literal("APPROVED"),
  adjusted_at: Time,
});
export type DirectAdjustmentDone = z.infer<typeof DirectAdjustmentDone>;

/** A reviewer's decision on one adjustment. */
export const Decision = z.strictObject({
  adjustment_id: Id,
  action: z.enum(["approve", "reject"]).describe("What to do with it."),
});
export type Decision = z.infer<typeof Decision>;

/** How many adjustments a review approved and rejected. */
export const ReviewResult = z.strictObject({ approved: z.int(), rejected: z.int() });
export type ReviewResult = z.infer<typeof ReviewResult>;

/** With what each adjustment that was named is now; a refusal has it, too. */
export const ReviewAnswer = ReviewResult.extend({
  decisions: z
    .array(
      Adjustment.pick({ adjustment_id: true, status: true }).meta({
        id: "DecidedAdjustment",
        description: "What an adjustment is after the review.",
      }),
    )
    .describe("What each of the adjustments is now; those of other warehouses are not among them."),
});
