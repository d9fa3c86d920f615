import { DomainError } from "../../src/platform/problem.js";
import { InsufficientStock, MOST_ON_HAND, PromisedToPicks, TooMuchStock } from "../../src/stock/problems.js";
import type { Tx } from "../command.js";
import { adjustingSerials } from "../serials/adjust.js";
import { expectIncreaseIn, type IncreaseCause, type StockIncrease } from "./backorders.js";
import { lowerDoubts } from "./doubts.js";
import { dropHolds, heldUnits } from "./holds.js";
import { judgedByPolicies, type Policies, policiesOf } from "./policies.js";
import {
  type Arrival,
  addStock,
  changeRows,
  free,
  type LotRow,
  lockLots,
  makeRow,
  reservedUnits,
  type StockRow,
} from "./stock.js";
import { lockTransfersAt, pickedAt, type TransfersHere } from "./transfer-cuts.js";

/**
 * A change of an item's stock in a bin. Where it names no lot, units are taken from any, and added without one; to the
 * only lot that is there where the item asks for lots.
 */
export interface StockChange {
  itemId: number;
  binId: number;
  binCode: string;
  warehouseId: number;
  change: number;
  lot?: string | null;
  /** The last day of added units, where it is told. */
  expiry?: string | null;
  /** The serials of the units, where they are named; null where nobody knows which units are gone. */
  serials?: string[] | null;
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
  /** The last day of what was added, where it was told. */
  expiry?: string;
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

/** What was locked before some stock rows, what increases, and what the items ask of units that are added. */
interface Locks {
  transfers: TransfersHere;
  increase: StockIncrease;
  policies: Policies;
}

/**
 * Locks the stock rows of some places, and before them the transfer orders that hold units there; announces the
 * increase to orders that wait for it.
 */
async function lockPlaces(tx: Tx, changes: StockChange[], source: IncreaseCause) {
  const increases = changes.filter(({ change }) => change > 0);
  const [transfers, increase, rows, policies] = await tx.inOrder([
    lockTransfersAt(tx, changes),
    expectIncreaseIn(
      tx,
      source,
      increases.map((change) => change.itemId),
      increases.map((change) => change.binId),
    ),
    lockLots(tx, changes),
    policiesOfAdded(tx, increases),
  ]);
  return { locks: { transfers, increase, policies }, rows };
}

const policiesOfAdded = async (tx: Tx, added: Pick<StockChange, "itemId" | "binId">[]): Promise<Policies> =>
  added.length === 0
    ? new Map()
    : policiesOf(
        tx,
        added[0]?.binId,
        added.map((change) => change.itemId),
      );

/** Applies the changes to locked rows. */
async function applyToRows(
  tx: Tx,
  locks: Locks,
  wanted: StockChange[],
  rows: LotRow[],
): Promise<(DomainError | undefined)[]> {
  const changes = await asPoliciesAskOf(tx, locks.policies, wanted, rows);
  const places = new Map<string, Lot[]>(wanted.map((change) => [placeOf(change.itemId, change.binId), []]));
  const lots = await lotsOf(tx, locks.transfers, rows);
  rows.forEach((row, i) => {
    places.get(placeOf(row.item_id, row.bin_id))?.push(lots[i] as Lot);
  });
  const serials = await adjustingSerials(tx, wanted);
  const refusals = changes.map((change) => {
    if (change instanceof DomainError) return change;
    const lots = places.get(placeOf(change.itemId, change.binId)) as Lot[];
    const those = change.lot ? lots.filter(({ lot }) => lot === change.lot) : lots;
    const refused =
      serials.refusal(change) ??
      (change.change > 0 ? add(lots, change) : remove(those, -change.change, change.binCode));
    if (!refused) serials.note(change);
    return refused;
  });
  await save(tx, locks, wanted, places);
  return refusals;
}

/** The changes, of which those that add units have the lot and the last day that these get, or are refused. */
async function asPoliciesAskOf(
  tx: Tx,
  policies: Policies,
  changes: StockChange[],
  rows: LotRow[],
): Promise<(StockChange | DomainError)[]> {
  if (policies.size === 0) return changes;
  const there = rows.filter((row) => row.quantity_on_hand > 0);
  const added = changes
    .filter(({ change }) => change > 0)
    .map((change) => {
      const here = there.filter((row) => row.item_id === change.itemId && row.bin_id === change.binId);
      const inLots = here.filter((row) => row.lot_number !== null);
      const isByLot = policies.get(change.itemId)?.lot_policy === "required";
      const lot = change.lot ?? (isByLot && inLots.length === 1 ? (inLots[0] as LotRow).lot_number : null);
      const expiry = change.expiry ?? here.find((row) => row.lot_number === lot)?.expiry_date ?? null;
      return { ...change, lot, expiry, produced: null, isNew: false, of: change };
    });
  const judged = await judgedByPolicies(tx, policies, added);
  const byChange = new Map(added.map(({ of }, i) => [of, judged[i] as StockChange | DomainError]));
  return changes.map((change) => byChange.get(change) ?? change);
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
  const [transfers, increase, , locked, picked, policies] = await tx.inOrder([
    lockTransfersAt(tx, [place]),
    expectIncreaseIn(tx, source, [place.itemId], [place.binId]),
    makeRow(tx, place),
    lockLots(tx, [place]),
    pickedAt(tx, place.binId, [place.itemId]),
    policiesOfAdded(tx, [place]),
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
  const [refused] = await applyToRows(tx, { transfers, increase, policies }, wanted, rows);
  if (refused) throw refused;
  return difference;
}

const placeOf = (itemId: number, binId: number) => `${itemId} in ${binId}`;

/** A lot with its row. */
type LockedLot = Lot & { inventoryId: number };

/** Locked rows as `Lot`s, in the same order. */
export async function lotsOf(tx: Tx, transfers: TransfersHere, rows: StockRow[]): Promise<LockedLot[]> {
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

/** Adds units, in memory. Returns the reason if that is rejected. */
function add(lots: Lot[], { change: units, binCode: bin, ...added }: StockChange): DomainError | undefined {
  const number = added.lot ?? null;
  let lot = lots.find((l) => l.lot === number);
  const on_hand = lot?.onHand ?? 0;
  if (on_hand + units > MOST_ON_HAND) return TooMuchStock({ bin, on_hand, quantity: units });
  if (!lot) {
    lot = { lot: number, onHand: 0, free: 0, doubted: 0, reserved: 0, held: 0, changed: 0, released: 0, unheld: 0 };
    lots.push(lot);
  }
  if (added.expiry && (!lot.expiry || added.expiry < lot.expiry)) lot.expiry = added.expiry;
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
  const arrivals = new Map<Lot, Arrival>();
  for (const { itemId, binId, warehouseId } of changes)
    for (const lot of places.get(placeOf(itemId, binId)) as Lot[]) {
      const { inventoryId, onHand, lot: number, expiry, changed: change } = lot;
      const isNew = inventoryId === undefined;
      // The units of a row that is there were added above; here it gets their last day.
      if (isNew || (change > 0 && (number !== null || expiry)))
        arrivals.set(lot, { itemId, binId, warehouseId, lot: number, quantity: isNew ? onHand : 0, expiry });
    }
  await addStock(tx, increase, [...arrivals.values()]);
}
