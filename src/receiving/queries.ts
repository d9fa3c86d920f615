import { z } from "zod";
import { arrayOf, int, text } from "../platform/db/columns.js";
import { db } from "../platform/db/db.js";
import { PoStatus } from "../platform/statuses.js";
import { asUuid } from "../platform/values.js";
import { receiptsOf } from "./receipt-sql.js";
import { Receipt } from "./shapes.js";

/**
 * A purchase order by its barcode, number or external id, else by its number ignoring case, with its lines in order,
 * within the caller's warehouses: its status, and all of it as JSON. One round trip. What is equal is equal
 * ignoring case too, so it is not looked for apart: each condition reads an index of its own.
 */
export function poByBarcode(barcode: string, warehouses: number[] | null) {
  return db.row(
    { status: PoStatus, found: text },
    `select po.status,
       json_build_object('purchase_order', json_build_object(
         'po_id', po.po_id, 'external_id', po.external_id, 'po_number', po.po_number, 'po_barcode', po.po_barcode,
         'vendor_name', po.vendor_name, 'status', po.status, 'expected_date', po.expected_date,
         'warehouse_id', po.warehouse_id, 'notes', po.notes, 'created_at', po.created_at),
       'lines', (select coalesce(json_agg(json_build_object(
           'po_line_id', l.po_line_id, 'line_number', l.line_number, 'item_id', l.item_id, 'sku', i.sku,
           'item_name', i.item_name, 'upc', i.upc, 'mpn', i.mpn, 'quantity_ordered', l.quantity_ordered,
           'quantity_received', l.quantity_received,
           'quantity_remaining', l.quantity_ordered - l.quantity_received, 'status', l.status,
           'lot_policy', lot_policy, 'requires_expiry', requires_expiry, 'serial_policy', serial_policy,
           'shelf_life_days', shelf_life_days, 'shelf_life_from', shelf_life_from,
           'min_days_at_receipt', min_days_at_receipt)
           order by l.line_number, l.po_line_id), '[]')
        from purchase_order_lines l join items i using (item_id) where l.po_id = po.po_id))::text as found
     from purchase_orders po
     where (upper(po.po_number) = upper($1) or upper(po.po_barcode) = upper($1) or po.external_id = $3)
       and ($2::int[] is null or po.warehouse_id = any($2))
     order by (po.po_number = $1) desc, (po.po_barcode = $1 or po.external_id = $3) is true desc, po.po_id limit 1`,
    [barcode, warehouses, asUuid(barcode)],
  );
}

const ReceiptsOfPurchaseOrder = z.strictObject({ po_id: int, warehouse_id: int, receipts: arrayOf(Receipt) });
type ReceiptsOfPurchaseOrder = z.infer<typeof ReceiptsOfPurchaseOrder>;

const ofPurchaseOrder = receiptsOf({
  ...{ id: "po_id", order: "po" },
  fields: ", 'po_line_id', r.po_line_id, 'line_number', line_number, 'serial_number', serial_number",
  joins: "join purchase_order_lines l on l.po_line_id = r.po_line_id",
});

/** The receipts of a purchase order, newest first. One round trip. */
export function receiptsOfPurchaseOrder(poId: number): Promise<ReceiptsOfPurchaseOrder | undefined> {
  return db.row(
    ReceiptsOfPurchaseOrder,
    `select po_id, warehouse_id,
       ${ofPurchaseOrder} as receipts
     from purchase_orders po where po_id = $1`,
    [poId],
  );
}
