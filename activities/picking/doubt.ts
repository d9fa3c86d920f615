import type { Tx } from "../command.js";
import { countBin } from "../counting/insert.js";
import { doubtRow } from "../stock/doubts.js";

interface SearchedPlace {
  warehouse_id: number;
  bin_id: number;
  inventory_id: number;
}

/**
 * Somebody found no more units in a bin: the units that the books still have in this stock row are in doubt, and a
 * count of the bin is created unless one is open, for the given reason. Returns the new count. The bin and all stock
 * rows of the item are locked.
 */
export async function doubt(
  tx: Tx,
  { inventory_id, ...place }: SearchedPlace,
  because: Record<string, unknown>,
): Promise<number | null> {
  if ((await doubtRow(tx, inventory_id)) === 0) return null;
  const count = await countBin(tx, place, because);
  return count?.count_id ?? null;
}
