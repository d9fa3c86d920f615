import { z } from "zod";
import { arrayOf, int, text } from "../platform/db/columns.js";
import { db } from "../platform/db/db.js";

/** Labels of the totes of a pick batch. A tote is no record: it is the place of an order in its batch. */

const Tote = z.strictObject({
  tote_number: text.nullable(),
  order_number: text,
  /** The code that the next station scans. */
  barcode: text,
});

export const BatchToLabel = z.strictObject({
  batch_number: text,
  warehouse_id: int,
  warehouse_code: text,
  totes: arrayOf(Tote),
});
export type BatchToLabel = z.infer<typeof BatchToLabel>;

/** A batch and its totes: one for each order, or one for its transfer order. */
export function batchToLabel(batchId: number): Promise<BatchToLabel | undefined> {
  return db.row(
    BatchToLabel,
    `select p.batch_number, p.warehouse_id, w.warehouse_code,
       coalesce(
         (select json_agg(json_build_object('tote_number', o.tote_number, 'order_number', s.so_number,
                   'barcode', coalesce(nullif(s.so_barcode, ''), s.so_number))
                   order by length(o.tote_number), o.tote_number, o.so_id)
          from pick_batch_orders o join sales_orders s using (so_id) where o.batch_id = p.batch_id),
         (select json_build_array(json_build_object('tote_number', null, 'order_number', t.to_number,
                   'barcode', t.to_number))
          from transfer_orders t where t.to_id = p.to_id),
         '[]') as totes
     from pick_batches p join warehouses w using (warehouse_id) where p.batch_id = $1`,
    [batchId],
  );
}
