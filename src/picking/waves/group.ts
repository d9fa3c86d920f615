import { groupBy } from "../../platform/values.js";
import type { CoveredOrder } from "./cover.js";
import type { WaveToPlan } from "./shapes.js";

/** What decides about an order's batch, beside its lines. */
export interface OrderFacts {
  so_number: string;
  priority: number;
  ship_by_date: string | null;
  ship_method: string | null;
  /** In ten-thousandths of a pound, as items have it. */
  weight: number;
}

export interface PlacedOrder extends CoveredOrder, OrderFacts {
  units: number;
  /** The pick sequence of its first stop. */
  first_sequence: number;
}

export interface OrderGroup {
  group: string | null;
  orders: PlacedOrder[];
}

/**
 * Divides orders into batches: those of a group together, the urgent ones first, and of the equally urgent ones those
 * that are picked near each other. A batch is full when one more order would exceed a limit.
 */
export function groupOrders(orders: PlacedOrder[], group: WaveToPlan["group"]): OrderGroup[] {
  const batches: OrderGroup[] = [];
  for (const [name, ofGroup] of groupBy(orders, (order) => groupOf(order, group.by))) {
    const left = ofGroup.toSorted(byUrgency);
    for (let first = left.shift(); first; first = left.shift())
      batches.push({ group: name, orders: batchFrom(first, left, group) });
  }
  return batches.toSorted((a, b) => byUrgency(a.orders[0] as PlacedOrder, b.orders[0] as PlacedOrder));
}

/** The batches that were chosen from a plan, as far as their orders can still be picked. */
export function asGiven(orders: PlacedOrder[], batches: { so_ids: number[] }[]): OrderGroup[] {
  const byId = new Map(orders.map((order) => [order.so_id, order]));
  return batches
    .map(({ so_ids }) => ({ group: null, orders: so_ids.flatMap((so_id) => byId.get(so_id) ?? []) }))
    .filter((batch) => batch.orders.length > 0);
}

/** Of the orders that come next so many are compared: a plan of 5,000 orders takes a tenth of a second then. */
const COMPARED = 60;

/** The batch that begins with an order; takes those that it gets out of those that are left. */
function batchFrom(first: PlacedOrder, left: PlacedOrder[], group: WaveToPlan["group"]): PlacedOrder[] {
  const batch = [first];
  const stops = sequencesOf(first);
  let load = loadWith(NOTHING, first);
  for (;;) {
    const nearest = nearestTo(stops, left, (order) => !exceeds(loadWith(load, order), group));
    if (nearest === undefined) return batch;
    const [order] = left.splice(nearest, 1) as [PlacedOrder];
    batch.push(order);
    stops.push(...sequencesOf(order));
    load = loadWith(load, order);
  }
}

/** The place of the order, of the first equally urgent ones, whose stops lie nearest to the stops of a batch. */
function nearestTo(stops: number[], left: PlacedOrder[], fits: (order: PlacedOrder) => boolean): number | undefined {
  let nearest: number | undefined;
  let shortest = Infinity;
  for (const [place, order] of left.slice(0, COMPARED).entries()) {
    if (nearest !== undefined && !isAsUrgent(order, left[0] as PlacedOrder)) break;
    if (!fits(order)) continue;
    const way = sequencesOf(order).reduce((sum, at) => sum + Math.min(...stops.map((stop) => Math.abs(stop - at))), 0);
    if (way < shortest) [nearest, shortest] = [place, way];
  }
  return nearest;
}

/** Where its units lie on the way through the warehouse, by pick sequence. */
const sequencesOf = ({ allocations }: PlacedOrder) => allocations.map(({ stock }) => stock.pick_sequence);

const isAsUrgent = (a: PlacedOrder, b: PlacedOrder) => a.priority === b.priority && a.ship_by_date === b.ship_by_date;

function groupOf(
  { allocations, lines, ship_method, ship_by_date }: PlacedOrder,
  by: WaveToPlan["group"]["by"],
): string | null {
  if (by === "ship_method") return ship_method;
  if (by === "ship_by") return ship_by_date;
  if (by === "single_line") return lines.length === 1 ? "single-line" : "multi-line";
  if (by === undefined) return null;
  const zones = new Map(allocations.map(({ stock }) => [stock.zone_id, stock.zone_name]));
  return zones.size === 1 ? ([...zones.values()][0] as string) : "several zones";
}

const byUrgency = (a: PlacedOrder, b: PlacedOrder): number =>
  b.priority - a.priority ||
  (a.ship_by_date ?? NO_DAY).localeCompare(b.ship_by_date ?? NO_DAY) ||
  a.first_sequence - b.first_sequence ||
  a.so_id - b.so_id;

const NO_DAY = "9999-12-31";

/** Ten-thousandths of a pound. */
export const PER_POUND = 10_000;

const NOTHING = { orders: 0, lines: 0, units: 0, weight: 0 };
type Load = typeof NOTHING;

const loadWith = (load: Load, { lines, units, weight }: PlacedOrder): Load => ({
  orders: load.orders + 1,
  lines: load.lines + lines.length,
  units: load.units + units,
  weight: load.weight + weight,
});

function exceeds(load: Load, limits: WaveToPlan["group"]): boolean {
  const { max_orders, max_lines = Infinity, max_units = Infinity, max_weight_lbs = Infinity } = limits;
  return (
    load.orders > max_orders ||
    load.lines > max_lines ||
    load.units > max_units ||
    load.weight > max_weight_lbs * PER_POUND
  );
}
