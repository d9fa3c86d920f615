import { z } from "zod";
import * as field from "../platform/fields/index.js";
import {
  AnyText,
  Cost,
  DayText,
  ExternalId,
  QueryBool,
  QueryList,
  SearchText,
  Text,
  UnitCost,
} from "../platform/fields.js";
import { list, withTotals } from "../platform/list.js";
import * as pushed from "../platform/pushed-columns.js";
import { purchaseOrderStates } from "../platform/states.js";
import { PoStatus } from "../platform/statuses.js";

const PoLineStatus = z.enum(["PENDING", "PARTIAL", "RECEIVED"]);

export const PurchaseOrder = z
  .strictObject({
    po_id: field.PoId,
    external_id: ExternalId,
    po_number: field.PoNumber,
    po_barcode: AnyText("PO-2001").describe("What the scanner reads on the purchase order."),
    vendor_name: field.VendorName.nullable(),
    status: PoStatus,
    expected_date: field.ExpectedDate.nullable(),
    warehouse_id: field.WarehouseId,
    notes: field.Notes.nullable(),
    created_at: field.CreatedAt,
  })
  .meta({ id: "PurchaseOrder", description: "A purchase order without its lines." });
export type PurchaseOrder = z.infer<typeof PurchaseOrder>;

export const PurchaseOrderSummary = PurchaseOrder.extend({
  received_at: field.ReceivedAt.nullable(),
  created_by: field.CreatedBy.nullable(),
  updated_at: field.UpdatedAt,
  warehouse_code: field.WarehouseCode,
}).meta({ id: "PurchaseOrderSummary", description: "A purchase order in a list." });
export type PurchaseOrderSummary = z.infer<typeof PurchaseOrderSummary>;

export const PurchaseOrderLine = z
  .strictObject({
    po_line_id: field.PoLineId,
    line_number: field.NumberOfLine,
    item_id: field.ItemId,
    sku: field.Sku,
    item_name: field.ItemName,
    upc: field.Upc.nullable(),
    mpn: field.Mpn.nullable(),
    quantity_ordered: field.QuantityOrdered,
    quantity_received: field.QuantityReceived,
    unit_cost: Cost.nullable().describe("Cost of one unit, in the company's currency."),
    status: PoLineStatus.describe("Where the record stands in its life."),
  })
  .meta({ id: "PurchaseOrderLine", description: "A line of a purchase order." });

export const PurchaseOrderWithLines = z
  .strictObject({
    purchase_order: PurchaseOrder,
    lines: z.array(PurchaseOrderLine).describe("The lines, each for one item."),
  })
  .meta({ id: "PurchaseOrderDetail", description: "A purchase order with its lines." });
export type PurchaseOrderWithLines = z.infer<typeof PurchaseOrderWithLines>;

const unitsOf = (column: string) =>
  `(select coalesce(sum(${column}), 0) from purchase_order_lines l where l.po_id = purchase_orders.po_id)`;

export const purchaseOrderList = withTotals(
  list(
    "po_id",
    ...["po_id", "po_number", "vendor_name", "status", "expected_date", "created_at", "received_at", "updated_at"],
  ),
  {
    quantity_ordered: { says: "Units that were ordered.", sql: unitsOf("quantity_ordered") },
    quantity_received: { says: "Units of them that came.", sql: unitsOf("quantity_received") },
  },
);

export const PurchaseOrderFilters = z.object({
  ...purchaseOrderList.parameters,
  status: QueryList.meta({ examples: ["OPEN,PARTIAL"] })
    .optional()
    .describe("Only orders that stand there."),
  warehouse_id: field.WarehouseIdParam.optional(),
  q: SearchText("Acme").optional().describe("Words to look for."),
  include_archived: QueryBool.default(false).describe("Whether archived records are listed too."),
});
export type PurchaseOrderFilters = z.infer<typeof PurchaseOrderFilters>;

/** A line to be added to an existing order, after the others. */
export const NewLine = z.strictObject({
  item_id: field.ItemId,
  quantity_ordered: field.GivenQuantityOrdered,
  unit_cost: UnitCost.nullish().describe("Cost of one unit, in the company's currency."),
});
export type NewLine = z.infer<typeof NewLine>;

/** The header's fields that are the same when an order is created and when it is changed. */
const header = {
  vendor_name: Text(256, "Acme Supply").nullish().describe("Name of the vendor that delivers."),
  expected_date: DayText.nullish().describe("The day on which the goods should come."),
  notes: Text(1000, "dock 2").nullish().describe("Notes on the record."),
};

export const NewPurchaseOrder = z.strictObject({
  po_number: field.GivenPoNumber,
  warehouse_id: field.WarehouseId,
  /** Without a `line_number`, a line gets its position in this list. */
  lines: z
    .array(NewLine.extend({ line_number: field.GivenNumberOfLine.nullish() }))
    .min(1)
    .describe("The lines, each for one item."),
  /** The default is the number. */
  po_barcode: field.PoBarcode.nullish(),
  ...header,
});
export type NewPurchaseOrder = z.infer<typeof NewPurchaseOrder>;

export const PurchaseOrderChanges = z.strictObject({
  po_number: field.GivenPoNumber.optional(),
  po_barcode: field.PoBarcode.optional(),
  ...header,
  status: PoStatus.optional(),
});
export type PurchaseOrderChanges = z.infer<typeof PurchaseOrderChanges>;

/** The answer to closing and to reopening an order. */
export const PoStatusChanged = z
  .strictObject({ message: field.Done, status: PoStatus })
  .meta({ id: "PurchaseOrderStatusChange", description: "What was done to a purchase order, and its status now." });
export type PoStatusChanged = z.infer<typeof PoStatusChanged>;

export const LineAdded = z.strictObject({
  po_line_id: field.PoLineId,
  po_id: field.PoId,
  item_id: field.ItemId,
  sku: field.Sku,
  quantity_ordered: field.QuantityOrdered,
  quantity_received: z.literal(0).describe("Units that were booked in so far."),
  line_number: field.NumberOfLine,
  po_status: PoStatus,
});
export type LineAdded = z.infer<typeof LineAdded>;

export const LineChanged = z.strictObject({
  po_line_id: field.PoLineId,
  quantity_ordered: field.QuantityOrdered,
  line_status: PoLineStatus.describe("Where the line stands."),
  po_status: PoStatus,
});
export type LineChanged = z.infer<typeof LineChanged>;

export const LineRemoved = z.strictObject({ po_line_id: field.PoLineId, deleted: field.Deleted, po_status: PoStatus });
export type LineRemoved = z.infer<typeof LineRemoved>;

/** What another system may say of a purchase order; of its lines: src/inbound/columns.ts. */
export const pushedPurchaseOrder: pushed.Columns = {
  po_number: pushed.required(pushed.text(128)),
  po_barcode: pushed.filled(pushed.text(128)),
  vendor_name: pushed.text(256),
  vendor_id: pushed.text(50),
  status: pushed.oneOf(purchaseOrderStates),
  expected_date: pushed.date,
  warehouse_id: pushed.required(pushed.integer(1)),
  notes: pushed.longText,
};
