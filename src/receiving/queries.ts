import { db } from "../db.js";

export interface PoLine {
  po_line_id: number;
  line_number: number;
  item_id: number;
  sku: string;
  item_name: string;
  upc: string | null;
  mpn: string | null;
  quantity_ordered: number;
  quantity_received: number;
  quantity_remaining: number;
  status: "PENDING" | "PARTIAL" | "RECEIVED";
}

export interface PoForReceiving {
  purchase_order: {
    po_id: number;
    po_number: string;
    po_barcode: string | null;
    vendor_name: string | null;
    status: string;
    expected_date: string | null;
    warehouse_id: number;
    notes: string | null;
    created_at: string;
  };
  lines: PoLine[];
}

/** A purchase order by its barcode or number, with its lines in order, within the caller's warehouses. One round trip. */
export function poByBarcode(
  barcode: string,
  warehouses: number[] | null,
): Promise<PoForReceiving | undefined> {
  return db.row<PoForReceiving>(
    `select
       json_build_object(
         'po_id', po.po_id, 'po_number', po.po_number, 'po_barcode', po.po_barcode, 'vendor_name', po.vendor_name,
         'status', po.status, 'expected_date', po.expected_date, 'warehouse_id', po.warehouse_id, 'notes', po.notes,
         'created_at', po.created_at) as purchase_order,
       (select coalesce(json_agg(json_build_object(
           'po_line_id', l.po_line_id, 'line_number', l.line_number, 'item_id', l.item_id, 'sku', i.sku,
           'item_name', i.item_name, 'upc', i.upc, 'mpn', i.mpn, 'quantity_ordered', l.quantity_ordered,
           'quantity_received', l.quantity_received,
           'quantity_remaining', l.quantity_ordered - l.quantity_received, 'status', l.status)
           order by l.line_number, l.po_line_id), '[]')
        from purchase_order_lines l join items i using (item_id) where l.po_id = po.po_id) as lines
     from purchase_orders po
     where (po.po_barcode = $1 or po.po_number = $1) and ($2::int[] is null or po.warehouse_id = any($2))
     order by (po.po_number = $1) desc, po.po_id limit 1`,
    [barcode, warehouses],
  );
}
