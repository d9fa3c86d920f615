import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { Id, Quantity, Text, Units } from "../../platform/fields.js";
import { SalesOrderLine, ScannedOrder } from "../../sales-orders/shapes.js";
import { SerialNumbers, SerialPolicy } from "../../serials/shapes.js";

/** Packing: docs/interface.md, Packing. */

const LineToPack = SalesOrderLine.pick({
  so_line_id: true,
  line_number: true,
  item_id: true,
  sku: true,
  item_name: true,
  upc: true,
  properties: true,
})
  .extend({
    weight_lbs: field.WeightLbs,
    quantity_ordered: field.QuantityOrdered,
    quantity_picked: field.QuantityPicked,
    quantity_packed: field.QuantityPacked,
    pack_verified: z.boolean().describe("Whether the content was verified at packing."),
    serial_policy: SerialPolicy.exclude(["none"]).optional().describe("Left out where no serial number is asked for."),
    serial_numbers: SerialNumbers.optional().describe("Those that were packed; left out where none are asked for."),
  })
  .meta({ id: "LineToPack", description: "A line of an order that is being packed." });

export const OrderToPack = z
  .strictObject({
    sales_order: ScannedOrder,
    lines: z.array(LineToPack).describe("The lines, each for one item."),
    calculated_weight_lbs: field.CalculatedWeightLbs,
    total_items: field.TotalItems,
    items_verified: Units.describe("How many units are verified."),
    is_short: field.IsShort,
  })
  .meta({ id: "OrderToPack", description: "A picked order with what is to be packed." });
export type OrderToPack = z.infer<typeof OrderToPack>;

export const PackScan = z.strictObject({
  so_id: field.SoId,
  scanned_barcode: field.ScannedBarcode,
  item_id: Id.optional().describe("Which one is meant of several items with this code."),
  serial_number: Text(100, "SN-0001")
    .optional()
    .describe("Serial number of the unit, or its GS1 label; without it, that of the scanned label."),
  lot_number: field.GivenLot.nullish().describe("Lot of the units; without it, that of the scanned label."),
  quantity: Quantity.optional().describe("How many units; without it, as many as the scanned label says, else 1."),
});
export type PackScan = z.infer<typeof PackScan>;

export const VerifiedItem = z.strictObject({
  message: field.Done,
  item: z
    .strictObject({
      sku: field.Sku,
      item_name: field.ItemName,
      quantity_verified: Units.describe("Units that were scanned at packing."),
      serial_number: field.SerialNumber.optional(),
      line_complete: z.boolean().describe("Whether all units of the line are verified."),
    })
    .meta({ id: "VerifiedUnits", description: "The item that was asked for or written." }),
  order_progress: z
    .strictObject({
      total_lines: field.TotalLines,
      lines_verified: z.int().describe("How many lines are verified."),
      all_verified: z.boolean().describe("Whether all lines are verified."),
    })
    .meta({ id: "PackingProgress", description: "How far the order is verified." }),
});
export type VerifiedItem = z.infer<typeof VerifiedItem>;

export const PackedOrder = z.strictObject({
  message: field.Done,
  so_number: field.SoNumber,
  status: z.literal("PACKED").describe("Where the order stands now."),
  total_items: field.TotalItems,
  calculated_weight_lbs: field.CalculatedWeightLbs,
});
export type PackedOrder = z.infer<typeof PackedOrder>;
