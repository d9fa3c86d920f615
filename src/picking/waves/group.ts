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
 * whose walks begin near each other. A batch is full when one more order would exceed a limit.
 */
export function groupOrders(orders: PlacedOrder[], group: WaveToPlan["group"]): OrderGroup[] {
  const batches: OrderGroup[] = [];
  for (const [name, ofGroup] of groupBy(orders, (order) => groupOf(order, group.by))) {
    let batch: PlacedOrder[] = [];
    let load = NOTHING;
    for (const order of ofGroup.toSorted(byUrgency)) {
      const more = loadWith(load, order);
      if (batch.length > 0 && exceeds(more, group)) {
        batches.push({ group: name, orders: batch });
        batch = [];
        load = NOTHING;
      }
      batch.push(order);
      load = loadWith(load, order);
    }
    batches.push({ group: name, orders: batch });
  }
  return batches.toSorted((a, b) => byUrgency(a.orders[0] as PlacedOrder, b.orders[0] as PlacedOrder));
}

function groupOf({ allocations, lines, ship_method }: PlacedOrder, by: WaveToPlan["group"]["by"]): string | null {
  if (by === "ship_method") return ship_method;
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
