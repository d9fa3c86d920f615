import { z } from "zod";
import type { RowError } from "../../src/imports/shapes.js";
import { importedItem } from "../../src/master-data/items/shapes.js";
import { sharedCodes } from "../../src/master-data/items/shared-codes.js";
import { SkuExists, UpcExists } from "../../src/master-data/problems.js";
import { type Actor, visibleWarehouses } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { todayAt } from "../../src/platform/db/days.js";
import type { Sql } from "../../src/platform/db/db.js";
import { CodeCell, DayCell, IntCell } from "../../src/platform/files/cells.js";
import { DomainError } from "../../src/platform/problem.js";
import type { Tx } from "../command.js";
import { takenUpcs } from "../master-data/items.js";
import { expectIncreaseIn } from "../stock/backorders.js";
import { judged, recordProduction } from "../stock/policies.js";
import { addStock } from "../stock/stock.js";
import { type ImportOptions, type ImportRow, importer, rowFault } from "./importer.js";

const columns = z.strictObject({
  ...importedItem,
  default_bin: CodeCell(64).optional(),
  quantity: IntCell(0, 1_000_000).optional(),
  lot_number: CodeCell(100).optional(),
  production_date: DayCell.optional(),
  expiry_date: DayCell.optional(),
});
type ItemRow = ImportRow<z.output<typeof columns>>;

const Bin = z.strictObject({ bin_id: int, bin_code: text, warehouse_id: int, today: text });
type Bin = z.infer<typeof Bin>;

/**
 * Items, with their stock in the default bin (docs/interface.md, Imports). One whose SKU or UPC exists already is
 * rejected. An unknown default bin is ignored with a warning, unless the row has units to be put into it.
 */
export const importItems = importer("items", {
  columns,
  otherNames: { name: "item_name", weight: "weight_lbs", qty: "quantity" },
  async write(tx, rows, options, by, warn) {
    const bins = await binsOf(tx, rows, options, by);
    const skus = await takenSkus(tx, rows);
    const upcs = await takenUpcs(
      tx,
      rows.flatMap((row) => row.upc ?? []),
    );
    const refused: RowError[] = [];
    const units = new Map<string, ItemUnits>();
    const accepted = rows.filter((row) => {
      const error = refusalOf(row, bins, skus, upcs);
      const its = error === undefined && row.quantity ? unitsOf(row, bins) : undefined;
      if (error !== undefined || its instanceof DomainError) {
        refused.push({ row: row.row, error: error ?? rowFault(its as DomainError) });
        return false;
      }
      if (its) units.set(row.sku, its);
      skus.add(row.sku);
      if (row.upc) upcs.add(row.upc);
      return true;
    });
    const ids = await insertItems(tx, accepted, bins);
    const made = accepted.filter((row) => ids.has(row.sku));
    await stockItems(tx, made, ids, units);
    for (const { row, default_bin } of made)
      if (default_bin && !bins.has(default_bin))
        warn({ row, warning: `default_bin: ${default_bin} not found; imported without it` });
    const shared = await sharedCodes(
      tx,
      made.map(({ sku, upc }) => ({ item_id: ids.get(sku) as number, sku, upc })),
    );
    for (const { row, sku } of made)
      for (const { code, ...other } of shared.get(ids.get(sku) as number) ?? [])
        warn({ row, warning: `${code} is a code of item ${other.sku}, too: a scan of it does not say which is meant` });
    for (const { sku, item_name, quantity, default_bin } of made) {
      tx.audit({
        action: "CREATE",
        entity: "ITEM",
        entityId: ids.get(sku) as number,
        details: { sku, item_name, ...(quantity && { quantity, bin: default_bin }) },
      });
    }
    // A concurrent transaction has inserted the same SKU.
    const late = accepted.filter((row) => !ids.has(row.sku));
    return [...refused, ...late.map(({ row, sku }) => ({ row, error: SkuExists({ sku }).message }))];
  },
});

function refusalOf(row: ItemRow, bins: Map<string, Bin[]>, skus: Set<string>, upcs: Set<string>): string | undefined {
  if (skus.has(row.sku)) return SkuExists({ sku: row.sku }).message;
  if (row.upc && upcs.has(row.upc)) return UpcExists({ upc: row.upc }).message;
  if (!row.default_bin) return row.quantity ? "quantity: needs a default_bin to lie in" : undefined;
  const found = bins.get(row.default_bin) ?? [];
  if (found.length === 0 && row.quantity)
    return `default_bin: ${row.default_bin} not found, and the quantity needs one to lie in`;
  if (found.length > 1) return `default_bin: ${row.default_bin} is in several warehouses; import with a warehouse_id`;
  return undefined;
}

type ItemUnits = Exclude<ReturnType<typeof unitsOf>, DomainError>;

/**
 * The units of a row whose item is not there yet, with the days that follow from what it says; refused where they are
 * not as it asks.
 */
function unitsOf(row: ItemRow, bins: Map<string, Bin[]>) {
  const bin = bins.get(row.default_bin as string)?.[0] as Bin;
  const { quantity = 0, lot_number, production_date, expiry_date, shelf_life_days, min_days_at_receipt } = row;
  const units = {
    ...{ itemId: 0, binId: bin.bin_id, warehouseId: bin.warehouse_id, quantity, lot: lot_number ?? null },
    ...{ produced: production_date ?? null, expiry: expiry_date ?? null, isNew: false },
  };
  const limits = {
    shelf_life_days: shelf_life_days ?? null,
    min_days_at_receipt: min_days_at_receipt ?? null,
  };
  return judged(units, { ...row, ...limits, item_id: 0, today: bin.today });
}

/** The default bins by code: in the warehouse of the import where it names one, else in the caller's warehouses. */
async function binsOf(
  sql: Sql,
  rows: ItemRow[],
  { warehouseId }: ImportOptions,
  by: Actor,
): Promise<Map<string, Bin[]>> {
  const values = [rows.flatMap((row) => row.default_bin ?? []), warehouseId ? [warehouseId] : visibleWarehouses(by)];
  await sql.run(
    `select from bins
     where bin_code = any($1) and ($2::int[] is null or warehouse_id = any($2)) for key share`,
    values,
  );
  const found = await sql.rows(
    Bin,
    `select bin_id, bin_code, warehouse_id, ${todayAt("bins.warehouse_id")}::text as today from bins
     where bin_code = any($1) and ($2::int[] is null or warehouse_id = any($2))`,
    values,
  );
  const byCode = new Map<string, Bin[]>();
  for (const bin of found) byCode.set(bin.bin_code, [...(byCode.get(bin.bin_code) ?? []), bin]);
  return byCode;
}

async function takenSkus(sql: Sql, rows: ItemRow[]): Promise<Set<string>> {
  const taken = await sql.rows({ sku: text }, "select sku from items where sku = any($1)", [
    rows.map((row) => row.sku),
  ]);
  return new Set(taken.map((item) => item.sku));
}

const STORED = [...Object.keys(importedItem), "default_bin_id"].join(", ");
const INSERT = `insert into items (${STORED})
                select ${STORED} from json_populate_recordset(null::items, $1) order by sku
                on conflict (sku) do nothing returning item_id, sku`;

/** Inserts items; returns their ids by SKU. */
async function insertItems(tx: Tx, rows: ItemRow[], bins: Map<string, Bin[]>): Promise<Map<string, number>> {
  const items = rows.map((row) => ({
    ...row,
    default_bin_id: row.default_bin && bins.get(row.default_bin)?.[0]?.bin_id,
  }));
  const made = await tx.rows({ item_id: int, sku: text }, INSERT, [JSON.stringify(items)]);
  return new Map(made.map((item) => [item.sku, item.item_id]));
}

async function stockItems(
  tx: Tx,
  made: ItemRow[],
  ids: Map<string, number>,
  units: Map<string, ItemUnits>,
): Promise<void> {
  const arrivals = made.flatMap(({ sku }) => {
    const its = units.get(sku);
    return its ? [{ ...its, itemId: ids.get(sku) as number }] : [];
  });
  const increase = await expectIncreaseIn(
    tx,
    "adjustment",
    arrivals.map(({ itemId }) => itemId),
    arrivals.map(({ binId }) => binId),
  );
  await recordProduction(tx, arrivals);
  await addStock(tx, increase, arrivals);
}
