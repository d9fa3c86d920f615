import type { DomainError } from "../src/problem.js";
import { InsufficientStock, PromisedToPicks } from "../src/stock-problems.js";
import { lockWaiting, releaseCovered } from "./backorders.js";
import type { Tx } from "./command.js";
import {
  addStock,
  changeRows,
  lockLots,
  reservedUnits,
  type StockRow,
} from "./stock.js";

/** A correction of what lies of an item in a bin. Nobody says a lot: units come without one, and go from any. */
export interface StockChange {
  itemId: number;
  binId: number;
  binCode: string;
  warehouseId: number;
  change: number;
}

/** One lot of an item in a bin, as it becomes. */
export interface Lot {
  /** Undefined when the row is still to be made. */
  inventoryId?: number;
  lot: string | null;
  onHand: number;
  /** Units that nobody claims. */
  free: number;
  /** Units of standing reservations; what is neither free nor reserved, pick tasks will take. */
  reserved: number;
  changed: number;
  released: number;
}

/**
 * Changes stock on hand as counted or corrected, in the order given, and tells by position which changes were refused and
 * why. Units leave as in `takeStock`: free ones first, reserved ones last, promised ones never.
 */
export async function adjustStock(
  tx: Tx,
  changes: StockChange[],
  source: Source,
): Promise<(DomainError | undefined)[]> {
  const { waiting, rows } = await lockPlaces(tx, changes);
  const refusals = await change(tx, changes, rows);
  await releaseCovered(tx, waiting, source);
  return refusals;
}

/** Why stock changes, as those hear whose orders waited for it. */
type Source = Parameters<typeof releaseCovered>[2];

/** Locks what lies in some places, and before it the orders that wait for what comes there. */
async function lockPlaces(tx: Tx, changes: StockChange[]) {
  const rises = changes.filter(({ change }) => change > 0);
  const [waiting, rows] = await Promise.all([
    lockWaiting(
      tx,
      rises.map((rise) => rise.itemId),
      rises.map((rise) => rise.binId),
    ),
    lockLots(tx, changes),
  ]);
  return { waiting, rows };
}

/** Changes locked rows. */
async function change(
  tx: Tx,
  changes: StockChange[],
  rows: StockRow[],
): Promise<(DomainError | undefined)[]> {
  const places = new Map<string, Lot[]>(
    changes.map((change) => [placeOf(change.itemId, change.binId), []]),
  );
  const lots = await lotsOf(tx, rows);
  rows.forEach((row, i) => {
    places.get(placeOf(row.item_id, row.bin_id))?.push(lots[i] as Lot);
  });
  const refusals = changes.map(({ itemId, binId, binCode, change }) => {
    const lots = places.get(placeOf(itemId, binId)) as Lot[];
    return change > 0 ? add(lots, change) : remove(lots, -change, binCode);
  });
  await save(tx, changes, places);
  return refusals;
}

/**
 * Changes stock as adjustments that were believed ask for it: never below nothing, whatever lies there by now. Gives the
 * changes as they were made; the first one that is refused throws.
 */
export async function applyAdjustments(
  tx: Tx,
  wanted: StockChange[],
  source: Source,
): Promise<StockChange[]> {
  const { waiting, rows } = await lockPlaces(tx, wanted);
  const onHand = new Map<string, number>();
  for (const lot of rows) {
    const place = placeOf(lot.item_id, lot.bin_id);
    onHand.set(place, (onHand.get(place) ?? 0) + lot.quantity_on_hand);
  }
  const changes = wanted.map((change) => {
    const place = placeOf(change.itemId, change.binId);
    const there = onHand.get(place) ?? 0;
    const left = Math.max(0, there + change.change);
    onHand.set(place, left);
    return { ...change, change: left - there };
  });
  const refused = (await change(tx, changes, rows)).find((refusal) => refusal);
  if (refused) throw refused;
  await releaseCovered(tx, waiting, source);
  return changes;
}

/**
 * Makes so many units lie in a place, whatever lies there, and gives by how many that changed. The row is made first where there
 * is none: two who fill an empty place at the same time must meet.
 */
export async function setStock(
  tx: Tx,
  place: Omit<StockChange, "change">,
  target: number,
  source: Source,
): Promise<number> {
  const { itemId, binId, warehouseId } = place;
  const [waiting, , rows] = await Promise.all([
    lockWaiting(tx, [itemId], [binId]),
    tx.run(
      `insert into inventory (item_id, bin_id, warehouse_id) values ($1, $2, $3)
       on conflict (item_id, bin_id, lot_number) do nothing`,
      [itemId, binId, warehouseId],
    ),
    lockLots(tx, [place]),
  ]);
  const there = rows.reduce((sum, row) => sum + row.quantity_on_hand, 0);
  const difference = target - there;
  if (difference === 0) return 0;
  const [refused] = await change(tx, [{ ...place, change: difference }], rows);
  if (refused) throw refused;
  await releaseCovered(tx, waiting, source);
  return difference;
}

const placeOf = (itemId: number, binId: number) => `${itemId} in ${binId}`;

/** Locked rows as lots, in their order. */
export async function lotsOf(
  tx: Tx,
  rows: StockRow[],
): Promise<Required<Lot>[]> {
  const reserved = await reservedUnits(
    tx,
    rows.map((row) => row.inventory_id),
  );
  return rows.map((row) => ({
    inventoryId: row.inventory_id,
    lot: row.lot_number,
    onHand: row.quantity_on_hand,
    free: row.quantity_on_hand - row.quantity_allocated,
    reserved: reserved.get(row.inventory_id) ?? 0,
    changed: 0,
    released: 0,
  }));
}

const total = (lots: Lot[], units: (lot: Lot) => number) =>
  lots.reduce((sum, lot) => sum + units(lot), 0);

function add(lots: Lot[], units: number): undefined {
  let lot = lots.find((l) => l.lot === null);
  if (!lot) {
    lot = {
      lot: null,
      onHand: 0,
      free: 0,
      reserved: 0,
      changed: 0,
      released: 0,
    };
    lots.push(lot);
  }
  lot.onHand += units;
  lot.free += units;
  lot.changed += units;
}

/** Takes units off lots, in memory: free ones of all lots first, then reserved ones. Gives why that cannot be, if so. */
export function remove(
  lots: Lot[],
  units: number,
  bin: string,
): DomainError | undefined {
  const onHand = total(lots, (lot) => lot.onHand);
  if (units > onHand)
    return InsufficientStock({ bin, available: onHand, requested: units });
  const promised = total(lots, (lot) => lot.onHand - lot.free - lot.reserved);
  if (units > onHand - promised) return PromisedToPicks({ bin, promised });
  let missing = units;
  for (const kind of ["free", "reserved"] as const) {
    for (const lot of lots.sort(
      (a, b) =>
        Number(a.lot !== null) - Number(b.lot !== null) || b.free - a.free,
    )) {
      const taken = Math.min(missing, lot[kind]);
      lot[kind] -= taken;
      lot.onHand -= taken;
      lot.changed -= taken;
      if (kind === "reserved") lot.released += taken;
      missing -= taken;
    }
  }
  return undefined;
}

async function save(
  tx: Tx,
  changes: StockChange[],
  places: Map<string, Lot[]>,
): Promise<void> {
  const changed = [...places.values()]
    .flat()
    .filter((lot) => lot.changed !== 0 || lot.released > 0);
  await changeRows(
    tx,
    changed.flatMap(({ inventoryId, changed: onHand, released }) =>
      inventoryId ? [{ inventoryId, onHand, released }] : [],
    ),
  );
  const fresh = new Map<
    string,
    {
      itemId: number;
      binId: number;
      warehouseId: number;
      lot: null;
      quantity: number;
    }
  >();
  for (const { itemId, binId, warehouseId } of changes) {
    const place = placeOf(itemId, binId);
    const lot = places.get(place)?.find((l) => l.inventoryId === undefined);
    if (lot)
      fresh.set(place, {
        itemId,
        binId,
        warehouseId,
        lot: null,
        quantity: lot.onHand,
      });
  }
  await addStock(tx, [...fresh.values()]);
}
