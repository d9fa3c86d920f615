import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { Name, Time } from "../../platform/fields.js";

/** Where the aisles, cross aisles and rows of a warehouse lie: docs/layout.md. */

/** To the centimetre, so that lengths are added exactly. */
const Metres = (example: number) =>
  z
    .number()
    .min(0)
    .max(5_000)
    .multipleOf(0.01)
    .meta({ examples: [example] });

const isAscending = (numbers: number[]) => numbers.every((n, i) => i === 0 || n > (numbers[i - 1] as number));
const areDifferent = (names: string[]) => new Set(names).size === names.length;

/** A walk over sixty stops is planned within 5 ms in a house of at most so many. */
const MOST_CROSS_AISLES = 3;

export const Layout = z
  .strictObject({
    cross_aisles: z
      .array(Metres(14))
      .min(2)
      .max(MOST_CROSS_AISLES)
      .refine(isAscending, "Expected ascending distances")
      .refine(([front]) => front === 0, "The first cross aisle is the front, at 0")
      .meta({ examples: [[0, 14, 28]] })
      .describe(
        "How far from the front the cross aisles lie: that at the front (0), one between if any, that at the back.",
      ),
    aisles: z
      .array(
        z
          .strictObject({
            aisle: Name(32, "A").describe("The aisle of its bins."),
            metres: Metres(3.5).describe("How far along the front it lies."),
          })
          .meta({ id: "LayoutAisle", description: "Where an aisle lies." }),
      )
      .min(1)
      .max(500)
      .refine((aisles) => isAscending(aisles.map(({ metres }) => metres)), "Expected ascending distances")
      .refine((aisles) => areDifferent(aisles.map(({ aisle }) => aisle)), "An aisle is named twice")
      .describe("The aisles from left to right, each from the front to the back."),
    rows: z
      .array(
        z
          .strictObject({
            row: Name(32, "01").describe("The row of its bins, as it is painted on the shelf."),
            metres: Metres(1.5).describe("How far from the front it lies."),
          })
          .meta({ id: "LayoutRow", description: "Where a row lies in every aisle." }),
      )
      .min(1)
      .max(1_000)
      .refine((rows) => areDifferent(rows.map(({ row }) => row)), "A row is named twice")
      .describe("The rows, which lie equally deep in all aisles; rows opposite each other have the same distance."),
    depot: z
      .strictObject({ metres: Metres(7).describe("How far along the front it lies.") })
      .describe("Where walks begin and end, in the cross aisle at the front."),
  })
  .refine(({ cross_aisles, rows }) => rows.every(({ metres }) => metres <= (cross_aisles.at(-1) ?? 0)), {
    error: "A row lies behind the last cross aisle",
    path: ["rows"],
  })
  .meta({ id: "WarehouseLayout", description: "Where the aisles, cross aisles and rows of a warehouse lie." });
export type Layout = z.infer<typeof Layout>;

export const KeptLayout = z
  .strictObject({
    warehouse_id: field.WarehouseId,
    layout: Layout,
    placed_bins: z.int().describe("How many active bins have a place in it."),
    unplaced_bins: z.int().describe("How many active bins have none: a walk to one of them goes by pick_sequence."),
    updated_by: field.User,
    updated_at: Time.describe("When it was last changed."),
  })
  .meta({ id: "KeptWarehouseLayout", description: "The layout of a warehouse, and how many bins have a place in it." });
export type KeptLayout = z.infer<typeof KeptLayout>;
