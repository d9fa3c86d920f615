import { z } from "zod";
import {
  Cost,
  Day,
  DayText,
  ExternalId,
  Id,
  LineNumber,
  Name,
  OrderQuantity,
  QueryBool,
  QueryInt,
  QueryList,
  SearchText,
  Text,
  Time,
  UnitCost,
  Units,
} from "../platform/fields.js";
import { list } from "../platform/list.js";
import { PoStatus } from "../platform/statuses.js";

const PoLineStatus = z.enum(["PENDING", "PARTIAL", "RECEIVED"]);

export const PurchaseOrder = z
  .strictObject({
    po_id: Id,
    external_id: ExternalId,
    po_number: z.string(),
    po_barcode: z.string(),
    vendor_name: z.string().nullable(),
    status: PoStatus,
    expected_date: Day.nullable(),
    warehouse_id: Id,
    notes: z.string().nullable(),
    created_at: Time,
  })
  .meta({ id: "PurchaseOrder", description: "A purchase order without its lines." });
export type PurchaseOrder = z.infer<typeof PurchaseOrder>;

export const PurchaseOrderSummary = PurchaseOrder.extend({
  received_at: Time.nullable(),
  created_by: z.string().nullable(),
  updated_at: Time,
  warehouse_code: z.string(),
}).meta({ id: "PurchaseOrderSummary", description: "A purchase order in a list." });
export type PurchaseOrderSummary = z.infer<typeof PurchaseOrderSummary>;

export const PurchaseOrderLine = z
  .strictObject({
    po_line_id: Id,
    line_number: z.int(),
    item_id: Id,
    sku: z.string(),
    item_name: z.string(),
    upc: z.string().nullable(),
    mpn: z.string().nullable(),
    quantity_ordered: Units,
    quantity_received: Units,
    unit_cost: Cost.nullable(),
    status: PoLineStatus,
  })
  .meta({ id: "PurchaseOrderLine", description: "A line of a purchase order." });

export const PurchaseOrderWithLines = z
  .strictObject({
    purchase_order: PurchaseOrder,
    lines: z.array(PurchaseOrderLine),
  })
  .meta({ id: "PurchaseOrderDetail", description: "A purchase order with its lines." });
export type PurchaseOrderWithLines = z.infer<typeof PurchaseOrderWithLines>;

export const purchaseOrderList = list(
  "po_id",
  ...["po_id", "po_number", "vendor_name", "status", "expected_date", "created_at", "received_at", "updated_at"],
);

export const PurchaseOrderFilters = z.object({
  ...purchaseOrderList.parameters,
  status: QueryList.meta({ examples: ["OPEN,PARTIAL"] }).optional(),
  warehouse_id: QueryInt.optional(),
  q: SearchText("Acme").optional(),
  include_archived: QueryBool.default(false),
});
export type PurchaseOrderFilters = z.infer<typeof PurchaseOrderFilters>;

/** A line to be added to an existing order, whose place is behind the others. */
export const NewLine = z.strictObject({
  item_id: Id,
  quantity_ordered: OrderQuantity,
  unit_cost: UnitCost.nullish(),
});
export type NewLine = z.infer<typeof NewLine>;

/** Fields of the header that are the same when an order is created and when it is changed. */
const header = {
  vendor_name: Text(256, "Acme Supply").nullish(),
  expected_date: DayText.nullish(),
  notes: Text(1000, "dock 2").nullish(),
};

export const NewPurchaseOrder = z.strictObject({
  po_number: Name(128, "PO-1001"),
  warehouse_id: Id,
  /** Without a `line_number`, a line gets its place in this list. */
  lines: z.array(NewLine.extend({ line_number: LineNumber.nullish() })).min(1),
  /** The default is the number. */
  po_barcode: Name(128, "PO-1001").nullish(),
  ...header,
});
export type NewPurchaseOrder = z.infer<typeof NewPurchaseOrder>;

export const PurchaseOrderChanges = z.strictObject({
  po_number: Name(128, "PO-1001").optional(),
  po_barcode: Name(128, "PO-1001").optional(),
  ...header,
  status: PoStatus.optional(),
});
export type PurchaseOrderChanges = z.infer<typeof PurchaseOrderChanges>;

/** The answer to closing and to reopening an order. */
export const PoStatusChanged = z
  .strictObject({ message: z.string(), status: PoStatus })
  .meta({ id: "PurchaseOrderStatusChange", description: "What was done to a purchase order, and its status now." });
export type PoStatusChanged = z.infer<typeof PoStatusChanged>;

export const LineAdded = z.strictObject({
  po_line_id: Id,
  po_id: Id,
  item_id: Id,
  sku: z.string(),
  quantity_ordered: Units,
  quantity_received: z.literal(0),
  line_number: z.int(),
  po_status: PoStatus,
});
export type LineAdded = z.infer<typeof LineAdded>;

export const LineChanged = z.strictObject({
  po_line_id: Id,
  quantity_ordered: Units,
  line_status: PoLineStatus,
  po_status: PoStatus,
});
export type LineChanged = z.infer<typeof LineChanged>;

export const LineRemoved = z.strictObject({
  po_line_id: Id,
  deleted: z.literal(true),
  po_status: PoStatus,
});
export type LineRemoved = z.infer<typeof LineRemoved>;
