import { z } from "zod";
import { CodesOfItem } from "../../platform/barcodes/shapes.js";
import * as field from "../../platform/fields/index.js";
import { AnyText, Id } from "../../platform/fields.js";
import { PendingItem } from "../putaway/shapes.js";
import { PurchaseOrderToReceive, ReceivingLine } from "../shapes.js";

/** A delivery that a device has with all it needs, so that receiving goes on without the net: docs/offline.md. */

/** A bin as a device knows it. */
export const BinOnDevice = z
  .strictObject({ bin_id: field.BinId, bin_code: field.BinCode, bin_barcode: field.BinBarcode })
  .meta({ id: "BinOnDevice", description: "A bin, and the codes by which it is scanned." });

const LineOnDevice = ReceivingLine.extend({
  codes: CodesOfItem,
  suggested_bin_id: Id.nullable().describe("Id of the bin that what is still to come is best put into."),
  suggested_bin_code: AnyText("A-01-02").nullable().describe("Code of that bin."),
  suggested_bin_barcode: AnyText("A-01-02").nullable().describe("Barcode of that bin."),
}).meta({
  id: "ReceivingLineOnDevice",
  description: "A line of a purchase order, the codes of its item, and where the units are best put.",
});

export const DeliveryOnDevice = PurchaseOrderToReceive.extend({
  lines: z.array(LineOnDevice).describe("The lines, each for one item."),
  receiving_bins: z.array(BinOnDevice).describe("The bins of the warehouse for goods that arrive."),
  pending_items: z.array(PendingItem).describe("What of its items waits in such bins to be put away."),
}).meta({ id: "DeliveryOnDevice", description: "A purchase order, with all that its receipt needs without the net." });
export type DeliveryOnDevice = z.infer<typeof DeliveryOnDevice>;
