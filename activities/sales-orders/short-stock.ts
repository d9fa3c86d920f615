import { z } from "zod";
import type { Actor } from "../../src/platform/actor.js";
import { bool, int, text } from "../../src/platform/db/columns.js";
import { groupBy } from "../../src/platform/values.js";
import { IS_PICKED_FROM } from "../../src/stock/sellable.js";
import type { Tx } from "../command.js";
import { undoubtedSerials } from "../serials/leave.js";
import { adjustStock } from "../stock/adjust-stock.js";
import { type AppliedChange, recordAdjustments } from "../stock/adjustments.js";
import type { StockIncrease } from "../stock/backorders.js";
import { releaseUnits } from "../stock/reservations.js";

/** A line of an order, and how many of its units are not where the books say. */
export interface ShortLine {
  so_line_id: number;
  item_id: number;
  item_external_id: string;
  short_qty: number;
  /** Reserved units beyond what the line still asks for. */
  excess: number;
  /**
   * Whether all of them are taken off the books, wherever they are; otherwise only those that a picker did not find.
   */
  write_off: boolean;
}

const Place = z.strictObject({
  item_id: int,
  bin_id: int,
  bin_code: text,
  external_id: text,
  free: int,
  /** Free units that a picker did not find. */
  doubted: int,
  pickable: bool,
});
type Place = z.infer<typeof Place>;

/**
 * Takes units that were not found off the books (docs/interface.md, Backorders). The lines' reservations of them are
 * released. Then units of their items that are not reserved are removed as SHORT adjustments: those that a picker did
 * not find for these lines and, for lines that are written off, any, first from the bins of the line. Returns the
 * change of stock by line, zero or negative. The caller has locked the order and the items' stock.
 */
export async function takeShortStock(
  tx: Tx,
  increase: StockIncrease,
  warehouseId: number,
  lines: ShortLine[],
  detail: string | null,
  by: Actor,
): Promise<Map<number, number>> {
  const own = await ownBins(tx, lines);
  for (const { so_line_id, excess } of lines) await releaseUnits(tx, increase, so_line_id, excess);
  const places = await placesOf(tx, warehouseId, lines);
  const changes: (AppliedChange & { so_line_id: number })[] = [];
  for (const { so_line_id, item_id, item_external_id, short_qty, write_off } of lines) {
    let missing = short_qty;
    const ownBin = (place: Place) => own.find((one) => one.so_line_id === so_line_id && one.bin_id === place.bin_id);
    const rank = (place: Place) => (ownBin(place) ? 2 : 0) + (place.pickable ? 1 : 0);
    const inOrder = places
      .filter((place) => place.item_id === item_id)
      .sort((a, b) => rank(b) - rank(a) || b.free - a.free || a.bin_id - b.bin_id);
    for (const place of inOrder) {
      const units = Math.min(missing, write_off ? place.free : ownBin(place)?.searched ? place.doubted : 0);
      if (units === 0) continue;
      place.free -= units;
      place.doubted = Math.max(0, place.doubted - units);
      missing -= units;
      changes.push({
        so_line_id,
        itemId: item_id,
        itemExternalId: item_external_id,
        binId: place.bin_id,
        binCode: place.bin_code,
        binExternalId: place.external_id,
        warehouseId,
        change: -units,
        serials: null,
        detail,
      });
    }
  }
  await nameTheOnlySerials(tx, changes);
  const refused = (await adjustStock(tx, changes, "adjustment")).find((refusal) => refusal);
  if (refused) throw refused;
  if (changes.length > 0) await recordAdjustments(tx, "SHORT", changes, by);
  const byLine = new Map<number, number>();
  for (const { so_line_id, change } of changes) byLine.set(so_line_id, (byLine.get(so_line_id) ?? 0) + change);
  return byLine;
}

/** Nobody knows which units are gone, unless they are all that is left of an item. */
async function nameTheOnlySerials(tx: Tx, changes: AppliedChange[]): Promise<void> {
  for (const [item_id, some] of groupBy(changes, ({ itemId }) => itemId)) {
    const quantity = some.reduce((sum, { change }) => sum - change, 0);
    const serials = await undoubtedSerials(tx, { item_id, quantity });
    if (serials.length === 0) continue;
    for (const change of some) change.serials = serials.splice(0, -change.change);
  }
}

/** The bins that were searched: those where lines have reserved units, or were picked short. */
const ownBins = (tx: Tx, lines: ShortLine[]) =>
  tx.rows(
    { so_line_id: int, bin_id: int, searched: bool },
    `select so_line_id, bin_id, bool_or(searched) as searched from (
       select so_line_id, bin_id, false as searched from stock_reservations join inventory using (inventory_id)
       where so_line_id = any($1)
       union all
       select w.so_line_id, bin_id, true from wave_pick_breakdown w join pick_tasks t using (pick_task_id)
       where w.so_line_id = any($1) and t.status = 'SHORT') as own
     group by so_line_id, bin_id`,
    [lines.map((line) => line.so_line_id)],
  );

/** The bins with units of the lines' items that are not reserved. */
const placesOf = (tx: Tx, warehouseId: number, lines: ShortLine[]) =>
  tx.rows(
    Place,
    `select item_id, b.bin_id, bin_code, b.external_id, sum(quantity_on_hand - quantity_allocated) as free,
            sum(least(quantity_doubted, quantity_on_hand - quantity_allocated)) as doubted,
            ${IS_PICKED_FROM} and b.is_active as pickable
     from inventory v join bins b using (bin_id)
     where v.warehouse_id = $1 and item_id = any($2) and quantity_on_hand > quantity_allocated
     group by item_id, b.bin_id`,
    [warehouseId, lines.map((line) => line.item_id)],
  );
