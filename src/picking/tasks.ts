import type { Sql } from "../platform/db/db.js";
import { NextPickTask, PickTask } from "./shapes.js";

/** Pick tasks as pickers and the desk see them. */

const TASK = `
  t.pick_task_id, t.pick_sequence, b.bin_code, b.bin_barcode, z.zone_name as zone, b.aisle, b.row_num, b.level_num,
  i.sku, i.item_name, i.upc, t.quantity_to_pick, v.lot_number, v.expiry_date, t.tote_number,
  (select so_number from sales_orders s where s.so_id = t.so_id) as so_number,
  (select to_number from transfer_order_lines join transfer_orders using (to_id)
   where to_line_id = t.to_line_id) as to_number, t.status,
  (select coalesce(json_agg(json_build_object('so_number', s.so_number, 'so_line_id', w.so_line_id, 'quantity',
                                              w.quantity, 'properties', l.properties) order by w.so_id, w.so_line_id),
                   '[]')
   from wave_pick_breakdown w join sales_order_lines l using (so_line_id) join sales_orders s on s.so_id = w.so_id
   where w.pick_task_id = t.pick_task_id and l.properties <> '[]') as line_properties`;
const TASK_FROM = `
  pick_tasks t join inventory v using (inventory_id) join items i on i.item_id = t.item_id
  join bins b on b.bin_id = t.bin_id left join zones z using (zone_id)`;
export const IN_ORDER = "order by t.pick_sequence, b.bin_code, t.pick_task_id";

/** SQL: how many tasks of a batch are done, and how many there are, counted over its rows of `pick_tasks`. */
export const TASK_COUNTS = `
  (count(*) filter (where status in ('PICKED', 'SHORT')))::int as completed_tasks,
  (count(*) filter (where status in ('PENDING', 'PICKED', 'SHORT')))::int as total_tasks`;

/** The tasks of a batch in the order of picking. */
export function tasksOf(sql: Sql, batchId: number): Promise<PickTask[]> {
  return sql.rows(PickTask, `select ${TASK} from ${TASK_FROM} where t.batch_id = $1 ${IN_ORDER}`, [batchId]);
}

/** A pending task of batch `$1`, and its place among all tasks, where it is so manieth of the pending ones. */
export const placed = (pending: string): string => `${TASK},
  case when t.so_id is not null or t.to_line_id is not null then '[]'::json else
    (select json_agg(json_build_object('so_number', s.so_number, 'quantity', w.quantity) order by w.so_id)
     from (select so_id, sum(quantity) as quantity from wave_pick_breakdown
           where pick_task_id = t.pick_task_id group by so_id) w
     join sales_orders s using (so_id)) end as contributing_orders,
  (select count(*) from pick_tasks d
   where d.batch_id = $1 and d.status in ('PICKED', 'SHORT')) + ${pending} as pick_number,
  (select count(*) from pick_tasks d
   where d.batch_id = $1 and d.status in ('PENDING', 'PICKED', 'SHORT')) as total_picks,
  (select total_orders from pick_batches where batch_id = $1) as total_orders`;
export const PENDING = `from ${TASK_FROM} where t.batch_id = $1 and t.status = 'PENDING'`;

/** The next pending task of a batch with its position among all tasks, or undefined when none is left. */
export function nextPick(sql: Sql, batchId: number): Promise<NextPickTask | undefined> {
  return sql.row(NextPickTask, `select ${placed("1")} ${PENDING} ${IN_ORDER} limit 1`, [batchId]);
}
