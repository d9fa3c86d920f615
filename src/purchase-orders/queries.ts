import { db, type Sql } from "../db.js";
import { builder, containing, listPage, type Page } from "../list.js";
import type { PurchaseOrderStatus } from "../states.js";

export interface PoSummary {
  po_id: number;
  po_number: string;
  po_barcode: string;
  vendor_name: string | null;
  status: PurchaseOrderStatus;
  expected_date: string | null;
  warehouse_id: number;
  notes: string | null;
  created_at: string;
  received_at: string | null;
  created_by: string | null;
}

export interface PoFilters extends Page {
  status?: string[] | undefined;
  warehouse_id?: number | undefined;
  q?: string | undefined;
  include_archived: boolean;
}

/** Purchase orders, newest first; archived ones only when they are asked for (reference 03 §3). */
export function purchaseOrders(
  filters: PoFilters,
  warehouses: number[] | null,
) {
  const { status, warehouse_id, q, include_archived } = filters;
  const query = builder("purchase_orders")
    .select(
      "po_id",
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
    )
    .orderBy([
      { column: "created_at", order: "desc" },
      { column: "po_id", order: "desc" },
    ]);
  if (warehouses) query.whereIn("warehouse_id", warehouses);
  if (warehouse_id) query.where({ warehouse_id });
  if (status) query.whereIn("status", status);
  else if (!include_archived) query.whereNot({ status: "ARCHIVED" });
  if (q)
    query.where((either) =>
      either
        .whereILike("po_number", containing(q))
        .orWhereILike("vendor_name", containing(q)),
    );
  return listPage<PoSummary, "purchase_orders">(
    "purchase_orders",
    query,
    filters,
  );
}

export interface PoDetail {
  purchase_order: Omit<PoSummary, "received_at" | "created_by">;
  lines: {
    po_line_id: number;
    line_number: number;
    item_id: number;
    sku: string;
    item_name: string;
    upc: string | null;
    mpn: string | null;
    quantity_ordered: number;
    quantity_received: number;
    unit_cost: number | null;
    status: "PENDING" | "PARTIAL" | "RECEIVED";
  }[];
}

/** A purchase order with its lines in order. One round trip. */
export function purchaseOrder(
  sql: Sql,
  poId: number,
): Promise<PoDetail | undefined> {
  return sql.row<PoDetail>(
    `select
       json_build_object(
         'po_id', po_id, 'po_number', po_number, 'po_barcode', po_barcode, 'vendor_name', vendor_name,
         'status', status, 'expected_date', expected_date, 'warehouse_id', warehouse_id, 'notes', notes,
         'created_at', created_at) as purchase_order,
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

export interface PoReceipts {
  po_id: number;
  warehouse_id: number;
  receipts: {
    receipt_id: number;
    po_line_id: number;
    line_number: number;
    item_id: number;
    sku: string;
    item_name: string;
    quantity_received: number;
    bin_id: number;
    bin_code: string;
    warehouse_id: number;
    received_by: string | null;
    received_at: string;
    lot_number: string | null;
    serial_number: string | null;
    notes: string | null;
    external_id: string;
  }[];
}

/** What came on a purchase order, newest first. One round trip. */
export function poReceipts(poId: number): Promise<PoReceipts | undefined> {
  return db.row<PoReceipts>(
    `select po_id, warehouse_id,
       (select coalesce(json_agg(json_build_object(
           'receipt_id', receipt_id, 'po_line_id', po_line_id, 'line_number', line_number, 'item_id', r.item_id, 'sku', sku,
           'item_name', item_name, 'quantity_received', r.quantity_received, 'bin_id', r.bin_id, 'bin_code', bin_code,
           'warehouse_id', r.warehouse_id, 'received_by', received_by, 'received_at', received_at,
           'lot_number', lot_number, 'serial_number', serial_number, 'notes', r.notes, 'external_id', r.external_id)
           order by received_at desc, receipt_id desc), '[]')
        from item_receipts r join purchase_order_lines using (po_line_id)
        join items i on i.item_id = r.item_id join bins b on b.bin_id = r.bin_id
        where r.po_id = po.po_id) as receipts
     from purchase_orders po where po_id = $1`,
    [poId],
  );
}
