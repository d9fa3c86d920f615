import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { AnyText, CappedLimit, Id, Time, Units } from "../../platform/fields.js";
import { Lot } from "../shapes.js";

/** What a trace lists, in this order; returns are among the receipts. */
export const traceKinds = ["receipt", "place", "move", "pick", "sale"] as const;
export type TraceKind = (typeof traceKinds)[number];

export const TraceStep = z
  .strictObject({
    kind: z
      .enum(["receipt", "return", "place", "move", "pick", "sale"])
      .describe("What the units did: came, lie somewhere, were moved, were picked for an order, were sold at a till."),
    id: Id.describe("Id of the receipt, stock row, movement, pick task or order."),
    at: Time.nullable().describe("When it was."),
    quantity: Units.describe("How many units."),
    warehouse_id: field.WarehouseId.nullable(),
    warehouse_code: field.WarehouseCode.nullable(),
    bin_code: field.BinCode.nullable(),
    to_bin_code: AnyText("A-02").nullable().describe("Of a movement, the bin that the units went to."),
    to_warehouse_code: AnyText("NORTH").nullable().describe("Of a movement, the warehouse that the units went to."),
    po_number: field.PoNumber.nullable(),
    vendor_name: field.VendorName.nullable(),
    so_id: field.SoId.nullable(),
    so_number: field.SoNumber.nullable(),
    customer_name: field.CustomerName.nullable(),
    customer_address: field.CustomerAddress.nullable(),
    batch_id: field.BatchId.nullable(),
    shipped_at: Time.nullable().describe("When the order was shipped."),
    carrier: field.Carrier.nullable(),
    tracking_number: field.TrackingNumber.nullable(),
    username: AnyText("rita").nullable().describe("Name of the user who did it."),
  })
  .meta({ id: "TraceStep", description: "Something that happened to units of a lot, or where they lie." });
export type TraceStep = z.infer<typeof TraceStep>;

export const TraceQuery = z.object({
  kind: z.enum(traceKinds).optional().describe("Only steps of that kind; `receipt` has the returns too."),
  limit: CappedLimit(1000).default(100).describe("The most steps of an answer."),
  cursor: z
    .string()
    .regex(/^(receipt|place|move|pick|sale)(-\d{1,10}){3}$/, "Not a cursor of a trace")
    .optional()
    .meta({ description: "`next_cursor` of the answer before.", examples: ["move-17-0-0"] }),
});
export type TraceQuery = z.infer<typeof TraceQuery>;

export const Trace = z
  .strictObject({
    lot: Lot,
    steps: z.array(TraceStep).describe("What came, where units lie, movements, picks and sales, each in their order."),
    next_cursor: AnyText("move-17-0-0").nullable().describe("Where the next answer begins; null after the last step."),
  })
  .meta({ id: "Trace", description: "Where a lot came from, where it lies, and where it went." });
export type Trace = z.infer<typeof Trace>;
