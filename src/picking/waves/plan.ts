import { setImmediate as othersRun } from "node:timers/promises";
import { db } from "../../platform/db/db.js";
import { groupBy } from "../../platform/values.js";
import { planStops } from "../plan.js";
import { inWalkingOrder, labelsOf, layoutOf } from "../route/walk.js";
import { type CoveredOrder, coverOrders, ownUnits, reservesBeside, stockBeside, type WaveStock } from "./cover.js";
import { asGiven, groupOrders, type OrderGroup, PER_POUND, type PlacedOrder } from "./group.js";
import { lackingItems } from "./lacking.js";
import { leftOut, linesToPlan, type PlannedLine } from "./read.js";
import {
  MOST_BATCHES,
  MOST_UNCOVERED,
  ordersIn,
  type PlannedBatch,
  type WavesPlanned,
  type WaveToPlan,
} from "./shapes.js";

/** The batches that would be made now, with their walks where the warehouse has a layout. */
export async function planWaves(asked: WaveToPlan): Promise<WavesPlanned> {
  const [{ batches, in_reserve: _, ...plan }, layout] = await Promise.all([
    planBatches(asked),
    layoutOf(db, asked.warehouse_id),
  ]);
  const planned = batches.map((batch) => ({ ...plannedBatch(batch), stops: stopsOf(batch, asked.combine) }));
  const labels = layout
    ? await labelsOf(
        db,
        planned.flatMap((batch) => batch.stops),
      )
    : new Map();
  const walked: PlannedBatch[] = [];
  for (const { stops, ...batch } of planned) {
    const { walk } = inWalkingOrder(layout, labels, stops);
    const bins = new Set(stops.map(({ stock }) => stock.bin_id)).size;
    walked.push({ ...batch, total_picks: stops.length, stops: bins, walk });
    // A hundred tours take half a second.
    if (layout) await othersRun();
  }
  const skus = plan.uncovered.flatMap(({ lines }) => lines.map(({ sku }) => sku));
  const soIds = plan.uncovered.map(({ so_id }) => so_id);
  return { batches: walked, ...plan, lacking: await lackingItems(asked.warehouse_id, [...new Set(skus)], soIds) };
}

const stopsOf = ({ orders }: OrderGroup, combine: boolean) =>
  planStops(
    orders.flatMap((order) => order.allocations),
    combine,
  );

/**
 * Which orders make which batches. Orders, stock and reservations are read once each; the rest is done in memory.
 * Nothing is locked: the release looks again.
 */
export async function planBatches(
  given: WaveToPlan,
): Promise<Omit<WavesPlanned, "batches" | "lacking"> & { batches: OrderGroup[]; in_reserve: LackingReserve[] }> {
  const asked = given.batches ? { ...given, so_ids: ordersIn(given.batches) } : given;
  const [lines, left_out] = await Promise.all([linesToPlan(asked), leftOut(asked)]);
  const items = [...new Set(lines.map((line) => line.item_id))];
  const orders = groupBy(lines, (line) => line.so_id);
  const [stock, reserves, own] = await Promise.all([
    stockBeside(db, "v.warehouse_id = $1 and v.item_id = any($2)", [asked.warehouse_id, items]),
    reservesBeside(db, "v.warehouse_id = $1 and v.item_id = any($2)", [asked.warehouse_id, items]),
    ownUnits(db, [...orders.keys()]),
  ]);
  const { zone_id } = asked.filter;
  const { covered, uncovered, unsuited } = coverOrders(
    lines,
    stock,
    own,
    (stops) => zone_id === undefined || stops.every((stop) => stop.stock.zone_id === zone_id),
  );
  const carried = coverableFromReserve(linesOf(uncovered, orders), stock, reserves, own);
  const placed = covered.map((order) => placedOrder(order, orders.get(order.so_id) ?? []));
  const batches = asked.batches ? asGiven(placed, asked.batches) : groupOrders(placed, asked.group);
  const later = batches.slice(MOST_BATCHES).flatMap((batch) => batch.orders).length;
  const units = (of: { needed: number }[]) => of.reduce((sum, { needed }) => sum + needed, 0);
  const more = (reason: "other_zone" | "too_many", orders: number) => {
    const same = left_out.find((left) => left.reason === reason);
    if (same) same.orders += orders;
    else if (orders > 0) left_out.push({ reason, orders });
  };
  more("other_zone", unsuited);
  more("too_many", later);
  return {
    batches: batches.slice(0, MOST_BATCHES),
    coverage: {
      orders: orders.size - unsuited,
      covered_orders: covered.length,
      units: units(covered.flatMap((order) => order.lines)) + units(linesOf(uncovered, orders)),
      covered_units: units(covered.flatMap((order) => order.lines)),
    },
    uncovered: uncovered.slice(0, MOST_UNCOVERED).map(({ so_id, so_number, lines: lacking }) => ({
      so_id,
      so_number,
      lines: lacking.map(({ sku, item_name, ordered, available }) => ({
        ...{ sku, item_name, needed: ordered, missing: ordered - available },
        ...(carried.has(so_id) && { in_reserve: ordered - available }),
      })),
    })),
    left_out,
    in_reserve: uncovered
      .filter(({ so_id }) => carried.has(so_id))
      .map(({ so_id, so_number }) => ({ so_id, so_number })),
  };
}

/** An order whose units that it lacks all lie in reserve. */
interface LackingReserve {
  so_id: number;
  so_number: string;
}

/** Those of the orders that were not covered which could be, with what can be carried to pick faces. */
function coverableFromReserve(
  lines: PlannedLine[],
  stock: WaveStock[],
  reserves: WaveStock[],
  own: Awaited<ReturnType<typeof ownUnits>>,
): Set<number> {
  if (reserves.length === 0) return new Set();
  return new Set(coverOrders(lines, [...stock, ...reserves], own).covered.map(({ so_id }) => so_id));
}

const linesOf = (some: { so_id: number }[], orders: Map<number, PlannedLine[]>) =>
  some.flatMap(({ so_id }) => orders.get(so_id) ?? []);

function placedOrder(order: CoveredOrder, lines: PlannedLine[]): PlacedOrder {
  const { so_number, priority, ship_by_date, ship_method } = lines[0] as PlannedLine;
  return {
    ...order,
    ...{ so_number, priority, ship_by_date, ship_method },
    weight: lines.reduce((sum, line) => sum + line.weight, 0),
    units: lines.reduce((sum, line) => sum + line.needed, 0),
    first_sequence: Math.min(...order.allocations.map(({ stock }) => stock.pick_sequence)),
  };
}

function plannedBatch({ group, orders }: OrderGroup) {
  const sum = (of: (order: PlacedOrder) => number) => orders.reduce((total, order) => total + of(order), 0);
  return {
    group,
    so_ids: orders.map((order) => order.so_id),
    so_numbers: orders.map((order) => order.so_number),
    total_orders: orders.length,
    total_lines: sum((order) => order.lines.length),
    total_units: sum((order) => order.units),
    weight_lbs: sum((order) => order.weight) / PER_POUND,
  };
}
