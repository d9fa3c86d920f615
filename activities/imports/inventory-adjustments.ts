import { z } from "zod";
import type { RowError } from "../../src/imports/shapes.js";
import { type Actor, mayUseWarehouse } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import type { Sql } from "../../src/platform/db/db.js";
import { Cell, CodeCell, DayCell, IntCell } from "../../src/platform/files/cells.js";
import { DomainError, WarehouseDenied } from "../../src/platform/problem.js";
import { adjustedSerials } from "../serials/adjust.js";
import { refuseItemCodes } from "../serials/named.js";
import { adjustStock } from "../stock/adjust-stock.js";
import { type AppliedChange, recordAdjustments } from "../stock/adjustments.js";
import { type ImportRow, importer, rowFault } from "./importer.js";

const columns = z.strictObject({
  sku: CodeCell(128),
  warehouse: CodeCell(32),
  bin: CodeCell(64),
  qty: IntCell(-1_000_000, 1_000_000).refine((qty) => qty !== 0, "must not be zero"),
  lot_number: CodeCell(100).optional(),
  expiry_date: DayCell.optional(),
  /** Between them is space, which no serial number of a label has. */
  serial_numbers: Cell(100_000)
    .transform((text) => text.split(/\s+/).filter((serial) => serial !== ""))
    .refine((serials) => serials.length <= 1000, "at most 1000 serial numbers")
    .refine((serials) => serials.every(({ length }) => length <= 100), "a serial number has at most 100 characters")
    .optional(),
  memo: Cell(500).optional(),
});
type AdjustmentRow = ImportRow<z.output<typeof columns>>;

/**
 * Corrections of stock, applied at once in the order of the file (docs/interface.md, Adjustments, "Admin import
 * rules").
 */
export const importInventoryAdjustments = importer("inventory-adjustments", {
  columns,
  async write(tx, rows, _options, by) {
    const places = await placesOf(tx, rows);
    const refused: RowError[] = [];
    const known: { row: number; adjustment: AppliedChange }[] = [];
    for (const [i, row] of rows.entries()) {
      const adjustment = await adjustmentOf(tx, row, places[i] as Place, by);
      if (typeof adjustment === "string") refused.push({ row: row.row, error: adjustment });
      else known.push({ row: row.row, adjustment });
    }
    const refusals = await adjustStock(
      tx,
      known.map(({ adjustment }) => adjustment),
      "adjustment",
    );
    const applied = known.filter((_, i) => !refusals[i]);
    await recordAdjustments(
      tx,
      "CORRECTION",
      applied.map(({ adjustment }) => adjustment),
      by,
    );
    return [...refused, ...known.flatMap(({ row }, i) => (refusals[i] ? [{ row, error: rowFault(refusals[i]) }] : []))];
  },
});

/** What is known of a row's SKU, warehouse code and bin code; null where there is none. */
const Place = z.strictObject({
  item_id: int.nullable(),
  item_external_id: text.nullable(),
  serial_policy: text.nullable(),
  warehouse_id: int.nullable(),
  bin_id: int.nullable(),
  bin_external_id: text.nullable(),
});
type Place = z.infer<typeof Place>;

function placesOf(sql: Sql, rows: AdjustmentRow[]): Promise<Place[]> {
  return sql.rows(
    Place,
    `select item_id, i.external_id as item_external_id, serial_policy, w.warehouse_id, bin_id,
            b.external_id as bin_external_id
     from unnest($1::text[], $2::text[], $3::text[]) with ordinality as r(sku, warehouse, bin, place)
     left join items i on i.sku = r.sku
     left join warehouses w on w.warehouse_code = r.warehouse
     left join bins b on b.warehouse_id = w.warehouse_id and b.bin_code = r.bin
     order by place`,
    [rows.map((row) => row.sku), rows.map((row) => row.warehouse), rows.map((row) => row.bin)],
  );
}

async function adjustmentOf(
  tx: Sql,
  { sku, warehouse, bin, qty, lot_number, expiry_date, memo, serial_numbers }: AdjustmentRow,
  place: Place,
  by: Actor,
): Promise<AppliedChange | string> {
  if (!place.item_id || !place.item_external_id) return `sku: ${sku} not found`;
  if (!place.warehouse_id) return `warehouse: ${warehouse} not found`;
  if (!mayUseWarehouse(by, place.warehouse_id)) return WarehouseDenied().message;
  if (!place.bin_id || !place.bin_external_id) return `bin: ${bin} not found in ${warehouse}`;
  const serials = await serialsOf(tx, place, sku, serial_numbers);
  if (typeof serials === "string") return serials;
  return {
    itemId: place.item_id,
    itemExternalId: place.item_external_id,
    binId: place.bin_id,
    binCode: bin,
    binExternalId: place.bin_external_id,
    warehouseId: place.warehouse_id,
    change: qty,
    lot: lot_number ?? null,
    expiry: expiry_date ?? null,
    serials,
    detail: memo ?? null,
  };
}

/** The serials that a row names, or why they are none of its item's. */
async function serialsOf(
  tx: Sql,
  { item_id, serial_policy }: Place,
  sku: string,
  serial_numbers: string[] | undefined,
): Promise<string[] | string> {
  if (!item_id || !serial_policy || !serial_numbers?.length) return [];
  try {
    const serials = await adjustedSerials(tx, { item_id, sku, serial_policy }, serial_numbers);
    await refuseItemCodes(
      tx,
      serials.map((serial) => ({ item_id, serial })),
    );
    return serials;
  } catch (error) {
    if (error instanceof DomainError) return rowFault(error);
    throw error;
  }
}
