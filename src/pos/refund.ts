import { z } from "zod";
import { int, text } from "../platform/db/columns.js";
import { TakenBack } from "../returns/returnable.js";
import { RefundExceedsRemaining, RefundLineNotInOrder } from "./refund-problems.js";

/** The units that a refund puts back, and their bins: docs/interface.md, Tills. */

/** Units in a bin, which is identified by the codes of warehouse and bin. */
export const UnitsInBin = z.strictObject({
  item_id: int,
  warehouse_id: text,
  bin_id: text,
  quantity: int,
  lot_number: text.nullable(),
  expiry_date: text.nullable(),
});
export type UnitsInBin = z.infer<typeof UnitsInBin>;

/** An item of the sale. */
export const SoldItem = z.strictObject({
  item_id: int,
  sku: text,
  shipped: int,
  /** Undefined where nothing was taken back. */
  takenBack: TakenBack.optional(),
});
export type SoldItem = z.infer<typeof SoldItem>;

type RequestedLine = Pick<UnitsInBin, "warehouse_id" | "bin_id" | "quantity"> & { sku: string };

const taken = ({ takenBack }: SoldItem) => takenBack?.units ?? 0;
const left = (item: SoldItem) => Math.max(0, item.shipped - taken(item));

/**
 * The units that a till names, with the lots that were sold. Throws 422 for an item that is not on the sale, or for
 * more units than are left of one.
 */
export function namedUnits(items: SoldItem[], lines: RequestedLine[], soldFrom: UnitsInBin[]): UnitsInBin[] {
  const units = lines.map(({ sku, ...place }) => {
    const item = items.find((one) => one.sku === sku && one.shipped > 0);
    if (!item) throw notInOrder({ sku, ...place });
    return { ...place, item_id: item.item_id };
  });
  for (const item of items) {
    const requested = unitsOf(units, item);
    if (requested > left(item)) throw exceedsRemaining(item, requested);
  }
  const lots = new Map(items.map((item) => [item.item_id, lotsLeft(item, soldFrom)]));
  return units.flatMap((named) => {
    let missing = named.quantity;
    const found = (lots.get(named.item_id) ?? []).flatMap((lot) => {
      const quantity = Math.min(missing, lot.quantity);
      missing -= quantity;
      lot.quantity -= quantity;
      return quantity > 0 ? [{ ...lot, ...named, quantity }] : [];
    });
    return missing > 0 ? [...found, { ...named, quantity: missing, lot_number: null, expiry_date: null }] : found;
  });
}

/** The bins that an item was sold from, less the units that came back, which are deducted from the first bins. */
function lotsLeft(item: SoldItem, soldFrom: UnitsInBin[]): UnitsInBin[] {
  let passed = taken(item);
  return soldFrom
    .filter(({ item_id }) => item_id === item.item_id)
    .map((place) => {
      const quantity = Math.max(0, place.quantity - passed);
      passed = Math.max(0, passed - place.quantity);
      return { ...place, quantity };
    });
}

/** The line, of the till or of the sale, whose bin is unknown. */
export const notInOrder = ({ sku, warehouse_id, bin_id }: Omit<RequestedLine, "quantity">) =>
  RefundLineNotInOrder({ sku, bin: bin_id }, { sku, warehouse_id, bin_id });

const exceedsRemaining = (item: SoldItem, requested: number) => {
  const facts = { sku: item.sku, shipped: item.shipped, already_refunded: taken(item), requested };
  return RefundExceedsRemaining(facts, facts);
};

/**
 * Everything that is left of the sale, for the bins that it came from; units that were taken back before are deducted
 * from the first of them. Empty if all that is left is on returns that were partly received, so that only money is paid
 * back. Throws 422 if returns of which nothing has come hold all that is left.
 */
export function restOf(items: SoldItem[], soldFrom: UnitsInBin[]): UnitsInBin[] {
  const rest = items.flatMap((item) => {
    const places = lotsLeft(item, soldFrom);
    let units = left(item);
    return places.flatMap((place, n) => {
      const quantity = n === places.length - 1 ? units : Math.min(units, place.quantity);
      units -= quantity;
      return quantity > 0 ? [{ ...place, quantity }] : [];
    });
  });
  const withoutBin = items.find((item) => left(item) > 0 && unitsOf(rest, item) === 0);
  if (withoutBin) throw notInOrder({ sku: withoutBin.sku, warehouse_id: "", bin_id: "" });
  const held = items.find((item) => !isFullyTakenBack(item, 0));
  if (rest.length === 0 && held && !items.some(({ takenBack }) => takenBack?.returned))
    throw exceedsRemaining(held, outstanding(held));
  return rest;
}

/** Whether all units of the sale are back after these, not counting those of open returns. */
export const isFullyRefunded = (items: SoldItem[], units: UnitsInBin[]): boolean =>
  items.every((item) => isFullyTakenBack(item, unitsOf(units, item)));

const isFullyTakenBack = (item: SoldItem, more: number) => outstanding(item) <= more;
const outstanding = ({ shipped, takenBack }: SoldItem) => shipped - (takenBack?.back ?? 0);

const unitsOf = (units: Pick<UnitsInBin, "item_id" | "quantity">[], { item_id }: SoldItem) =>
  units.filter((one) => one.item_id === item_id).reduce((sum, { quantity }) => sum + quantity, 0);
