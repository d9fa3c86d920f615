import { z } from "zod";
import { ItemRow } from "../../src/master-data/items/shapes.js";
import { namedLot } from "../../src/picking/other-lot.js";
import {
  BatchWaits,
  PicksMoreThanTask,
  TaskNotFound,
  TaskNotPending,
  TransferOverPick,
  UnitsPastSale,
  WrongItem,
} from "../../src/picking/problems.js";
import type { ConfirmedPick, PickConfirmation, RecordedShortPick, ShortPickReport } from "../../src/picking/shapes.js";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { readScan, type Scan } from "../../src/platform/barcodes/scan.js";
import { isOwnCode } from "../../src/platform/barcodes/sql.js";
import { bool, int, text } from "../../src/platform/db/columns.js";
import { HoldReason, refuseHeld } from "../../src/sales-orders/holds.js";
import { DAYS_LEFT, IS_PAST_SALE, SELLABLE_JOINS } from "../../src/stock/sellable.js";
import { countsShortPicks } from "../../src/system/settings/queries.js";
import { command, type Tx } from "../command.js";
import { lockBinOfCounts } from "../counting/lock.js";
import { pickLines } from "../stock/line-counters.js";
import { lockItems, type SellableRow, takePick } from "../stock/stock.js";
import { lockTransfersOf } from "../stock/transfer-lock.js";
import { doubt } from "./doubt.js";
import { useLease } from "./leases.js";
import { replaceShort } from "./replace-short.js";
import { takeLot } from "./take-lot.js";
import { endTransferTask, type TaskEnd } from "./transfer-picks.js";

const Task = z.strictObject({
  pick_task_id: int,
  batch_id: int,
  batch_number: text,
  /** Whether the batch waits for a picker. */
  waits: bool,
  warehouse_id: int,
  status: text,
  item_id: int,
  sku: text,
  bin_id: int,
  bin_code: text,
  inventory_id: int,
  quantity_to_pick: int,
  tote_number: text.nullable(),
  /** Set for a task of one order line. */
  so_line_id: int.nullable(),
  /** Set for a walk for a transfer order. */
  to_id: int.nullable(),
  to_line_id: int.nullable(),
  /** The lot of its stock row. */
  lot_number: text.nullable(),
  expiry_date: text.nullable(),
  /** Whether the last day has passed on which its units are sold, or are shipped to its orders. */
  is_past_sale: bool,
  /** The most that its orders ask for. */
  min_days_at_shipping: int.nullable(),
  lot_picking: ItemRow.shape.lot_picking,
  /** The first of its orders, where all of them are on hold. */
  held: z.strictObject({ so_number: text, hold_reason: HoldReason }).nullable(),
  /** Whether the scanned code belongs to its item. */
  is_scanned: bool,
});
type Task = z.infer<typeof Task> & {
  /** The lot that was planned, where the picker took another. */
  planned_lot?: string | null;
  /** When it was done, as its device says. */
  scanned_at?: string;
};

const Portion = z.strictObject({ so_id: int, quantity: int, quantity_picked: int });

/**
 * Confirms a pick by a scan of the task's item (docs/interface.md, Picking): the units leave the task's stock row, or
 * that of another lot where the item allows it, and are counted as picked on its order lines, lowest so_id first. Fewer
 * units than the task asks for are accepted, but then the batch can be completed only after a short pick was reported.
 */
export function confirmPick(input: PickConfirmation, by: Actor): Promise<ConfirmedPick & { batch_id: number }> {
  return command("picking.confirmPick", by, input, async (tx) => {
    const scan = readScan(input.scanned_barcode);
    const planned = await pendingTask(tx, input, scan, by);
    if (planned.waits) throw BatchWaits({ batch_number: planned.batch_number });
    if (!planned.is_scanned) throw WrongItem({ sku: planned.sku });
    if (planned.held) refuseHeld(planned.held);
    const quantity = input.quantity_picked;
    checkQuantity(planned, quantity);
    const task = await takeLot(tx, planned, namedLot(scan, input.lot_number), quantity);
    if (task.inventory_id === planned.inventory_id) refusePastSale(planned);
    const remaining_tasks = await endTask(tx, task, quantity, { status: "PICKED" }, by);
    const { pick_task_id, sku, bin_code, tote_number, batch_id } = task;
    return {
      message: "Pick confirmed",
      task: { pick_task_id, status: "PICKED", sku, quantity_picked: quantity, bin_code, tote_number },
      remaining_tasks,
      batch_id,
    };
  });
}

/**
 * Records that a bin had fewer units than the task asks for: the units found are picked, the rest is marked short. For
 * units of the item in other bins, tasks are created in the same batch. A count of the bin is created, and until it is
 * counted the units that the books still have there are not promised to any order (setting `short_pick_creates_count`).
 */
export function shortPick(
  input: ShortPickReport,
  by: Actor,
): Promise<RecordedShortPick & { batch_id: number; warehouse_id: number; remaining_tasks: number }> {
  return command("picking.shortPick", by, input, async (tx) => {
    const task = await pendingTask(tx, input, undefined, by);
    if (task.waits) throw BatchWaits({ batch_number: task.batch_number });
    const quantity = input.quantity_available;
    checkQuantity(task, quantity);
    if (quantity > 0) refusePastSale(task);
    const { pick_task_id, sku, bin_code, quantity_to_pick, batch_id } = task;
    const shortage = quantity_to_pick - quantity;
    lockBinOfCounts(tx.later, task.bin_id);
    if (task.to_id !== null) await lockTransfersOf(tx, [], task.to_id);
    const locked = await lockItems(tx, task.warehouse_id, [task.item_id]);
    const pending = await endTask(tx, task, quantity, { status: "SHORT", reason: input.reason }, by);
    const replacements = shortage > 0 && task.to_id === null ? await replaceShort(tx, task, locked) : [];
    const count_id =
      shortage > 0 && (await countsShortPicks(tx))
        ? await doubt(tx, task, { reason: "short pick", pick_task_id })
        : null;
    return {
      message: "Short pick recorded",
      task: { pick_task_id, status: "SHORT", sku, quantity_to_pick, quantity_picked: quantity, shortage, bin_code },
      replacements,
      count_id,
      remaining_tasks: pending + replacements.length,
      ...{ batch_id, warehouse_id: task.warehouse_id },
    };
  });
}

/**
 * Ends a pending task of a locked batch without a pick, as its units may not be sold any more. For orders others are
 * offered from the locked stock rows of the item, as after a short pick.
 */
export async function withdrawTask(tx: Tx, taskId: number, locked: SellableRow[], reason: string, by: Actor) {
  const task = await pendingTask(tx, { pick_task_id: taskId }, undefined, by);
  await endTask(tx, task, 0, { status: "SHORT", reason }, by);
  const here = locked.filter((row) => row.warehouse_id === task.warehouse_id);
  if (task.to_id === null) await replaceShort(tx, task, here);
}

function checkQuantity(task: Task, quantity: number): void {
  const { quantity_to_pick, to_id } = task;
  if (quantity <= quantity_to_pick) return;
  const TooMany = to_id === null ? PicksMoreThanTask : TransferOverPick;
  throw TooMany({ quantity_to_pick, quantity });
}

/** The lot and the last day of the units that were not found. */
const lotOf = ({ lot_number, expiry_date }: Task) => (lot_number === null ? {} : { lot_number, expiry_date });

function refusePastSale({ is_past_sale, sku, expiry_date, inventory_id }: Task): void {
  if (is_past_sale) throw UnitsPastSale({ sku, expiry_date: expiry_date ?? "" }, { inventory_id });
}

interface Named {
  pick_task_id: number;
  lease_id?: string | null | undefined;
  scanned_at?: string | null | undefined;
}

/**
 * Locks the batch of a task. Returns the task, which must be pending, and whether the scanned code belongs to its item.
 * The task is read by a second statement after the lock, as a stock move may just have changed its bin.
 */
async function pendingTask(tx: Tx, named: Named, scan: Scan | undefined, by: Actor): Promise<Task> {
  const taskId = named.pick_task_id;
  const locked = tx.run(
    "select from pick_batches where batch_id = (select batch_id from pick_tasks where pick_task_id = $1) for update",
    [taskId],
  );
  const read = tx.row(
    Task,
    `select t.pick_task_id, t.batch_id, p.batch_number, p.assigned_to is null as waits,
            p.warehouse_id, t.status, t.item_id, i.sku, t.bin_id, b.bin_code, t.inventory_id, t.quantity_to_pick,
            t.tote_number, t.so_line_id, p.to_id, t.to_line_id, i.lot_picking,
            v.lot_number, v.expiry_date, asked.min_days_at_shipping,
            ${IS_PAST_SALE} or coalesce(${DAYS_LEFT} < asked.min_days_at_shipping, false) as is_past_sale,
            asked.held, ${isOwnCode("$2::text", "$3::text[]")} as is_scanned
     from pick_tasks t join pick_batches p using (batch_id) join inventory v using (inventory_id) ${SELLABLE_JOINS}
       cross join lateral (
         select max(min_days_at_shipping) as min_days_at_shipping,
           case when bool_and(hold_reason is not null)
             then json_build_object('so_number', min(so_number), 'hold_reason', min(hold_reason)) end as held
         from wave_pick_breakdown d join sales_orders using (so_id) where d.pick_task_id = t.pick_task_id) asked
     where t.pick_task_id = $1`,
    [taskId, scan?.text ?? null, scan?.forms ?? []],
  );
  const [, task] = await tx.inOrder([locked, read]);
  if (!task) throw TaskNotFound({ pick_task_id: taskId });
  checkWarehouse(by, task.warehouse_id);
  await useLease(tx, task, named.lease_id, by);
  if (task.status !== "PENDING") throw TaskNotPending({ status: task.status });
  return named.scanned_at ? { ...task, scanned_at: named.scanned_at } : task;
}

/** Ends a task with `quantity` units picked; returns how many tasks of the batch are still pending. */
async function endTask(tx: Tx, task: Task, quantity: number, end: TaskEnd, by: Actor): Promise<number> {
  const { status, reason } = end;
  const { pick_task_id, batch_id, inventory_id, quantity_to_pick, to_id, to_line_id } = task;
  if (to_id !== null && to_line_id !== null)
    return endTransferTask(tx, { ...task, to_id, to_line_id }, quantity, end, by);
  const portions = await tx.rows(
    { ...Portion.shape, remaining: int },
    `with done as (
       update pick_tasks
       set status = :status::text, quantity_picked = :quantity, picked_by = :username, picked_at = now(),
           scan_confirmed = :status::text = 'PICKED'
       where pick_task_id = :pick_task_id
     ), stock as (
       ${takePick({ row: ":inventory_id", picked: ":quantity", allocated: ":quantity_to_pick" })}
     ), portion as (
       select so_line_id,
         least(quantity,
               greatest(0, :quantity - (sum(quantity) over (order by so_id, so_line_id) - quantity)))::int as picked
       from wave_pick_breakdown where pick_task_id = :pick_task_id
     ), broken as (
       update wave_pick_breakdown w
       set quantity_picked = s.picked,
           short_quantity = case when :status = 'SHORT' then w.quantity - s.picked else 0 end
       from portion s where w.pick_task_id = :pick_task_id and w.so_line_id = s.so_line_id
       returning w.so_id, w.so_line_id, w.quantity, w.quantity_picked
     ), picks as (
       select so_line_id, quantity_picked as picked, quantity_picked - quantity as allocated from broken
     ), lines as (
       ${pickLines("picks")}
     )
     select so_id, sum(quantity) as quantity, sum(quantity_picked) as quantity_picked,
       (select count(*) from pick_tasks
        where batch_id = :batch_id and status = 'PENDING' and pick_task_id <> :pick_task_id) as remaining
     from broken group by so_id order by so_id`,
    { pick_task_id, status, quantity, username: by.username, quantity_to_pick, inventory_id, batch_id },
  );
  for (const portion of portions) {
    const shortage = portion.quantity - portion.quantity_picked;
    tx.audit({
      action: "PICK",
      entity: "SO",
      entityId: portion.so_id,
      warehouseId: task.warehouse_id,
      details: {
        ...(status === "SHORT" && { type: "SHORT_PICK", shortage, ...(reason && { reason }), ...lotOf(task) }),
        ...(task.planned_lot !== undefined && { lot_number: task.lot_number, planned_lot: task.planned_lot }),
        ...(task.scanned_at && { scanned_at: task.scanned_at }),
        sku: task.sku,
        quantity_to_pick: portion.quantity,
        quantity_picked: portion.quantity_picked,
        pick_task_id: task.pick_task_id,
        item_id: task.item_id,
        bin_id: task.bin_id,
        batch_id: task.batch_id,
      },
    });
  }
  return portions[0]?.remaining ?? 0;
}
