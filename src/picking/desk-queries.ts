import { db } from "../db.js";

/** What the desk sees of picking: the walks under way, and what was found short (reference 03 §4). */

export interface WalkUnderWay {
  batch_id: number;
  batch_number: string;
  kind: "SO" | "TO";
  orders: string[];
  to_number: string | null;
  assigned_to: string | null;
  completed_tasks: number;
  total_tasks: number;
  created_at: string;
  status: string;
}

/** The active batches, the oldest first. */
export function activeBatches(
  warehouseId: number | undefined,
  warehouses: number[] | null,
): Promise<WalkUnderWay[]> {
  return db.rows<WalkUnderWay>(
    `select p.batch_id, p.batch_number, p.kind,
       (select coalesce(json_agg(so_number order by so_id), '[]')
        from pick_batch_orders o join sales_orders using (so_id) where o.batch_id = p.batch_id) as orders,
       null::text as to_number, p.assigned_to, t.completed_tasks, t.total_tasks, p.created_at, p.status
     from pick_batches p cross join lateral (
       select (count(*) filter (where status in ('PICKED', 'SHORT')))::int as completed_tasks,
              (count(*) filter (where status in ('PENDING', 'PICKED', 'SHORT')))::int as total_tasks
       from pick_tasks where batch_id = p.batch_id) t
     where p.status in ('OPEN', 'IN_PROGRESS')
       and ($1::int is null or p.warehouse_id = $1) and ($2::int[] is null or p.warehouse_id = any($2))
     order by p.created_at, p.batch_id`,
    [warehouseId, warehouses],
  );
}

/** The numbers of a batch's orders. */
export async function orderNumbersOf(batchId: number): Promise<string[]> {
  const orders = await db.rows<{ so_number: string }>(
    `select so_number from pick_batch_orders join sales_orders using (so_id) where batch_id = $1 order by so_id`,
    [batchId],
  );
  return orders.map((order) => order.so_number);
}

const SHOWN_SHORT_PICKS = 100;

export interface ShortPick {
  log_id: number;
  user: string | null;
  sku: string;
  qty_expected: number;
  qty_picked: number;
  shortage: number;
  bin_code: string | null;
  batch_id: number;
  timestamp: string;
}

/** The newest short picks of the last days, as the audit trail tells of them, and how many there were in all. */
export async function shortPicks(
  days: number,
  warehouseId: number | undefined,
  warehouses: number[] | null,
): Promise<{ short_picks: ShortPick[]; total: number }> {
  const found = await db.row<{ short_picks: ShortPick[]; total: number }>(
    `with short as (
       select log_id, user_id, details, created_at from audit_log
       where action_type = 'PICK' and details->>'type' = 'SHORT_PICK' and created_at >= now() - make_interval(days => $1)
         and ($2::int is null or warehouse_id = $2) and ($3::int[] is null or warehouse_id = any($3))
     )
     select (select count(*) from short) as total,
       (select coalesce(json_agg(json_build_object(
            'log_id', log_id, 'user', user_id, 'sku', details->>'sku',
            'qty_expected', details->'quantity_to_pick', 'qty_picked', details->'quantity_picked',
            'shortage', details->'shortage', 'bin_code', bin_code, 'batch_id', details->'batch_id',
            'timestamp', created_at) order by created_at desc, log_id desc), '[]')
        from (select * from short order by created_at desc, log_id desc limit $4) newest
        left join bins on bin_id = (details->>'bin_id')::int) as short_picks`,
    [days, warehouseId, warehouses, SHOWN_SHORT_PICKS],
  );
  return found as { short_picks: ShortPick[]; total: number };
}
