import { z } from "zod";
import { Barcode, Id, Quantity, Units, Weight } from "../../platform/fields.js";
import { SalesOrderLine, ScannedOrder } from "../../sales-orders/shapes.js";

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
    weight_lbs: Weight,
    quantity_ordered: Units,
    quantity_picked: Units,
    quantity_packed: Units,
    pack_verified: z.boolean(),
  })
  .meta({ id: "LineToPack", description: "A line of an order that is being packed." });

export const OrderToPack = z
  .strictObject({
    sales_order: ScannedOrder,
    lines: z.array(LineToPack),
    calculated_weight_lbs: Weight,
    total_items: Units,
    items_verified: Units,
  })
  .meta({ id: "OrderToPack", description: "A picked order with what is to be packed." });
export type OrderToPack = z.infer<typeof OrderToPack>;

export const PackScan = z.strictObject({
  so_id: Id,
  scanned_barcode: Barcode,
  item_id: Id.optional().describe("Which one is meant of several items with this code."),
  quantity: Quantity.optional().describe("How many units; without it, as many as the scanned label says, else 1."),
});
export type PackScan = z.infer<typeof PackScan>;

export const VerifiedItem = z.strictObject({
  message: z.string(),
  item: z.strictObject({
    sku: z.string(),
    item_name: z.string(),
    quantity_verified: Units,
    line_complete: z.boolean(),
  }),
  order_progress: z.strictObject({
    total_lines: z.int(),
    lines_verified: z.int(),
    all_verified: z.boolean(),
  }),
});
export type VerifiedItem = z.infer<typeof VerifiedItem>;

export const PackedOrder = z.strictObject({
  message: z.string(),
  so_number: z.string(),
  status: z.literal("PACKED"),
  total_items: Units,
  calculated_weight_lbs: Weight,
});
export type PackedOrder = z.infer<typeof PackedOrder>;
