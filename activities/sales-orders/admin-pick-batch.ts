import { z } from "zod";
import { ItemRow } from "../../src/master-data/items/shapes.js";
import { rowOfLot } from "../../src/picking/other-lot.js";
import type { Actor } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { InsufficientAvailable } from "../../src/sales-orders/action-problems.js";
import { type AskedDays, freshFor, SELLABLE_STOCK, takeFrom } from "../../src/stock/sellable.js";
import type { Tx } from "../command.js";
import { pickLines } from "../stock/line-counters.js";
import { changeCounters } from "../stock/stock.js";
import type { ActionOrder } from "./orders-with-picks.js";

/** Units of an order line that were picked from a bin without a wave. */
export interface BinPick {
  so_line_id: number;
  item_id: number;
  sku: string;
  bin_id: number;
  bin_code: string;
  quantity: number;
  /** The lot that was taken, where the person said so. */
  lot_number?: string | null | undefined;
}

export interface AdminPickBatch {
  batch_id: number;
  batch_number: string;
  pick_task_ids: number[];
}

/** Units of a pick that come from one stock row: from one lot of the bin. */
interface Taken {
  pick: BinPick;
  inventory_id: number;
  units: number;
}

/**
 * Takes units of an order from locked stock and records them as a COMPLETED batch with PICKED tasks, which can be
 * released like those of a wave. Each pick has an audit row.
 */
export async function recordPicks(tx: Tx, order: ActionOrder, picks: BinPick[], by: Actor): Promise<AdminPickBatch> {
  const taken = await allocateLots(tx, order, picks);
  const batch = await insertBatch(tx, order, taken, by);
  const pick_task_ids = await insertTasks(tx, order, batch.batch_id, taken, by);
  for (const { so_line_id, sku, item_id, bin_id, quantity, lot_number } of picks)
    tx.audit({
      action: "PICK",
      entity: "SO",
      entityId: order.so_id,
      warehouseId: order.warehouse_id,
      details: {
        source: "admin_pick",
        so_line_id,
        sku,
        item_id,
        bin_id,
        ...(lot_number && { lot_number }),
        batch_id: batch.batch_id,
        quantity_to_pick: quantity,
        quantity_picked: quantity,
      },
    });
  return { ...batch, pick_task_ids };
}

const Row = z.strictObject({
  ...{ inventory_id: int, item_id: int, bin_id: int, available: int, days_left: int.nullable() },
  ...{ lot_number: text.nullable(), expiry_date: text.nullable(), lot_picking: ItemRow.shape.lot_picking },
});

/**
 * Allocates the picks to the lots of their bins: the named one, if the item's policy allows it, else what expires
 * first, then the oldest stock; throws where a bin has too little.
 */
async function allocateLots(tx: Tx, order: AskedDays, picks: BinPick[]): Promise<Taken[]> {
  const rows = await tx.rows(
    Row,
    `select inventory_id, item_id, bin_id, available, days_left, lot_number, expiry_date,
            (select lot_picking from items i where i.item_id = s.item_id)
     from ${SELLABLE_STOCK} s
     where (item_id, bin_id) in (select * from unnest($1::int[], $2::int[]))
     order by expiry_date, updated_at, inventory_id`,
    [picks.map((pick) => pick.item_id), picks.map((pick) => pick.bin_id)],
  );
  const stock = freshFor(rows, order);
  const taken: Taken[] = [];
  for (const pick of picks) {
    const { so_line_id, sku, item_id, bin_id, bin_code, quantity, lot_number: lot } = pick;
    const here = stock.filter((row) => row.item_id === item_id && row.bin_id === bin_id);
    const lot_picking = here[0]?.lot_picking ?? "exact";
    const named = lot ? rowOfLot(here, { lot, quantity, lot_picking }, { so_line_id, bin_id }) : undefined;
    const missing = takeFrom(named ? [named] : here, quantity, ({ inventory_id }, units) => {
      taken.push({ pick, inventory_id, units });
    });
    const available = quantity - missing;
    if (missing > 0)
      throw InsufficientAvailable(
        { sku, bin: bin_code, available, requested: quantity },
        { so_line_id, bin_id, requested: quantity, available },
      );
  }
  return taken;
}

async function insertBatch(
  tx: Tx,
  { so_id, so_number, warehouse_id }: ActionOrder,
  taken: Taken[],
  by: Actor,
): Promise<Omit<AdminPickBatch, "pick_task_ids">> {
  const batch = await tx.row(
    { batch_id: int, batch_number: text },
    `with batch as (
       insert into pick_batches
         (batch_number, warehouse_id, status, assigned_to, assigned_user_id, total_orders, total_items, started_at,
          completed_at)
       values ('ADMIN-PICK-' || :so_number || '-' ||
                 to_char(clock_timestamp() at time zone 'UTC', 'YYYYMMDDHH24MISSUS'),
               :warehouse_id, 'COMPLETED', :username, :user_id, 1, :units, now(), now())
       returning batch_id, batch_number
     ), link as (
       insert into pick_batch_orders (batch_id, so_id, active) select batch_id, :so_id, false from batch
     )
     select batch_id, batch_number from batch`,
    {
      so_number,
      warehouse_id,
      username: by.username,
      user_id: by.userId,
      units: taken.reduce((sum, { units }) => sum + units, 0),
      so_id,
    },
  );
  return batch as Omit<AdminPickBatch, "pick_task_ids">;
}

async function insertTasks(
  tx: Tx,
  { so_id }: ActionOrder,
  batchId: number,
  taken: Taken[],
  by: Actor,
): Promise<number[]> {
  await changeCounters(
    tx.later,
    undefined,
    taken.map(({ inventory_id, units }) => ({ inventoryId: inventory_id, onHand: -units, allocated: 0 })),
  );
  const tasks = await tx.rows(
    { pick_task_id: int },
    `with taken as (
       select t.*, nextval(pg_get_serial_sequence('pick_tasks', 'pick_task_id')) as pick_task_id
       from unnest(:so_line_ids::int[], :inventory_ids::int[], :units::int[])
         with ordinality as t(so_line_id, inventory_id, units, place)
     ), tasks as (
       insert into pick_tasks
         (pick_task_id, batch_id, so_id, so_line_id, inventory_id, item_id, bin_id, quantity_to_pick, quantity_picked,
          pick_sequence, status, picked_by, picked_at)
       select pick_task_id, :batchId, :so_id, so_line_id, inventory_id, v.item_id, v.bin_id, units,
              units, b.pick_sequence, 'PICKED', :username, now()
       from taken join inventory v using (inventory_id) join bins b using (bin_id)
     ), portions as (
       insert into wave_pick_breakdown (pick_task_id, so_id, so_line_id, quantity, quantity_picked)
       select pick_task_id, :so_id, so_line_id, units, units from taken
     ), picks as (
       select so_line_id, units as picked, units as allocated from taken
     ), lines as (
       ${pickLines("picks")}
     )
     select pick_task_id from taken order by place`,
    {
      batchId,
      so_id,
      username: by.username,
      so_line_ids: taken.map(({ pick }) => pick.so_line_id),
      inventory_ids: taken.map(({ inventory_id }) => inventory_id),
      units: taken.map(({ units }) => units),
    },
  );
  return tasks.map((task) => task.pick_task_id);
}
