import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { AnyText, Time } from "../platform/fields.js";
import { stockClaims, unusable } from "../stock/why.js";

/** Why a pick task goes to its bin: docs/why.md. */

const Loser = z
  .strictObject({
    ...stockClaims,
    reason: z
      .enum([...unusable, "short_before", "expires_later", "later_in_sequence", "equal", "free_since"])
      .describe("Why its units are not picked instead."),
  })
  .meta({ id: "PickAlternative", description: "Units of the same item elsewhere, and why they are not picked." });

export const WhyPick = z
  .strictObject({
    pick_task_id: field.PickTaskId,
    as_of: Time.describe("When the rows were read: they are as they are now, not as they were at the decision."),
    code: z
      .enum([
        ...(["first_expired", "pick_sequence", "oldest", "only_place"] as const),
        ...(["was_first", "replaces_short", "transfer_reserved"] as const),
      ])
      .describe("What decided for these units."),
    words: AnyText("These units expire first").describe("The same, for people."),
    walked_by: z
      .enum(["shortest_tour", "pick_sequence"])
      .describe("What decides for the place in the walk: the layout of the warehouse, or the sequence of its bins."),
    bin_id: field.BinId,
    bin_code: field.BinCode,
    lot_number: field.Lot.nullable(),
    expiry_date: field.ExpiryDate.nullable(),
    others: z.array(Loser).describe("Other units of the item in the warehouse: those that could be picked first."),
  })
  .meta({ id: "WhyPick", description: "Why a task goes to its bin, and what was not chosen." });
export type WhyPick = z.infer<typeof WhyPick>;
