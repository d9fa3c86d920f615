import { z } from "zod";
import { BatchNotActive, BatchWaits } from "../../src/picking/problems.js";
import { WALK } from "../../src/picking/queries.js";
import { WalkLength } from "../../src/picking/shapes.js";
import { firstNumbers, SHOWN_NUMBERS, type WaveStarted } from "../../src/picking/wave.js";
import { arrayOf, int, text } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import { idleMs } from "../../src/system/settings/queries.js";

const ResumeWaveRow = {
  warehouse_id: int,
  warehouse_code: text,
  transfer: z
    .strictObject({ to_id: int, to_number: text, source_warehouse_code: text, destination_warehouse_code: text })
    .nullable(),
  batch_id: int,
  batch_number: text,
  total_picks: int,
  so_numbers: arrayOf(text),
  picker: text.nullable(),
  pending_picks: int,
  total_units: int,
  status: text,
  walk: WalkLength,
};

/**
 * The counts of an existing wave, for its new workflow; 409 when the wave is not active or nobody picks it.
 * @public Called by `pickWave`, which knows activities by their types alone.
 */
export async function resumeWave(batchId: number): Promise<WaveStarted> {
  const batch = await db.row(
    ResumeWaveRow,
    `select batch_id, batch_number, warehouse_id, warehouse_code, assigned_to as picker, p.status,
       total_items as total_units, ${WALK},
       (select count(*) from pick_tasks t where t.batch_id = p.batch_id) as total_picks,
       (select count(*) from pick_tasks t where t.batch_id = p.batch_id and t.status = 'PENDING') as pending_picks,
       array(select so_number from pick_batch_orders o join sales_orders using (so_id)
             where o.batch_id = p.batch_id order by so_id limit $2) as so_numbers,
       (select json_build_object('to_id', to_id, 'to_number', to_number, 'source_warehouse_code', w.warehouse_code,
                                 'destination_warehouse_code', d.warehouse_code)
        from transfer_orders o join warehouses d on d.warehouse_id = o.destination_warehouse_id
        where o.to_id = p.to_id) as transfer
     from pick_batches p join warehouses w using (warehouse_id) where batch_id = $1`,
    [batchId, SHOWN_NUMBERS],
  );
  if (batch?.status !== "OPEN" && batch?.status !== "IN_PROGRESS") {
    throw BatchNotActive({}, { status: batch?.status ?? "unknown" });
  }
  const { status: _, picker, ...wave } = batch;
  if (picker === null) throw BatchWaits({ batch_number: wave.batch_number });
  const so_numbers = firstNumbers(wave.so_numbers ?? []);
  return { ...wave, picker, so_numbers, superseded: [], idle_ms: await idleMs(db) };
}
