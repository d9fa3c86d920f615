import type { Layout } from "../../src/master-data/layouts/shapes.js";
import { type Allocation, planStops } from "../../src/picking/plan.js";
import { inWalkingOrder, labelsOf } from "../../src/picking/route/walk.js";
import type { WaveRequest } from "../../src/picking/wave.js";
import type { Actor } from "../../src/platform/actor.js";
import type { Tx } from "../command.js";
import { insertTasks } from "./tasks.js";

/**
 * Writes a batch of these orders: its stops in the order of the walk (docs/layout.md), and the allocations of stock and
 * lines. The stock rows are locked, and what the orders had reserved is released.
 * @param picker Who picks it; undefined where it waits for somebody.
 */
export async function writeBatch(
  tx: Tx,
  { batchId, warehouseId, combine }: Pick<WaveRequest, "batchId" | "warehouseId" | "combine">,
  layout: Layout | undefined,
  soIds: number[],
  allocations: Allocation[],
  picker: Actor | undefined,
) {
  const planned = planStops(allocations, combine);
  const { stops, walk } = inWalkingOrder(layout, layout ? await labelsOf(tx, planned) : new Map(), planned);
  const batch_number = `${combine ? "WAVE" : "BATCH"}-${batchId}`;
  const total_units = stops.reduce((sum, stop) => sum + stop.quantity, 0);
  const totes = new Map(soIds.map((id, i) => [id, combine ? "WAVE" : `TOTE-${i + 1}`]));
  await Promise.all([
    tx.run(
      `with batch as (
         insert into pick_batches
           (batch_id, batch_number, warehouse_id, assigned_to, assigned_user_id, total_orders, total_items, started_at,
            walk_metres, sequence_metres)
         values (:batchId, :batch_number, :warehouseId, :username::text, :user_id, :orders, :total_units,
                 case when :username::text is not null then now() end, :metres, :by_sequence_metres)
         returning batch_id
       )
       insert into pick_batch_orders (batch_id, so_id, tote_number)
       select batch_id, so_id, tote from batch, unnest(:so_ids::int[], :totes::text[]) as o(so_id, tote)`,
      {
        ...{ batchId, batch_number, warehouseId, total_units },
        username: picker?.username ?? null,
        // The service itself, in a sandbox, is no row of users.
        user_id: picker?.userId || null,
        orders: totes.size,
        metres: walk?.metres ?? null,
        by_sequence_metres: walk?.by_sequence_metres ?? null,
        so_ids: [...totes.keys()],
        totes: [...totes.values()],
      },
    ),
    insertTasks(
      tx,
      batchId,
      stops.map((stop) => {
        const line = combine ? undefined : stop.portions[0]?.line;
        return { ...stop, line, tote: (line && totes.get(line.so_id)) ?? "WAVE" };
      }),
    ),
  ]);
  return { batch_number, total_picks: stops.length, total_units, totes, walk };
}
