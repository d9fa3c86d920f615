interface Of {
  /** The column with the order of a receipt, and that table's alias. */
  id: "po_id" | "so_id";
  order: "po" | "so";
  /** Further fields, and their joins. */
  fields?: string;
  joins?: string;
}

/** SQL: the serials that came with a receipt `r`, as JSON. */
const SERIALS_OF_RECEIPT = `
  (select coalesce(json_agg(s.serial_number order by s.serial_number), '[]')
   from serial_steps step join serials s using (serial_id)
   where step.receipt_id = r.receipt_id and step.kind in ('RECEIVED', 'RETURNED'))`;

/** SQL: the receipts of an order, newest first, as JSON. */
export const receiptsOf = ({ id, order, fields = "", joins = "" }: Of) => `(
  select coalesce(json_agg(json_build_object(
      'receipt_id', receipt_id, 'external_id', r.external_id, 'item_id', r.item_id, 'sku', sku, 'item_name', item_name,
      'quantity_received', r.quantity_received, 'bin_id', r.bin_id, 'bin_code', bin_code,
      'warehouse_id', r.warehouse_id, 'lot_number', lot_number, 'received_by', received_by,
      'received_at', received_at, 'notes', r.notes,
      'serial_numbers', ${SERIALS_OF_RECEIPT} ${fields}) order by received_at desc, receipt_id desc), '[]')
  from item_receipts r join items i on i.item_id = r.item_id join bins b on b.bin_id = r.bin_id ${joins}
  where r.${id} = ${order}.${id})`;
