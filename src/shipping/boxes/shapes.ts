import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { AnyText, Edit, Id, Name, QueryBool, SearchText } from "../../platform/fields.js";
import { list } from "../../platform/list.js";
import { CostMinor, Currency, Length, ParcelWeight } from "../measures.js";

/** The boxes that parcels are packed in: docs/parcels.md. */

export const Box = z
  .strictObject({
    box_id: Id.describe("Which box it is, as routes name it."),
    box_code: AnyText("M").describe("Short code of the box, unique."),
    box_name: AnyText("Medium carton").describe("What people call the box."),
    length_in: Length.describe("Inside, in inches."),
    width_in: Length.describe("Inside, in inches."),
    height_in: Length.describe("Inside, in inches."),
    tare_lbs: ParcelWeight.describe("What it weighs when it is empty, in pounds."),
    max_weight_lbs: ParcelWeight.nullable().describe("The most that it may weigh when it is packed; null: any."),
    cost_minor: CostMinor.nullable().describe("What one costs, in the smallest unit of the currency."),
    cost_currency: AnyText("EUR").nullable().describe("Currency of the cost, by its ISO 4217 code."),
    is_active: field.IsActive,
    created_at: field.CreatedAt,
    updated_at: field.UpdatedAt,
  })
  .meta({ id: "Box", description: "What parcels are packed in." });
export type Box = z.infer<typeof Box>;

export const boxList = list(
  "b.box_id",
  ...["b.box_code", "b.box_name", "b.length_in", "b.max_weight_lbs", "b.is_active", "b.created_at", "b.updated_at"],
);

export const BoxFilters = z.object({
  ...boxList.parameters,
  active: QueryBool.optional().describe("Only boxes that are, or are not, in use."),
  q: SearchText("medium").optional().describe("A part of code or name."),
});
export type BoxFilters = z.infer<typeof BoxFilters>;

const Side = Length.min(0.01);
const fields = {
  box_code: Name(32, "M").describe("Short code of the box, unique."),
  box_name: Name(128, "Medium carton").describe("What people call the box."),
  length_in: Side.describe("Inside, in inches."),
  width_in: Side.describe("Inside, in inches."),
  height_in: Side.describe("Inside, in inches."),
  tare_lbs: ParcelWeight.describe("What it weighs when it is empty, in pounds."),
  max_weight_lbs: ParcelWeight.min(0.0001)
    .nullable()
    .describe("The most that it may weigh when it is packed; null: any."),
  cost_minor: CostMinor.nullable().describe("What one costs, in the smallest unit of the currency."),
  cost_currency: Currency.nullable(),
};

export const NewBox = z.strictObject({
  ...fields,
  tare_lbs: fields.tare_lbs.default(0),
  max_weight_lbs: fields.max_weight_lbs.default(null),
  cost_minor: fields.cost_minor.default(null),
  cost_currency: fields.cost_currency.default(null),
});
export type NewBox = z.infer<typeof NewBox>;

export const BoxChanges = Edit({ ...fields, is_active: field.IsActive });
export type BoxChanges = z.infer<typeof BoxChanges>;

export const BoxToUse = Box.pick({
  ...{ box_id: true, box_code: true, box_name: true, length_in: true, width_in: true, height_in: true },
  max_weight_lbs: true,
}).meta({ id: "BoxToUse", description: "A box in use, to choose one." });
export type BoxToUse = z.infer<typeof BoxToUse>;
