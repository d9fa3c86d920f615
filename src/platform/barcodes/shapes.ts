import { z } from "zod";
import * as field from "../fields/index.js";
import { AnyText, Barcode, Day, ExternalId, Id } from "../fields.js";

/** A scanned label in a request that names the item itself. */
export const LabelOfItem = Barcode.describe(
  "What the scanner read, a code of this item. Lot, serial number and days that are left out are taken from it.",
);

/** For devices that judge scans without the net (docs/offline.md). */
export const CodesOfItem = z
  .array(AnyText("4006381333931"))
  .describe("Every code of the item, a GTIN in all its lengths: a scan is compared with them ignoring case.");

/** What a scanned label says besides the item. */
export const Scanned = z
  .strictObject({
    gtin: z
      .string()
      .nullable()
      .meta({ description: "The GTIN in 14 digits; null for other codes.", examples: ["00400000000015"] }),
    lot_number: AnyText("LOT-7").nullable().describe("Lot that the label names (GS1 AI 10)."),
    expiry_date: field.ExpiryDate.nullable(),
    best_before_date: Day.nullable().describe("Day until which it is at its best (GS1 AI 15)."),
    production_date: Day.nullable().describe("Day of production (GS1 AI 11)."),
    packaging_date: Day.nullable().describe("Day of packaging (GS1 AI 13)."),
    serial_number: AnyText("SN-0001").nullable().describe("Serial number that the label names (GS1 AI 21)."),
    quantity: z.int().positive().nullable().describe("Units that the label says are in it (GS1 AI 37, else 30)."),
    net_weight_kg: z.number().nonnegative().nullable().describe("Net weight in kilograms (GS1 AI 310x)."),
  })
  .meta({ id: "Scanned", description: "What the scanned label says; null for what it does not say." });
export type Scanned = z.infer<typeof Scanned>;

/** One of the items that a shared code may mean. */
export const Candidate = z.strictObject({
  item_id: Id,
  external_id: ExternalId,
  sku: z.string(),
  item_name: z.string(),
  upc: z.string().nullable(),
});
export type Candidate = z.infer<typeof Candidate>;
