import { z } from "zod";
import { LabelOfItem } from "../../platform/barcodes/shapes.js";
import * as field from "../../platform/fields/index.js";
import { Name } from "../../platform/fields.js";

/** Damaged units, as somebody on the floor reports them: docs/inspection.md. */
export const DamageReport = z
  .strictObject({
    item_id: field.ItemId,
    bin_id: field.BinId,
    lot_number: field.GivenLot.nullish(),
    quantity: field.MovedUnitCount,
    reason: Name(400, "fell from the shelf").describe("What happened, in the words of the user."),
    scanned_barcode: LabelOfItem.nullish(),
  })
  .meta({ id: "DamageReport", description: "Units in a bin that somebody found damaged." });
export type DamageReport = z.infer<typeof DamageReport>;
