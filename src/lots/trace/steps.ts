import type { z } from "zod";
import { db } from "../../platform/db/db.js";
import { exportSlots } from "../../platform/db/listing.js";
import type { Lot } from "../shapes.js";
import type { TraceKind } from "./shapes.js";

/** SQL: whether a warehouse is one of :warehouses, an array or null for all. */
const visible = (warehouse: string) => `(:warehouses::int[] is null or ${warehouse} = any(:warehouses))`;

/** SQL of movements `m` of a lot from bin `b` of `w` to bin `t` of `o`, of those that `which` says. */
const movesOf = (which: string) => `
      (select transfer_id as id, 0 as next from bin_transfers
       where item_id = :item_id and lot_number = :lot_number and transfer_id > :after and ${which}
       order by transfer_id limit :limit) k
      join bin_transfers m on m.transfer_id = k.id join bins b on b.bin_id = m.from_bin_id
      join bins t on t.bin_id = m.to_bin_id join warehouses w on w.warehouse_id = m.warehouse_id
      join warehouses o on o.warehouse_id = t.warehouse_id`;

/**
 * SQL of the rows of each kind, in order: of a lot by :item_id and :lot_number, in :warehouses, after the position
 * (:after, :next), at most :limit. A position is two numbers that only grow, `k.id` and `k.next`. The keys are found
 * first, in the order of an index, and then what is said of them.
 */
export const stepRows: Record<TraceKind, string> = {
  receipt: `
      (select receipt_id as id, 0 as next from item_receipts
       where item_id = :item_id and lot_number = :lot_number and receipt_id > :after and ${visible("warehouse_id")}
       order by receipt_id limit :limit) k
      join item_receipts r on r.receipt_id = k.id join bins b using (bin_id)
      join warehouses w on w.warehouse_id = r.warehouse_id
      left join purchase_orders po on po.po_id = r.po_id left join sales_orders so on so.so_id = r.so_id`,
  place: `
      (select inventory_id as id, 0 as next from inventory
       where item_id = :item_id and lot_number = :lot_number and quantity_on_hand > 0 and inventory_id > :after
         and ${visible("warehouse_id")}
       order by inventory_id limit :limit) k
      join inventory v on v.inventory_id = k.id join bins b on b.bin_id = v.bin_id
      join warehouses w on w.warehouse_id = v.warehouse_id`,
  move: movesOf(visible("warehouse_id")),
  pick: `
      (select t.pick_task_id as id, t.so_line_id as next, t.so_id, t.quantity
       from inventory v cross join lateral (
         select p.pick_task_id, s.so_line_id, s.so_id, s.quantity_picked as quantity
         from pick_tasks p join wave_pick_breakdown s using (pick_task_id)
         where p.inventory_id = v.inventory_id and p.quantity_picked > 0 and p.pick_task_id >= :after
           and (p.pick_task_id, s.so_line_id) > (:after, :next) and p.status in ('PICKED', 'SHORT')
           and s.quantity_picked > 0
         order by p.pick_task_id, s.so_line_id limit :limit) t
       where v.item_id = :item_id and v.lot_number = :lot_number and ${visible("v.warehouse_id")}
       order by id, next limit :limit) k
      join pick_tasks p on p.pick_task_id = k.id join bins b on b.bin_id = p.bin_id
      join sales_orders so on so.so_id = k.so_id join warehouses w on w.warehouse_id = so.warehouse_id
      left join lateral (
        select external_id, shipped_at, carrier, tracking_number from item_fulfillments f
        where f.so_id = so.so_id and f.status = 'SHIPPED' order by fulfillment_id desc limit 1) f on true`,
  sale: `
      (select so_id as id, place as next from counter_sale_units join sales_orders using (so_id)
       where item_id = :item_id and lot_number = :lot_number and (so_id, place) > (:after, :next)
         and ${visible("warehouse_id")}
       order by so_id, place limit :limit) k
      join counter_sale_units u on u.so_id = k.id and u.place = k.next
      join sales_orders so on so.so_id = k.id join warehouses w on w.warehouse_id = so.warehouse_id`,
};

/** Movements between warehouses one of which is the caller's. */
export const crossingRows: string = movesOf(
  `transfer_type = 'INTER_WAREHOUSE' and (${visible("warehouse_id")}
           or to_bin_id in (select bin_id from bins here where ${visible("here.warehouse_id")}))`,
);

/** SQL of the units `k` of a lot that a recall had destroyed, by their adjustment `a` in bin `b` of `w`. */
export const destroyedRows: string = `
      (select adjustment_id as id, 0 as next, quantity
       from recall_destructions join inventory_adjustments using (adjustment_id) join lots using (lot_id)
       where lots.item_id = :item_id and lot_number = :lot_number and adjustment_id > :after
         and ${visible("warehouse_id")}
       order by adjustment_id limit :limit) k
      join inventory_adjustments a on a.adjustment_id = k.id join bins b on b.bin_id = a.bin_id
      join warehouses w on w.warehouse_id = a.warehouse_id`;

/** A statement for such rows. */
export const stepsOf = (rows: string, columns: Record<string, string>): string =>
  `select ${Object.entries({ id: "k.id", next: "k.next", ...columns })
    .map(([name, sql]) => `${sql} as ${name}`)
    .join(", ")} from ${rows} order by k.id, k.next`;

/** What names the lot in such statements, and whose warehouses are meant. */
export const parametersOf = ({ item_id, lot_number }: Lot, warehouses: number[] | null) => ({
  ...{ item_id, lot_number, warehouses },
});

/** How many rows are read at a time. */
const BATCH = 500;

/**
 * All rows of these statements, one after the other. Between two batches neither a connection nor a transaction is
 * held, however slow the reader is.
 */
export async function* everyStep<S extends z.ZodObject<{ id: z.ZodInt; next: z.ZodInt }>>(
  shape: S,
  statements: string[],
  parameters: ReturnType<typeof parametersOf>,
): AsyncGenerator<z.output<S>[]> {
  for (const sql of statements) {
    let after = 0;
    let next = 0;
    for (;;) {
      const rows = await exportSlots(() => db.rows(shape, sql, { ...parameters, after, next, limit: BATCH }));
      if (rows.length > 0) yield rows as z.output<S>[];
      const last = rows.at(-1);
      if (!last || rows.length < BATCH) break;
      ({ id: after, next } = last);
    }
  }
}
