import type { Sql } from "../platform/db/db.js";
import { anyOf, builder, codeOf } from "../platform/db/list.js";
import { listPage } from "../platform/db/listing.js";
import {
  type PurchaseOrderFilters,
  PurchaseOrderSummary,
  PurchaseOrderWithLines,
  purchaseOrderList,
} from "./shapes.js";

/** Purchase orders, newest first; archived ones only on request (docs/interface.md, Purchase orders). */
export function purchaseOrders(filters: PurchaseOrderFilters, warehouses: number[] | null) {
  const { status, warehouse_id, q, include_archived } = filters;
  const query = builder("purchase_orders")
    .select(
      "po_id",
      "external_id",
      "po_number",
      "po_barcode",
      "vendor_name",
      "status",
      "expected_date",
      "warehouse_id",
      "notes",
      "created_at",
      "received_at",
      "created_by",
      "updated_at",
      builder.raw(codeOf("purchase_orders.warehouse_id")),
    )
    .orderBy([
      { column: "created_at", order: "desc" },
      { column: "po_id", order: "desc" },
    ]);
  if (warehouses) query.whereIn("warehouse_id", warehouses);
  if (warehouse_id) query.where({ warehouse_id });
  if (status) query.whereIn("status", status);
  // Not as a parameter: for any value at all Postgres would expect few orders.
  else if (!include_archived) query.whereRaw("status <> 'ARCHIVED'");
  if (q) query.where(anyOf(q, ["po_number", "vendor_name"], "external_id"));
  return listPage(PurchaseOrderSummary, "purchase_orders", query, filters, purchaseOrderList);
}

/** A purchase order with its lines in order. One round trip. */
export function purchaseOrder(sql: Sql, poId: number): Promise<PurchaseOrderWithLines | undefined> {
  return sql.row(
    PurchaseOrderWithLines,
    `select
       json_build_object(
         'po_id', po_id, 'external_id', po.external_id, 'po_number', po_number, 'po_barcode', po_barcode,
         'vendor_name', vendor_name, 'status', status, 'expected_date', expected_date, 'warehouse_id', warehouse_id,
         'notes', notes, 'created_at', created_at) as purchase_order,
       (select coalesce(json_agg(json_build_object(
           'po_line_id', po_line_id, 'line_number', line_number, 'item_id', item_id, 'sku', sku,
           'item_name', item_name, 'upc', upc, 'mpn', mpn, 'quantity_ordered', quantity_ordered,
           'quantity_received', quantity_received, 'unit_cost', nullif(unit_cost, 0), 'status', l.status)
           order by line_number, po_line_id), '[]')
        from purchase_order_lines l join items using (item_id) where l.po_id = po.po_id) as lines
     from purchase_orders po where po_id = $1`,
    [poId],
  );
}
