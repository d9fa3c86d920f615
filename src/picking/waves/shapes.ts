import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { AnyText, Day, Id, Text, Units, Weight } from "../../platform/fields.js";
import { OrderType } from "../../sales-orders/shapes.js";
import { unusable } from "../../stock/why.js";
import { WalkLength } from "../shapes.js";

/** Planning waves and releasing them to whoever picks next: docs/waves.md. */

/** More than these are planned by another request. */
export const MOST_ORDERS_PLANNED = 5_000;
export const MOST_BATCHES = 100;
/** Of the orders that cannot be covered, so many are named. */
export const MOST_UNCOVERED = 200;
const MOST_PER_BATCH = 500;

const WaveFilter = z
  .strictObject({
    ship_by_until: Day.optional().describe("Orders that must leave on this day or before."),
    min_priority: z
      .int()
      .min(-2_147_483_647)
      .max(2_147_483_647)
      .optional()
      .describe("Orders of this priority at least."),
    ship_method: Text(100, "UPS Ground")
      .optional()
      .describe("Orders that are shipped like this, whether in capitals or not."),
    order_type: OrderType.exclude(["refund", "return"]).optional().describe("Orders of this type."),
    order_source: Text(20, "web").optional().describe("Orders that came in like this."),
    order_origin: field.GivenOrderOrigin.optional(),
    customer_id: Text(50, "C-1001").optional().describe("Orders of this customer."),
    zone_id: field.ZoneId.optional().describe("Orders whose units are all picked in this zone."),
    lines: z.enum(["single", "multi"]).optional().describe("Orders with one line to pick, or with several."),
    has_lot: z.boolean().optional().describe("Whether an item is in them whose units must have a lot."),
  })
  .meta({ id: "WaveFilter", description: "Which orders a wave is planned of; all of it must be true of an order." });

const WaveGroup = z
  .strictObject({
    by: z
      .enum(["zone", "ship_method", "ship_by", "single_line"])
      .optional()
      .describe(
        "What the orders of a batch have in common: the zone that they are picked in, how they are shipped, the " +
          "day by which they are to be shipped, or whether they have a single line.",
      ),
    max_orders: z.int().min(1).max(MOST_PER_BATCH).default(20).describe("How many orders a batch has at most."),
    max_lines: z.int().min(1).max(100_000).optional().describe("How many order lines a batch has at most."),
    max_units: z.int().min(1).max(10_000_000).optional().describe("How many units a batch has at most."),
    max_weight_lbs: z
      .number()
      .positive()
      .max(1_000_000)
      .optional()
      .describe("How heavy a batch is at most, in pounds."),
  })
  .meta({
    id: "WaveGroup",
    description: "How the orders become batches. An order that is too much alone is one alone.",
  });

const ChosenBatch = z
  .strictObject({ so_ids: z.array(Id).min(1).max(MOST_ORDERS_PLANNED).describe("Ids of its orders.") })
  .meta({ id: "ChosenBatch", description: "A batch of a plan." });

export const ordersIn = (batches: z.infer<typeof ChosenBatch>[]): number[] => batches.flatMap(({ so_ids }) => so_ids);
const isOnceEach = (ids: number[]) => new Set(ids).size === ids.length;

export const WaveToPlan = z
  .strictObject({
    warehouse_id: field.WarehouseId,
    combine: z
      .boolean()
      .default(true)
      .describe("Whether a batch is one walk for all its orders (a wave), or has a tote for each order."),
    filter: WaveFilter.default({}),
    so_ids: z
      .array(Id)
      .min(1)
      .max(MOST_ORDERS_PLANNED)
      .optional()
      .describe("These orders alone, as far as the filter selects them."),
    group: WaveGroup.default({ max_orders: 20 }),
    batches: z
      .array(ChosenBatch)
      .min(1)
      .max(MOST_BATCHES)
      .refine((batches) => isOnceEach(ordersIn(batches)), "An order is named twice")
      .optional()
      .describe("These batches alone, as a plan gave them: `so_ids` and `group` are of no effect."),
  })
  .meta({ id: "WaveToPlan", description: "Which orders are to be picked next, and in which batches." });
export type WaveToPlan = z.infer<typeof WaveToPlan> & {
  /** Where it waited: the id of what did. */
  waiting_id?: number;
};

export const PlannedBatch = z
  .strictObject({
    group: AnyText("A")
      .nullable()
      .describe("What its orders have in common, in words; null where nothing was asked for."),
    so_ids: z.array(Id).describe("Ids of its orders."),
    so_numbers: z.array(AnyText("SO-1001")).describe("Numbers of its orders."),
    total_orders: field.TotalOrders,
    total_lines: field.TotalLines,
    total_picks: field.TotalPicks,
    stops: z.int().describe("How many bins the picker goes to."),
    total_units: field.TotalUnits,
    weight_lbs: Weight.describe("Its weight in pounds, as far as the items have one."),
    walk: WalkLength,
  })
  .meta({ id: "PlannedBatch", description: "A batch that would be made." });
export type PlannedBatch = z.infer<typeof PlannedBatch>;

const WaveCoverage = z
  .strictObject({
    orders: z.int().describe("How many orders were asked for and may be picked."),
    covered_orders: z.int().describe("How many of them there is stock for."),
    units: Units.describe("Units that those orders ask for."),
    covered_units: Units.describe("Units of the orders that there is stock for."),
  })
  .meta({ id: "WaveCoverage", description: "How far the stock goes." });

const UncoveredOrder = z
  .strictObject({
    so_id: field.SoId,
    so_number: field.SoNumber,
    lines: z
      .array(
        z
          .strictObject({
            sku: field.Sku,
            item_name: field.ItemName,
            needed: Units.describe("Units that are still to be picked."),
            missing: Units.describe("Units of them that are in no bin that is picked from, or belong to other orders."),
            in_reserve: Units.optional().describe(
              "Units of those that wait to be carried to a pick face; there where all that the order lacks does.",
            ),
          })
          .meta({ id: "UncoveredLine", description: "A line that there is not enough stock for." }),
      )
      .describe("The lines that lack something."),
  })
  .meta({ id: "UncoveredOrder", description: "An order that there is not enough stock for." });

export const WaveToRelease = WaveToPlan.extend({
  user_id: field.UserId.optional().describe("Who is to pick all of them; where nobody is named, they wait."),
}).meta({ id: "WaveToRelease", description: "Which batches are made, and whose they are." });
export type WaveToRelease = z.infer<typeof WaveToRelease> & Pick<WaveToPlan, "waiting_id">;

/** Why an order that was asked for is in no batch. */
export const LeftOutReason = z.enum([
  ...(["held", "in_batch", "waiting_stock", "in_review", "nothing_to_pick"] as const),
  ...(["other_zone", "too_many"] as const),
]);
export type LeftOutReason = z.infer<typeof LeftOutReason>;

const LeftOut = z
  .strictObject({
    reason: LeftOutReason.describe(
      "Why: it is held, in another batch, waits for stock, is in review, has nothing to pick, is picked in another " +
        "zone too, or there are too many for one request.",
    ),
    orders: z.int().describe("How many orders."),
  })
  .meta({ id: "OrdersLeftOut", description: "Orders that the filter selects and that are in no batch." });

const planned = {
  coverage: WaveCoverage.describe("How far the stock goes."),
  uncovered: z.array(UncoveredOrder).describe(`The first ${MOST_UNCOVERED} orders that there is not enough stock for.`),
  left_out: z.array(LeftOut).describe("Orders that the filter selects and that are in no batch, counted by reason."),
};

export const LackingOfPlan = z
  .strictObject({
    sku: field.Sku,
    unusable: z
      .array(
        z
          .strictObject({
            reason: z.enum(unusable).exclude(["too_old"]).describe("Why, as in docs/why.md."),
            units: Units.describe("How many units."),
          })
          .meta({ id: "UnusableUnits", description: "Units that are not free to be picked, and why." }),
      )
      .describe("Its units that are not free to be picked, by reason, most first; an order's own are `reserved`, too."),
  })
  .meta({ id: "LackingOfPlan", description: "An item that uncovered orders lack, of which units lie there." });
export type LackingOfPlan = z.infer<typeof LackingOfPlan>;

export const WavesPlanned = z
  .strictObject({
    batches: z.array(PlannedBatch).describe("The batches that would be made."),
    ...planned,
    lacking: z.array(LackingOfPlan).describe("Why units of what the uncovered orders lack are not for them."),
  })
  .meta({ id: "WavesPlanned", description: "What a release would do now." });
export type WavesPlanned = z.infer<typeof WavesPlanned>;

export const LostReason = z.enum(["not_open", "held", "in_batch", "lacks_stock"]);
export type LostReason = z.infer<typeof LostReason>;

const LostOrder = z
  .strictObject({
    so_id: field.SoId,
    so_number: field.SoNumber,
    reason: LostReason.describe("Why: it is not open any more, is held, in another batch, or lost its stock."),
  })
  .meta({ id: "LostOrder", description: "An order that was planned, and could not be released a moment later." });
export type LostOrder = z.infer<typeof LostOrder>;

export const ReleasedBatch = z
  .strictObject({
    batch_id: field.BatchId,
    batch_number: field.BatchNumber,
    so_ids: z.array(Id).describe("Ids of its orders."),
    so_numbers: z.array(AnyText("SO-1001")).describe("Numbers of its orders."),
    total_orders: field.TotalOrders,
    total_picks: field.TotalPicks,
    total_units: field.TotalUnits,
    assigned_to: field.AssignedTo.optional().describe("Whose it is, where a picker was named."),
  })
  .meta({ id: "ReleasedBatch", description: "A batch that waits for a picker, or was given to one." });
export type ReleasedBatch = z.infer<typeof ReleasedBatch>;

export const WaitingWave = z
  .strictObject({
    waiting_id: Id.describe("Id of what waits."),
    so_ids: z.array(Id).describe("Ids of its orders."),
    so_numbers: z.array(AnyText("SO-1001")).describe("Numbers of its orders."),
  })
  .meta({ id: "WaitingWave", description: "Orders that are released once their units are on pick faces." });

export const WavesReleased = z
  .strictObject({
    batches: z.array(ReleasedBatch).describe("The batches that were made."),
    waiting: WaitingWave.optional().describe("The orders that wait for units from reserve, if there are any."),
    lost: z.array(LostOrder).describe("Orders that were lost between planning and release."),
    ...planned,
  })
  .meta({ id: "WavesReleased", description: "The batches that wait for pickers, and what is not in them." });
export type WavesReleased = z.infer<typeof WavesReleased>;

export const NextBatchRequest = z.strictObject({
  warehouse_id: field.WarehouseId,
  near_bin_id: field.BinId.optional().describe(
    "A bin near the picker: of batches that are equal the nearest is taken.",
  ),
});
export type NextBatchRequest = z.infer<typeof NextBatchRequest>;
