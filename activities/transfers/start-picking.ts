import { z } from "zod";
import { inWalkingOrder, labelsOf, layoutOf } from "../../src/picking/route/walk.js";
import type { Actor } from "../../src/platform/actor.js";
import { arrayOf, int, text } from "../../src/platform/db/columns.js";
import {
  NoPickableInventory,
  NothingToPick,
  NotPickable,
  PickedByAnother,
  TransferNotFound,
} from "../../src/transfers/problems.js";
import type { PickingStarted } from "../../src/transfers/steps.js";
import { ConcurrentChange, command, type Tx } from "../command.js";
import { lockActiveBatches, lockForRelease, releaseBatches } from "../picking/release.js";
import { checkSide, type LockedTransfer } from "../stock/transfer-lock.js";
import { transferState } from "./state.js";

/**
 * Begins the walk for a transfer order (docs/interface.md, Transfer orders): a task for each line and stock row with
 * units to pick, in all active bins, Staging ones too. The caller's earlier batches at the source end, as with a wave;
 * so the same caller may begin again. Audit CREATE of the batch.
 *
 * Refusals: 409 `invalid_status_for_start_picking`, `no_lines_to_pick`, `no_pickable_inventory` (all units of the lines
 * are in inactive bins), `picked_by_another`.
 */
export function startTransferPicking(toId: number, by: Actor): Promise<PickingStarted> {
  return command("transfers.startPicking", by, { toId }, async (tx) => {
    const source = await sourceOf(tx, toId);
    const superseded = await lockActiveBatches(tx, by.userId, source);
    const transfers = await lockForRelease(tx, superseded, toId);
    const transfer = transfers.find((transfer) => transfer.to_id === toId);
    if (!transfer) throw TransferNotFound();
    checkSide(transfer, "source", by);
    await refuseOtherWalk(tx, toId, superseded);
    await releaseBatches(tx, superseded, transfers);
    const tasks = await tasksFor(tx, transfer);
    const { batch_id, batch_number } = await insertWalk(tx, transfer, tasks, by);
    tx.audit({
      action: "CREATE",
      entity: "PICK_BATCH",
      entityId: batch_id,
      warehouseId: source,
      details: {
        batch_number,
        to_id: toId,
        to_number: transfer.to_number,
        total_picks: tasks.length,
        total_units: tasks.reduce((sum, task) => sum + task.units, 0),
        superseded,
      },
    });
    return { batch_id, batch_number, tasks_created: tasks.length, superseded, state: await transferState(tx, toId) };
  });
}

/** The batches are locked before the order: the order's source, which never changes, says which. */
async function sourceOf(tx: Tx, toId: number): Promise<number> {
  const transfer = await tx.row(
    { source_warehouse_id: int },
    "select source_warehouse_id from transfer_orders where to_id = $1",
    [toId],
  );
  if (!transfer) throw TransferNotFound();
  return transfer.source_warehouse_id;
}

const RefuseOtherWalkRow = { batch_id: int, batch_number: text, assigned_to: text, user_id: int.nullable() };

/** Throws 409 while another user picks the order. */
async function refuseOtherWalk(tx: Tx, toId: number, own: number[]): Promise<void> {
  const walk = await tx.row(
    RefuseOtherWalkRow,
    `select batch_id, batch_number, assigned_to, assigned_user_id as user_id from pick_batches
     where to_id = $1 and status in ('OPEN', 'IN_PROGRESS') and batch_id <> all($2)`,
    [toId, own],
  );
  if (!walk) return;
  const { batch_id, batch_number, assigned_to } = walk;
  throw PickedByAnother({ batch_number, assigned_to }, { batch_id, assigned_to });
}

const PlannedStock = z.strictObject({ inventory_id: int, bin_id: int, pick_sequence: int });
const Task = z.strictObject({ to_line_id: int, units: int, stock: PlannedStock });

type Task = z.infer<typeof Task>;

const TasksForRow = { to_line_id: int, item_id: int, remaining: int, tasks: arrayOf(Task) };

/** What is to be picked of a locked order: of each line, from each stock row in an active bin. */
async function tasksFor(tx: Tx, transfer: LockedTransfer): Promise<Task[]> {
  const { to_id, status } = transfer;
  if (status !== "OPEN" && status !== "PARTIALLY_PICKED") throw NotPickable({}, { current_status: status });
  const lines = await tx.rows(
    TasksForRow,
    `select to_line_id, item_id, committed_qty - picked_qty as remaining,
       (select coalesce(json_agg(json_build_object(
            'to_line_id', to_line_id, 'units', quantity - picked,
            'stock', json_build_object('inventory_id', inventory_id, 'bin_id', bin_id,
                                       'pick_sequence', b.pick_sequence)) order by inventory_id), '[]')
        from transfer_reservations r join inventory v using (inventory_id) join bins b using (bin_id)
        where r.to_line_id = l.to_line_id and quantity > picked and b.is_active) as tasks
     from transfer_order_lines l where to_id = $1 and status in ('PENDING', 'PARTIALLY_PICKED') order by line_number`,
    [to_id],
  );
  if (lines.length === 0) throw NothingToPick();
  for (const { to_line_id, item_id, remaining, tasks } of lines)
    if (tasks.length === 0) throw NoPickableInventory({}, { to_line_id, item_id, remaining });
  return lines.flatMap((line) => line.tasks);
}

/** The tasks in the order of the walk (docs/layout.md). */
async function insertWalk(tx: Tx, transfer: LockedTransfer, tasks: Task[], by: Actor) {
  const layout = await layoutOf(tx, transfer.source_warehouse_id);
  const planned = tasks.toSorted((a, b) => a.stock.pick_sequence - b.stock.pick_sequence);
  const { stops, walk } = inWalkingOrder(layout, layout ? await labelsOf(tx, planned) : new Map(), planned);
  const batch = await tx.row(
    { batch_id: int, batch_number: text },
    `with next as (
       select nextval(pg_get_serial_sequence('pick_batches', 'batch_id'))::int as batch_id
     ), batch as (
       insert into pick_batches (batch_id, batch_number, kind, to_id, warehouse_id, assigned_to, assigned_user_id,
                                 total_orders, total_items, started_at, walk_metres, sequence_metres)
       select batch_id, 'BATCH-TO-' || batch_id, 'TO', :to_id, :warehouse_id, :username, :user_id, 1, :units, now(),
              :metres, :by_sequence_metres
       from next
       returning batch_id, batch_number
     ), tasks as (
       insert into pick_tasks (batch_id, to_line_id, inventory_id, item_id, bin_id, quantity_to_pick, pick_sequence)
       select batch_id, to_line_id, inventory_id, v.item_id, v.bin_id, units, t.pick_sequence
       from batch, unnest(:to_line_ids::int[], :inventory_ids::int[], :quantities::int[], :pick_sequences::int[])
         with ordinality as t(to_line_id, inventory_id, units, pick_sequence, place)
       join inventory v using (inventory_id) order by place
     )
     select batch_id, batch_number from batch`,
    {
      to_id: transfer.to_id,
      warehouse_id: transfer.source_warehouse_id,
      username: by.username,
      user_id: by.userId,
      units: stops.reduce((sum, stop) => sum + stop.units, 0),
      metres: walk?.metres ?? null,
      by_sequence_metres: walk?.by_sequence_metres ?? null,
      to_line_ids: stops.map((stop) => stop.to_line_id),
      inventory_ids: stops.map((stop) => stop.stock.inventory_id),
      quantities: stops.map((stop) => stop.units),
      pick_sequences: stops.map((stop) => stop.stock.pick_sequence),
    },
  );
  if (!batch) throw new ConcurrentChange("the order's stock");
  return batch;
}
