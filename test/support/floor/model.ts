import type { Batch, Parcel, SalesOrder, SoLine, Stock, View } from "./site.js";

/** What a small warehouse should do, thought through once more and only with sums. */

export const sum = <T>(of: T[], units: (one: T) => number): number => of.reduce((total, one) => total + units(one), 0);

export const isActive = ({ status }: Pick<Batch, "status">): boolean => status === "OPEN" || status === "IN_PROGRESS";

/** Whether anything was found for it: else there is nothing to pack. */
export const hasPicks = ({ lines }: SalesOrder): boolean => lines.some((line) => line.picked > 0);

export const isWhollyPacked = (order: SalesOrder): boolean =>
  hasPicks(order) && order.lines.every((line) => line.packed === line.picked);

export const isFilled = ({ lines }: Pick<Parcel, "lines">): boolean => lines.length > 0;
export const unitsIn = ({ lines }: Pick<Parcel, "lines">): number => sum(lines, ({ units }) => units);

/** The parcels that something is in. */
const filled = ({ parcels }: SalesOrder) => parcels.filter((one) => one.status !== "VOIDED" && isFilled(one));

/** How many units of a line are in parcels. */
export const inParcels = (order: SalesOrder | undefined, { so_line_id }: SoLine): number =>
  sum(
    (order ? filled(order) : []).flatMap(({ lines }) => lines).filter((one) => one.so_line_id === so_line_id),
    ({ units }) => units,
  );

/** How many picked units of an order are in no parcel. */
export const restOf = (order: SalesOrder): number => sum(order.lines, (line) => line.picked - inParcels(order, line));

export const isDivided = (order: SalesOrder): boolean => filled(order).length > 0;

/** Whether all that is packed of it is in closed parcels, or none of it in any. */
export const isClosed = (order: SalesOrder): boolean =>
  !isDivided(order) || (filled(order).every(({ status }) => status !== "OPEN") && restOf(order) === 0);

/** How many parcels are left to ship; of an order that goes as a whole none. */
export const waitingParcels = (order: SalesOrder): number =>
  filled(order).filter(({ status }) => status !== "SHIPPED").length;

const tasksOf = (view: View, batchIds: number[]) => view.tasks.filter((task) => batchIds.includes(task.batch_id));

/** The units that return to their bins when active batches end without being completed, by item. */
export function putBack(view: View, batchIds: number[]): Map<number, number> {
  const units = new Map<number, number>();
  for (const { item_id, picked } of tasksOf(view, batchIds)) units.set(item_id, (units.get(item_id) ?? 0) + picked);
  return units;
}

/**
 * Whether all orders can be covered: of each item, what lies free in bins to pick from and is not in doubt, what the
 * batches that are put back give up, and what the orders hold of it themselves. What a batch gives up goes back to its
 * own orders first, so where only that would cover others, sums do not tell.
 */
export function coverage(
  view: View,
  orders: SalesOrder[],
  mine: number[],
  pickable: (bin_id: number) => boolean,
): string | string[] {
  const lines = orders.flatMap((order) => order.lines);
  const own = lines.flatMap((line) => line.reserved);
  const itemIds = [...new Set(lines.map((line) => line.item_id))];
  const covered = (withBack: boolean) => {
    const back = withBack ? tasksOf(view, mine) : [];
    const free = ({ inventory_id, on_hand, allocated, doubted }: Stock) => {
      const here = <T extends { inventory_id: number }>(rows: T[]) =>
        rows.filter((row) => row.inventory_id === inventory_id);
      const givenUp = sum(here(back), ({ status, to_pick, picked }) => (status === "PENDING" ? to_pick : picked));
      return Math.max(0, on_hand - allocated - doubted + givenUp + sum(here(own), ({ units }) => units));
    };
    return itemIds.every((item_id) => {
      const rows = view.stock.filter((row) => row.item_id === item_id && pickable(row.bin_id));
      const needed = sum(
        lines.filter((line) => line.item_id === item_id),
        (line) => line.ordered,
      );
      return needed <= sum(rows, free);
    });
  };
  if (!covered(true)) return "insufficient_coverage";
  const others = view.orders.some((o) => o.batch_id !== null && mine.includes(o.batch_id) && !orders.includes(o));
  return others && !covered(false) ? ["ok", "insufficient_coverage"] : "ok";
}
