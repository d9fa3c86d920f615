import type { TakenBack } from "../returns/returnable.js";
import { RefundExceedsRemaining, RefundLineNotInOrder } from "./refund-problems.js";

/** What a refund puts back, and where: reference 07 §2.2, decision 26. */

/** Units in a bin, which is named by its warehouse's code and its own. */
export interface UnitsInBin {
  item_id: number;
  warehouse_id: string;
  bin_id: string;
  quantity: number;
}

/** An item of the sale. */
export interface SoldItem {
  item_id: number;
  sku: string;
  shipped: number;
  /** Undefined where nothing was taken back. */
  takenBack: TakenBack | undefined;
}

type RequestedLine = Omit<UnitsInBin, "item_id"> & { sku: string };

const taken = ({ takenBack }: SoldItem) => takenBack?.units ?? 0;
const left = (item: SoldItem) => Math.max(0, item.shipped - taken(item));

/** The units that a till names. Throws 422 for an item that is not of the sale, and above what is left of one. */
export function namedUnits(items: SoldItem[], lines: RequestedLine[]): UnitsInBin[] {
  const units = lines.map(({ sku, ...place }) => {
    const item = items.find((one) => one.sku === sku && one.shipped > 0);
    if (!item) throw notInOrder({ sku, ...place });
    return { ...place, item_id: item.item_id };
  });
  for (const item of items) {
    const requested = unitsOf(units, item);
    if (requested > left(item)) throw exceedsRemaining(item, requested);
  }
  return units;
}

/** The line of a till, or of the sale, whose bin is not known. */
export const notInOrder = ({ sku, warehouse_id, bin_id }: Omit<RequestedLine, "quantity">) =>
  RefundLineNotInOrder({ sku, bin: bin_id }, { sku, warehouse_id, bin_id });

const exceedsRemaining = (item: SoldItem, requested: number) => {
  const facts = { sku: item.sku, shipped: item.shipped, already_refunded: taken(item), requested };
  return RefundExceedsRemaining(facts, facts);
};

/**
 * All that is left of the sale, for the bins that it came from; units that were taken back before are deducted from the
 * first of them. Empty if everything came back on returns, so that only money is paid back. Throws 422 if a return that
 * is still open holds all that is left.
 */
export function restOf(items: SoldItem[], soldFrom: UnitsInBin[]): UnitsInBin[] {
  const rest = items.flatMap((item) => {
    const places = soldFrom.filter(({ item_id }) => item_id === item.item_id);
    let passed = taken(item);
    let units = left(item);
    return places.flatMap((place, n) => {
      const here = Math.max(0, place.quantity - passed);
      passed = Math.max(0, passed - place.quantity);
      const quantity = n === places.length - 1 ? units : Math.min(units, here);
      units -= quantity;
      return quantity > 0 ? [{ ...place, quantity }] : [];
    });
  });
  const withoutBin = items.find((item) => left(item) > 0 && unitsOf(rest, item) === 0);
  if (withoutBin) throw notInOrder({ sku: withoutBin.sku, warehouse_id: "", bin_id: "" });
  const held = items.find((item) => !isFullyTakenBack(item, 0));
  if (rest.length === 0 && held) throw exceedsRemaining(held, outstanding(held));
  return rest;
}

/** Whether all units of the sale are back after these. Those that an open return names are not. */
export const isFullyRefunded = (items: SoldItem[], units: UnitsInBin[]): boolean =>
  items.every((item) => isFullyTakenBack(item, unitsOf(units, item)));

const isFullyTakenBack = (item: SoldItem, more: number) => outstanding(item) <= more;
const outstanding = ({ shipped, takenBack }: SoldItem) => shipped - (takenBack?.back ?? 0);

const unitsOf = (units: UnitsInBin[], { item_id }: SoldItem) =>
  units.filter((one) => one.item_id === item_id).reduce((sum, { quantity }) => sum + quantity, 0);
