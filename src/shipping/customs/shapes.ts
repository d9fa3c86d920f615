import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { AnyText, Units } from "../../platform/fields.js";
import { CostMinor, Currency } from "../measures.js";
import { ParcelId } from "../parcels/shapes.js";

/** What is declared to customs of a parcel: docs/customs.md. */

/** What an item or its order has to say before its parcel can be declared. */
const needed = ["hs_code", "origin_country", "customs_value_minor", "customs_currency", "weight_lbs"] as const;
export type Needed = (typeof needed)[number];

export const CustomsLine = z
  .strictObject({
    sku: field.Sku,
    description: AnyText("Blue mug").describe("What it is: the item's name."),
    quantity: Units.describe("Units in the parcel."),
    hs_code: AnyText("6912.00").nullable().describe("Number of the customs tariff."),
    origin_country: AnyText("PT").nullable().describe("The country where it was made."),
    net_weight_lbs: z.number().nullable().describe("What these units weigh, in pounds; null where it is not known."),
    value_minor: CostMinor.nullable().describe("What these units are worth, in the currency's smallest unit."),
    currency: Currency.nullable(),
    missing: z.array(z.enum(needed)).describe("What the item does not say."),
  })
  .meta({ id: "CustomsLine", description: "Units of one item in a parcel, as customs ask of them." });
export type CustomsLine = z.infer<typeof CustomsLine>;

const Address = z.array(AnyText("12 High Street"));

export const CustomsDeclaration = z
  .strictObject({
    parcel_id: ParcelId,
    so_number: field.SoNumber,
    tracking_number: field.TrackingNumber.nullable(),
    sender: Address.describe("Who sends it, line by line."),
    recipient: Address.describe("Who gets it, line by line."),
    recipient_country: AnyText("CH").nullable().describe("The country where it goes."),
    lines: z.array(CustomsLine).describe("What is in it, by item."),
    gross_weight_lbs: z.number().nullable().describe("What the parcel weighs, in pounds."),
    total_quantity: field.TotalQuantity,
    total_minor: CostMinor.nullable().describe("What it is worth; null where a value is missing."),
    currency: Currency.nullable().describe("Currency of all values; null where they differ or are missing."),
    complete: z.boolean().describe("Whether nothing is missing, so that it can be printed."),
  })
  .meta({ id: "CustomsDeclaration", description: "What customs ask of a parcel, as far as it is known." });
export type CustomsDeclaration = z.infer<typeof CustomsDeclaration>;

export const customsForms = ["cn22", "cn23", "invoice"] as const;
export type CustomsForm = (typeof customsForms)[number];

export const contentKinds = {
  sale_of_goods: "Sale of goods",
  gift: "Gift",
  documents: "Documents",
  commercial_sample: "Commercial sample",
  returned_goods: "Returned goods",
  other: "Other",
} as const;
export type ContentKind = keyof typeof contentKinds;
export const ContentKind = z.enum(Object.keys(contentKinds) as [ContentKind]);
