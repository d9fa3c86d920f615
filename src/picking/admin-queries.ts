import { text } from "../platform/db/columns.js";
import { db } from "../platform/db/db.js";
import { codeOf } from "../platform/db/list.js";
import { ActivePickBatch, ShortPicks } from "./shapes.js";
import { TASK_COUNTS } from "./tasks.js";

/** The panel's lists of picking: active batches and short picks (docs/interface.md, Sales orders). */

/** The active batches, oldest first. */
export function activeBatches(
  warehouseId: number | undefined,
  warehouses: number[] | null,
): Promise<ActivePickBatch[]> {
  return db.rows(
    ActivePickBatch,
    `select p.batch_id, p.batch_number, p.kind,
       (select coalesce(json_agg(so_number order by so_id), '[]')
        from pick_batch_orders o join sales_orders using (so_id) where o.batch_id = p.batch_id) as orders,
       (select to_number from transfer_orders o where o.to_id = p.to_id) as to_number,
       p.assigned_to, t.completed_tasks, t.total_tasks, p.created_at, p.started_at, p.status, p.warehouse_id,
       ${codeOf("p.warehouse_id")}
     from pick_batches p cross join lateral (
       select ${TASK_COUNTS} from pick_tasks where batch_id = p.batch_id) t
     where p.status in ('OPEN', 'IN_PROGRESS')
       and ($1::int is null or p.warehouse_id = $1) and ($2::int[] is null or p.warehouse_id = any($2))
     order by p.created_at, p.batch_id`,
    [warehouseId, warehouses],
  );
}

/** The numbers of a batch's orders. */
export async function orderNumbersOf(batchId: number): Promise<string[]> {
  const orders = await db.rows(
    { so_number: text },
    `select so_number from pick_batch_orders join sales_orders using (so_id) where batch_id = $1 order by so_id`,
    [batchId],
  );
  return orders.map((order) => order.so_number);
}

/** A row of the audit log is a short pick. */
export const SHORT_PICK = "action_type in ('PICK', 'TO_LINE_PICKED') and details->>'type' = 'SHORT_PICK'";

const MAX_SHORT_PICKS = 100;

/** The newest short picks of the last days from the audit log, and how many there were in all. */
export async function shortPicks(
  days: number,
  warehouseId: number | undefined,
  warehouses: number[] | null,
): Promise<ShortPicks> {
  const found = await db.row(
    ShortPicks,
    `with short as (
       select log_id, user_id, details, created_at, warehouse_id, ${codeOf("audit_log.warehouse_id")} from audit_log
       where ${SHORT_PICK}
         and created_at >= now() - make_interval(days => $1)
         and ($2::int is null or warehouse_id = $2) and ($3::int[] is null or warehouse_id = any($3))
     )
     select (select count(*) from short) as total,
       (select coalesce(json_agg(json_build_object(
            'log_id', log_id, 'user', user_id, 'sku', details->>'sku',
            'qty_expected', details->'quantity_to_pick', 'qty_picked', details->'quantity_picked',
            'shortage', details->'shortage', 'reason', details->>'reason', 'bin_code', bin_code,
            'batch_id', details->'batch_id', 'timestamp', created_at,
            'warehouse_id', newest.warehouse_id, 'warehouse_code', warehouse_code)
            order by created_at desc, log_id desc), '[]')
        from (select * from short order by created_at desc, log_id desc limit $4) newest
        left join bins on bin_id = (details->>'bin_id')::int) as short_picks`,
    [days, warehouseId, warehouses, MAX_SHORT_PICKS],
  );
  return found as ShortPicks;
}
