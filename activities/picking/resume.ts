import { db } from "../../src/db/db.js";
import { BatchNotActive } from "../../src/picking/problems.js";
import { SHOWN_NUMBERS, type WaveStarted } from "../../src/picking/wave.js";
import { idleMs } from "../../src/system/settings/queries.js";
import { attributesMissingHere } from "../../src/temporal/missing-attributes.js";

/**
 * The numbers of a wave whose rows exist already, for its new workflow; 409 when the wave is not active.
 * @public Called by `pickWave`, which knows activities by their types alone.
 */
export async function resumeWave(batchId: number): Promise<WaveStarted> {
  const batch = await db.row<Omit<WaveStarted, "superseded" | "idle_ms" | "missing_attributes"> & { status: string }>(
    `select batch_id, batch_number, warehouse_id, warehouse_code, assigned_to as picker, p.status,
       total_items as total_units,
       (select count(*) from pick_tasks t where t.batch_id = p.batch_id) as total_picks,
       (select count(*) from pick_tasks t where t.batch_id = p.batch_id and t.status = 'PENDING') as pending_picks,
       array(select so_number from pick_batch_orders o join sales_orders using (so_id)
             where o.batch_id = p.batch_id order by so_id limit $2) as so_numbers
     from pick_batches p join warehouses using (warehouse_id) where batch_id = $1`,
    [batchId, SHOWN_NUMBERS],
  );
  if (batch?.status !== "OPEN" && batch?.status !== "IN_PROGRESS") {
    throw BatchNotActive({}, { status: batch?.status ?? "unknown" });
  }
  const { status: _, ...wave } = batch;
  return { ...wave, superseded: [], idle_ms: await idleMs(db), missing_attributes: attributesMissingHere() };
}
