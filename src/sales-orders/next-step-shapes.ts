import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { Units } from "../platform/fields.js";

/** The next step of an order, for its detail page. */

const codes = [
  ...["wait_for_stock", "pick", "in_wave", "picked_short", "pack", "ship", "shipped"],
  ...["review", "held_differs_from_shop", "held_on_hold_in_shop", "held_by_hand"],
  ...["cancelled", "refunded", "wait_for_return", "returned", "voided", "documents_refund"],
] as const;

export const NextStep = z
  .strictObject({
    code: z.enum(codes).describe("What comes next."),
    message: z
      .string()
      .meta({ description: "The same in words.", examples: ["Waits for stock: 2 of MUG-BLUE missing"] }),
    missing: z
      .array(
        z
          .strictObject({ sku: field.Sku, units: Units.describe("How many are missing.") })
          .meta({ id: "MissingUnits", description: "Units of an item that are in no bin from which they could come." }),
      )
      .describe(
        "What `wait_for_stock` and `wait_for_return` wait for, `picked_short` lacks and `shipped` left without.",
      ),
    wave: z
      .strictObject({ batch_id: field.BatchId, batch_number: field.BatchNumber })
      .nullable()
      .meta({ id: "WaveOfOrder", description: "The wave that picks the order now; null where none does." }),
    by: z
      .string()
      .nullable()
      .meta({
        description: "Who picks it, or who cancelled it; null where nobody does, or the service itself did.",
        examples: ["Ann Miller"],
      }),
  })
  .meta({ id: "NextStep", description: "What comes next for a sales order, and what it waits for." });
export type NextStep = z.infer<typeof NextStep>;
