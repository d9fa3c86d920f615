import { z } from "zod";
import { ComingOrder } from "../master-data/items/coming.js";
import * as field from "../platform/fields/index.js";
import { AnyText, Time, Units } from "../platform/fields.js";
import { stockClaims, unusable } from "../stock/why.js";
import { HoldReason } from "./holds.js";
import { NextStep } from "./next-step-shapes.js";

/** Why an order stands where it stands: docs/why.md. */

const Who = z
  .string()
  .meta({ examples: ["ada"] })
  .nullable();
const by = Who.describe("Who did it, as the audit log names them; null where it does not say.");
const by_name = Who.describe(
  "What people call them: a person, a token, a connector or a source; null for the service.",
);

const OrderHoldReason = z
  .strictObject({
    reason: z.enum([...HoldReason.options, "review"]).describe("Which hold: as `hold_reason`, or its review."),
    by,
    by_name,
    since: Time.nullable().describe("Since when; null where the audit log does not say."),
    note: AnyText("The payment is being checked").nullable().describe("What somebody wrote who holds it by hand."),
  })
  .meta({ id: "OrderHoldReason", description: "What holds an order, and who." });

const WaveReason = z
  .strictObject({
    batch_id: field.BatchId,
    batch_number: field.BatchNumber,
    made_by: z
      .enum(["picker", "release", "template"])
      .describe("How it was made: somebody scanned its orders, the desk released it, or a template did."),
    template_name: AnyText("Parcels").nullable().describe("Of the template that released it."),
    by,
    by_name,
    made_at: Time.describe("When it was made."),
    assigned_to: field.AssignedTo.nullable(),
  })
  .meta({ id: "WaveReason", description: "The wave that an order is in, and how it got there." });

const LeftOutOfWave = z
  .strictObject({
    reason: z.enum(["not_open", "held", "in_batch", "lacks_stock"]).describe("Why, as the release said (`lost`)."),
    at: Time.describe("When."),
  })
  .meta({ id: "LeftOutOfWave", description: "A wave was planned with the order, and released without it." });

const LackingItem = z
  .strictObject({
    item_id: field.ItemId,
    sku: field.Sku,
    units: Units.describe("How many are missing."),
    stock: z
      .array(
        z
          .strictObject({
            ...stockClaims,
            reason: z
              .enum(unusable)
              .nullable()
              .describe("Why they are not for the order; null where it can have those that are available."),
          })
          .meta({ id: "StockOfLackingItem", description: "Units of an item, and why they are not for the order." }),
      )
      .describe("Where units of the item lie in the warehouse, at most 50 rows."),
    coming: ComingOrder,
  })
  .meta({ id: "LackingItem", description: "An item of which an order lacks units." });

export const WhyOrder = z
  .strictObject({
    so_id: field.SoId,
    so_number: field.SoNumber,
    as_of: Time.describe("When the rows were read: they are as they are now."),
    code: NextStep.shape.code,
    words: NextStep.shape.message,
    hold: OrderHoldReason.nullable().describe("What holds it; null where nothing does."),
    wave: WaveReason.nullable().describe("The wave that it is in; null where it is in none."),
    left_out: LeftOutOfWave.nullable().describe("The last wave that left it out, while it is in none."),
    lacks: z.array(LackingItem).describe("The items of which it lacks units, in the order of their SKUs."),
  })
  .meta({ id: "WhyOrder", description: "Why a sales order stands where it stands." });
export type WhyOrder = z.infer<typeof WhyOrder>;
