import type { Batch, SalesOrder, View } from "./site.js";

/** What a small warehouse should do, thought through once more and only with sums. */

export const sum = <T>(of: T[], units: (one: T) => number): number => of.reduce((total, one) => total + units(one), 0);

export const isActive = ({ status }: Pick<Batch, "status">): boolean => status === "OPEN" || status === "IN_PROGRESS";

/** Whether anything was found for it: else there is nothing to pack. */
export const hasPicks = ({ lines }: SalesOrder): boolean => lines.some((line) => line.picked > 0);

export const isWhollyPacked = (order: SalesOrder): boolean =>
  hasPicks(order) && order.lines.every((line) => line.packed === line.picked);

const tasksOf = (view: View, batchIds: number[]) => view.tasks.filter((task) => batchIds.includes(task.batch_id));

/** The units that return to their bins when active batches end without being completed, by item. */
export function putBack(view: View, batchIds: number[]): Map<number, number> {
  const units = new Map<number, number>();
  for (const { item_id, picked } of tasksOf(view, batchIds)) units.set(item_id, (units.get(item_id) ?? 0) + picked);
  return units;
}

/**
 * Whether all orders can be covered: of each item, what lies free in bins to pick from, what the batches that are put
 * back give up, and what the orders hold of it themselves. What a batch gives up goes back to its own orders first, so
 * where only that would cover others, sums do not tell.
 */
export function coverage(
  view: View,
  orders: SalesOrder[],
  mine: number[],
  pickable: (bin_id: number) => boolean,
): string | string[] {
  const needed = new Map<number, number>();
  const lines = orders.flatMap((order) => order.lines);
  for (const line of lines) needed.set(line.item_id, (needed.get(line.item_id) ?? 0) + line.ordered);
  const covered = (withBack: boolean) =>
    [...needed].every(([item_id, units]) => {
      const of = <T extends { item_id: number }>(rows: T[]) => rows.filter((row) => row.item_id === item_id);
      const free = sum(
        of(view.stock).filter((row) => pickable(row.bin_id)),
        (row) => row.on_hand - row.allocated,
      );
      const back = sum(
        of(tasksOf(view, mine)).filter((task) => pickable(task.bin_id)),
        (task) => (task.status === "PENDING" ? task.to_pick : task.picked),
      );
      return units <= free + (withBack ? back : 0) + sum(of(lines), (line) => line.reserved);
    });
  if (!covered(true)) return "insufficient_coverage";
  const others = view.orders.some((o) => o.batch_id !== null && mine.includes(o.batch_id) && !orders.includes(o));
  return others && !covered(false) ? ["ok", "insufficient_coverage"] : "ok";
}
