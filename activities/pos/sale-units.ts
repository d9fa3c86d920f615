import { rowOfLot } from "../../src/picking/other-lot.js";
import { int } from "../../src/platform/db/columns.js";
import type { Payload } from "../../src/platform/events/catalog.js";
import { NamedLine, reasonAgainst } from "../../src/pos/cart.js";
import { FulfillmentFailed, WarehouseNotInScope } from "../../src/pos/problems.js";
import { codesOf, NAMED_LINES } from "../../src/pos/queries.js";
import type { SaleLine } from "../../src/pos/shapes.js";
import { firstExpired, takeFrom } from "../../src/stock/sellable.js";
import type { Tx } from "../command.js";
import { type LotRow, lockSellableOf, type SellableRow } from "../stock/stock.js";

/** The stock rows that the units of a sale come from. */
export interface SaleUnits {
  /** The warehouse of the order: that of its first line. */
  warehouse_id: number;
  warehouse_code: string;
  /** The warehouse of each line. */
  item_ids: number[];
  taken: TakenLot[];
  /** The lines whose units have serials, or are said to have, by their index, and where they are. */
  named: { line: number; warehouse_id: number }[];
  backorder?: { items: Payload<"backorder.opened">["items"]; opened_by: string };
}

/** Units of a locked stock row that can be sold, for the line at this index. */
export interface TakenLot {
  line: number;
  row: LotRow;
  units: number;
}

/**
 * Locks the stock in the named bins and takes the lines' units from it, line by line. Throws where a line's warehouse
 * is not one of these, or where its units are not free.
 */
export async function stockUnits(tx: Tx, lines: SaleLine[], warehouseIds: number[]): Promise<SaleUnits> {
  const codes = codesOf(lines);
  const [named, rows] = await tx.inOrder([
    tx.rows({ ...NamedLine.shape, place: int }, `${NAMED_LINES} order by n.place`, codes),
    lockSellableOf(tx, `select item_id, bin_id from (${NAMED_LINES}) named where warehouse_id = any($4)`, [
      ...codes,
      warehouseIds,
    ]),
  ]);
  for (const [line_index, { warehouse_id }] of named.entries())
    if (warehouse_id === null || !warehouseIds.includes(warehouse_id)) {
      const place = { line_index, warehouse_id: lines[line_index]?.warehouse_id ?? "" };
      throw WarehouseNotInScope(place, place);
    }
  const lots = rows.sort((a, b) => firstExpired(a, b) || a.inventory_id - b.inventory_id);
  const taken = lines.flatMap((line, i) => takeLine(lots, line, named[i] as NamedLine, i, warehouseIds));
  return {
    warehouse_id: named[0]?.warehouse_id as number,
    warehouse_code: lines[0]?.warehouse_id as string,
    item_ids: named.map((line) => line.item_id as number),
    taken,
    named: named.flatMap(({ serial_policy, warehouse_id }, line) =>
      serial_policy !== "none" || lines[line]?.serial_numbers?.length
        ? [{ line, warehouse_id: warehouse_id as number }]
        : [],
    ),
  };
}

/** Takes the units of a line from the lots of its bin, and lowers what is available there. */
function takeLine(
  lots: SellableRow[],
  line: SaleLine,
  named: NamedLine,
  index: number,
  warehouseIds: number[],
): TakenLot[] {
  if (reasonAgainst(named, warehouseIds)) throw failed(index, line);
  const here = lots.filter((row) => row.item_id === named.item_id && row.bin_id === named.bin_id);
  const available = here.reduce((sum, row) => sum + row.available, 0);
  if (line.quantity > available) throw failed(index, line, available);
  const { sku, quantity, lot_number: lot } = line;
  const lot_picking = named.lot_picking ?? "exact";
  const asked = lot ? rowOfLot(here, { lot, quantity, lot_picking }, { failed_line_index: index, sku }) : undefined;
  const taken: TakenLot[] = [];
  takeFrom(asked ? [asked] : here, quantity, (row, units) => {
    taken.push({ line: index, row, units });
  });
  return taken;
}

/** The refusal of a line. */
export function failed(index: number, { sku, warehouse_id, bin_id }: SaleLine, available_qty?: number) {
  const line = { failed_line_index: index, sku, warehouse_id: warehouse_id ?? "", bin_id: bin_id ?? "" };
  return FulfillmentFailed(line, { ...line, ...(available_qty !== undefined && { available_qty }) });
}
