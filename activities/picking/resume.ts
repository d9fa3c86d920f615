import { db } from "../../src/db/db.js";
import { BatchNotActive } from "../../src/picking/problems.js";
import type { WavePlan } from "../../src/picking/wave.js";
import { idleMs } from "../../src/system/settings/queries.js";

/**
 * The plan of a wave whose rows exist already, for its new workflow; 409 when the wave is not active. It is left
 * without tasks, which only the answer to the creation needs.
 * @public Called by `pickWave`, which knows activities by their types alone.
 */
export async function resumeWave(batchId: number): Promise<WavePlan> {
  const batch = await db.row<
    Omit<WavePlan, "tasks" | "first_pick" | "superseded" | "idle_ms"> & {
      status: string;
    }
  >(
    `select batch_id, batch_number, warehouse_id, warehouse_code, assigned_to as picker, p.status,
       total_items as total_units,
       (select count(*) from pick_tasks t where t.batch_id = p.batch_id) as total_picks,
       (select count(*) from pick_tasks t where t.batch_id = p.batch_id and t.status = 'PENDING') as pending_picks,
       (select coalesce(json_agg(json_build_object(
            'so_id', so_id, 'so_number', so_number, 'tote_number', tote_number,
            'line_count', (select count(*) from sales_order_lines l where l.so_id = o.so_id)) order by so_id), '[]')
        from pick_batch_orders o join sales_orders using (so_id) where o.batch_id = p.batch_id) as orders
     from pick_batches p join warehouses using (warehouse_id) where batch_id = $1`,
    [batchId],
  );
  if (batch?.status !== "OPEN" && batch?.status !== "IN_PROGRESS") {
    throw BatchNotActive({}, { status: batch?.status ?? "unknown" });
  }
  const { status: _, ...plan } = batch;
  return {
    ...plan,
    tasks: [],
    first_pick: null,
    superseded: [],
    idle_ms: await idleMs(db),
  };
}
