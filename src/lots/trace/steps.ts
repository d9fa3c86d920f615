import { z } from "zod";
import { int } from "../../platform/db/columns.js";
import { unprepared } from "../../platform/db/db.js";
import { exportSlots } from "../../platform/db/listing.js";
import type { RowOf, Shape } from "../../platform/db/shape.js";
import type { Lot } from "../shapes.js";
import type { TraceKind } from "./shapes.js";

/** SQL: whether a warehouse is one of :warehouses, an array or null for all. */
const visible = (warehouse: string) => `(:warehouses::int[] is null or ${warehouse} = any(:warehouses))`;

/** SQL of movements `m` of a lot from bin `b` of `w` to bin `t` of `o`, of those that `which` says. */
const movesOf = (which: string) => `
      (select transfer_id as a, 0 as b, 0 as c from bin_transfers
       where item_id = :item_id and lot_number = :lot_number and transfer_id > :a and ${which}
       order by transfer_id limit :limit) k
      join bin_transfers m on m.transfer_id = k.a join bins b on b.bin_id = m.from_bin_id
      join bins t on t.bin_id = m.to_bin_id join warehouses w on w.warehouse_id = m.warehouse_id
      join warehouses o on o.warehouse_id = t.warehouse_id`;

/**
 * SQL of the rows of each kind, in order: of a lot by :item_id and :lot_number, in :warehouses, after the position
 * (:a, :b, :c), at most :limit. A position is what stands in the index that they are found by: `k.a`, `k.b`, `k.c`. The
 * keys are found first, and then what is said of them. Picks come bin by bin: each is found from its stock row.
 */
export const stepRows: Record<TraceKind, string> = {
  receipt: `
      (select receipt_id as a, 0 as b, 0 as c from item_receipts
       where item_id = :item_id and lot_number = :lot_number and receipt_id > :a and ${visible("warehouse_id")}
       order by receipt_id limit :limit) k
      join item_receipts r on r.receipt_id = k.a join bins b using (bin_id)
      join warehouses w on w.warehouse_id = r.warehouse_id
      left join purchase_orders po on po.po_id = r.po_id left join sales_orders so on so.so_id = r.so_id`,
  place: `
      (select inventory_id as a, 0 as b, 0 as c from inventory
       where item_id = :item_id and lot_number = :lot_number and quantity_on_hand > 0 and inventory_id > :a
         and ${visible("warehouse_id")}
       order by inventory_id limit :limit) k
      join inventory v on v.inventory_id = k.a join bins b on b.bin_id = v.bin_id
      join warehouses w on w.warehouse_id = v.warehouse_id`,
  move: movesOf(visible("warehouse_id")),
  pick: `
      (select v.inventory_id as a, t.pick_task_id as b, t.so_line_id as c, t.so_id, t.quantity
       from inventory v cross join lateral (
         select p.pick_task_id, s.so_line_id, s.so_id, s.quantity_picked as quantity
         from pick_tasks p join wave_pick_breakdown s using (pick_task_id)
         where p.inventory_id = v.inventory_id and p.quantity_picked > 0 and p.status in ('PICKED', 'SHORT')
           and p.pick_task_id >= case when v.inventory_id = :a then :b else 0 end
           and (v.inventory_id, p.pick_task_id, s.so_line_id) > (:a, :b, :c) and s.quantity_picked > 0
         order by p.pick_task_id, s.so_line_id limit :limit) t
       where v.item_id = :item_id and v.lot_number = :lot_number and v.inventory_id >= :a
         and ${visible("v.warehouse_id")}
       order by v.inventory_id, t.pick_task_id, t.so_line_id limit :limit) k
      join pick_tasks p on p.pick_task_id = k.b join bins b on b.bin_id = p.bin_id
      join sales_orders so on so.so_id = k.so_id join warehouses w on w.warehouse_id = so.warehouse_id
      left join lateral (
        select external_id, shipped_at, carrier, tracking_number from item_fulfillments f
        where f.so_id = so.so_id and f.status = 'SHIPPED' order by fulfillment_id desc limit 1) f on true`,
  sale: `
      (select so_id as a, place as b, 0 as c from counter_sale_units join sales_orders using (so_id)
       where item_id = :item_id and lot_number = :lot_number and (so_id, place) > (:a, :b)
         and ${visible("warehouse_id")}
       order by so_id, place limit :limit) k
      join counter_sale_units u on u.so_id = k.a and u.place = k.b
      join sales_orders so on so.so_id = k.a join warehouses w on w.warehouse_id = so.warehouse_id`,
};

/** Movements between warehouses one of which is the caller's. */
export const crossingRows: string = movesOf(
  `transfer_type = 'INTER_WAREHOUSE' and (${visible("warehouse_id")}
           or to_bin_id in (select bin_id from bins here where ${visible("here.warehouse_id")}))`,
);

/** SQL of the units `k` of a lot that a recall had destroyed, by their adjustment `a` in bin `b` of `w`. */
export const destroyedRows: string = `
      (select adjustment_id as a, 0 as b, 0 as c, quantity
       from recall_destructions join inventory_adjustments using (adjustment_id) join lots using (lot_id)
       where lots.item_id = :item_id and lot_number = :lot_number and adjustment_id > :a
         and ${visible("warehouse_id")}
       order by adjustment_id limit :limit) k
      join inventory_adjustments a on a.adjustment_id = k.a join bins b on b.bin_id = a.bin_id
      join warehouses w on w.warehouse_id = a.warehouse_id`;

/** A statement for such rows. */
export const stepsOf = (rows: string, columns: Record<string, string>): string =>
  `select ${Object.entries({ ...columns, a: "k.a", b: "k.b", c: "k.c" })
    .map(([name, sql]) => `${sql} as ${name}`)
    .join(", ")} from ${rows} order by k.a, k.b, k.c`;

/** What names the lot in such statements, and whose warehouses are meant. */
export const parametersOf = ({ item_id, lot_number }: Lot, warehouses: number[] | null) => ({
  ...{ item_id, lot_number, warehouses },
});

/** A row's place among those of its kind. */
export const Place = z.strictObject({ a: int, b: int, c: int });
export type Position = z.infer<typeof Place>;
export const BEGINNING: Position = { a: 0, b: 0, c: 0 };
export const positionOf = ({ a, b, c }: Position): Position => ({ a, b, c });

/** Planned with its values: how the keys are best joined depends on how many are wanted. */
export const readSteps = <S extends Shape>(
  shape: S,
  sql: string,
  parameters: ReturnType<typeof parametersOf> & Position & { limit: number },
): Promise<RowOf<S>[]> => unprepared(shape, sql, { ...parameters });

/** How many rows are read at a time. */
const BATCH = 2_000;

/**
 * All rows of these statements, one after the other. Between two batches neither a connection nor a transaction is
 * held, however slow the reader is.
 */
export async function* everyStep<S extends z.ZodObject<typeof Place.shape>>(
  shape: S,
  statements: string[],
  parameters: ReturnType<typeof parametersOf>,
): AsyncGenerator<z.output<S>[]> {
  for (const sql of statements) {
    let position = BEGINNING;
    for (;;) {
      const rows = await exportSlots(() => readSteps(shape, sql, { ...parameters, ...position, limit: BATCH }));
      if (rows.length > 0) yield rows as z.output<S>[];
      const last = rows.at(-1);
      if (!last || rows.length < BATCH) break;
      position = positionOf(last);
    }
  }
}
