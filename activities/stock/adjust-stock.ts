import type { DomainError } from "../../src/platform/problem.js";
import { InsufficientStock, MOST_ON_HAND, PromisedToPicks, TooMuchStock } from "../../src/stock/problems.js";
import type { Tx } from "../command.js";
import { expectIncreaseIn, type IncreaseCause, type StockIncrease } from "./backorders.js";
import { lowerDoubts } from "./doubts.js";
import { dropHolds, heldUnits } from "./holds.js";
import { addStock, changeRows, free, lockLots, makeRow, reservedUnits, type StockRow } from "./stock.js";
import { lockTransfersAt, pickedAt, type TransfersHere } from "./transfer-cuts.js";

/** A change of an item's stock in a bin. It names no lot: units are added without one and taken from any. */
export interface StockChange {
  itemId: number;
  binId: number;
  binCode: string;
  warehouseId: number;
  change: number;
}

/** The state of one lot of an item in a bin while changes are applied to it in memory. */
export interface Lot {
  /** Undefined when the row is still to be inserted. */
  inventoryId?: number;
  lot: string | null;
  onHand: number;
  /** Units that are not allocated. */
  free: number;
  /** Units that a picker did not find: they are taken first. */
  doubted: number;
  /** Units of reservations that may be taken; those neither free, reserved nor held are in pick tasks or picked. */
  reserved: number;
  /** Units on hold: they are taken last. */
  held: number;
  changed: number;
  released: number;
  /** Units whose hold ends, as they are taken. */
  unheld: number;
}

/**
 * Changes stock on hand, in the order given. Returns, for each change, why it was rejected, or undefined. Units are
 * taken as in `takeStock`: free ones first, then reserved ones, then those on hold, never those of pick tasks or picked
 * for a transfer.
 */
export async function adjustStock(
  tx: Tx,
  changes: StockChange[],
  source: IncreaseCause,
): Promise<(DomainError | undefined)[]> {
  const { locks, rows } = await lockPlaces(tx, changes, source);
  return applyToRows(tx, locks, changes, rows);
}

/** What was locked before some stock rows, and what increases. */
interface Locks {
  transfers: TransfersHere;
  increase: StockIncrease;
}

/**
 * Locks the stock rows of some places, and before them the transfer orders that hold units there; announces the
 * increase to orders that wait for it.
 */
async function lockPlaces(tx: Tx, changes: StockChange[], source: IncreaseCause) {
  const increases = changes.filter(({ change }) => change > 0);
  const [transfers, increase, rows] = await tx.inOrder([
    lockTransfersAt(tx, changes),
    expectIncreaseIn(
      tx,
      source,
      increases.map((change) => change.itemId),
      increases.map((change) => change.binId),
    ),
    lockLots(tx, changes),
  ]);
  return { locks: { transfers, increase }, rows };
}

/** Applies the changes to locked rows. */
async function applyToRows(
  tx: Tx,
  locks: Locks,
  changes: StockChange[],
  rows: StockRow[],
): Promise<(DomainError | undefined)[]> {
  const places = new Map<string, Lot[]>(changes.map((change) => [placeOf(change.itemId, change.binId), []]));
  const lots = await lotsOf(tx, locks.transfers, rows);
  rows.forEach((row, i) => {
    places.get(placeOf(row.item_id, row.bin_id))?.push(lots[i] as Lot);
  });
  const refusals = changes.map(({ itemId, binId, binCode, change }) => {
    const lots = places.get(placeOf(itemId, binId)) as Lot[];
    return change > 0 ? add(lots, change, binCode) : remove(lots, -change, binCode);
  });
  await save(tx, locks, changes, places);
  return refusals;
}

/**
 * Changes stock by approved adjustments, but never below zero, whatever is on hand by now. Returns the changes that
 * were made; throws when one is rejected.
 */
export async function applyAdjustments(tx: Tx, wanted: StockChange[], source: IncreaseCause): Promise<StockChange[]> {
  const { locks, rows } = await lockPlaces(tx, wanted, source);
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
  const refusals = await applyToRows(tx, locks, changes, rows);
  const refused = refusals.find((refusal) => refusal);
  if (refused) throw refused;
  return changes;
}

/**
 * Sets the units that were found in a place; returns the difference. Units picked for transfer orders have left the
 * place and stay on the books. A missing row is inserted first, so that concurrent calls wait for each other.
 */
export async function setStock(
  tx: Tx,
  place: Omit<StockChange, "change">,
  target: number,
  source: IncreaseCause,
): Promise<number> {
  const [transfers, increase, , locked, picked] = await tx.inOrder([
    lockTransfersAt(tx, [place]),
    expectIncreaseIn(tx, source, [place.itemId], [place.binId]),
    makeRow(tx, place),
    lockLots(tx, [place]),
    pickedAt(tx, place.binId, [place.itemId]),
  ]);
  const rows = locked.map((row) => ({ ...row, quantity_doubted: 0 }));
  await lowerDoubts(
    tx,
    increase,
    rows.filter((_, i) => locked[i]?.quantity_doubted),
  );
  const there = rows.reduce((sum, row) => sum + row.quantity_on_hand, 0) - (picked.get(place.itemId) ?? 0);
  const difference = target - there;
  if (difference === 0) return 0;
  const wanted = [{ ...place, change: difference }];
  const [refused] = await applyToRows(tx, { transfers, increase }, wanted, rows);
  if (refused) throw refused;
  return difference;
}

const placeOf = (itemId: number, binId: number) => `${itemId} in ${binId}`;

/** Locked rows as `Lot`s, in the same order. */
export async function lotsOf(tx: Tx, transfers: TransfersHere, rows: StockRow[]): Promise<Required<Lot>[]> {
  const ids = rows.map((row) => row.inventory_id);
  const [reserved, held] = await Promise.all([reservedUnits(tx, transfers, ids), heldUnits(tx, ids)]);
  return rows.map((row) => ({
    inventoryId: row.inventory_id,
    lot: row.lot_number,
    onHand: row.quantity_on_hand,
    free: free(row),
    doubted: row.quantity_doubted,
    reserved: reserved.get(row.inventory_id) ?? 0,
    held: held.get(row.inventory_id) ?? 0,
    changed: 0,
    released: 0,
    unheld: 0,
  }));
}

const total = (lots: Lot[], units: (lot: Lot) => number) => lots.reduce((sum, lot) => sum + units(lot), 0);

/** Adds units without lot, in memory. Returns the reason if that is rejected. */
function add(lots: Lot[], units: number, bin: string): DomainError | undefined {
  let lot = lots.find((l) => l.lot === null);
  const on_hand = lot?.onHand ?? 0;
  if (on_hand + units > MOST_ON_HAND) return TooMuchStock({ bin, on_hand, quantity: units });
  if (!lot) {
    lot = { lot: null, onHand: 0, free: 0, doubted: 0, reserved: 0, held: 0, changed: 0, released: 0, unheld: 0 };
    lots.push(lot);
  }
  lot.onHand += units;
  lot.free += units;
  lot.changed += units;
  return undefined;
}

/**
 * Takes units from lots, in memory: free ones of all lots first, then reserved ones, then those on hold; from lots in
 * doubt before others.
 * Returns the reason if that is rejected.
 */
export function remove(lots: Lot[], units: number, bin: string): DomainError | undefined {
  const onHand = total(lots, (lot) => lot.onHand);
  if (units > onHand) return InsufficientStock({ bin, available: onHand, requested: units });
  const promised = total(lots, (lot) => lot.onHand - lot.free - lot.reserved - lot.held);
  if (units > onHand - promised) return PromisedToPicks({ bin, promised });
  let missing = units;
  for (const kind of ["free", "reserved", "held"] as const) {
    for (const lot of lots.sort(
      (a, b) => b.doubted - a.doubted || Number(a.lot !== null) - Number(b.lot !== null) || b.free - a.free,
    )) {
      const taken = Math.min(missing, lot[kind]);
      lot[kind] -= taken;
      lot.onHand -= taken;
      lot.changed -= taken;
      if (kind === "reserved") lot.released += taken;
      if (kind === "held") lot.unheld += taken;
      missing -= taken;
    }
  }
  return undefined;
}

async function save(
  tx: Tx,
  { transfers, increase }: Locks,
  changes: StockChange[],
  places: Map<string, Lot[]>,
): Promise<void> {
  const changed = [...places.values()].flat().filter((lot) => lot.changed !== 0 || lot.released > 0);
  await dropHolds(
    tx,
    increase,
    changed.flatMap(({ inventoryId, unheld: units }) => (inventoryId ? [{ inventoryId, units }] : [])),
  );
  await changeRows(
    tx,
    transfers,
    increase,
    changed.flatMap(({ inventoryId, changed: onHand, released }) =>
      inventoryId ? [{ inventoryId, onHand, released }] : [],
    ),
  );
  await lowerDoubts(
    tx,
    increase,
    changed.flatMap(({ inventoryId, changed: change, doubted }) =>
      inventoryId && doubted > 0 && change < 0
        ? [{ inventory_id: inventoryId, quantity_doubted: Math.max(0, doubted + change) }]
        : [],
    ),
  );
  const fresh = new Map<string, { itemId: number; binId: number; warehouseId: number; lot: null; quantity: number }>();
  for (const { itemId, binId, warehouseId } of changes) {
    const place = placeOf(itemId, binId);
    const lot = places.get(place)?.find((l) => l.inventoryId === undefined);
    if (lot) fresh.set(place, { itemId, binId, warehouseId, lot: null, quantity: lot.onHand });
  }
  await addStock(tx, increase, [...fresh.values()]);
}
