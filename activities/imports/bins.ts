import { z } from "zod";
import type { RowError } from "../../src/imports/shapes.js";
import { Bin, BinType, MOST_UNITS, MOST_WEIGHT_OR_VOLUME } from "../../src/master-data/bins/shapes.js";
import { BinExists } from "../../src/master-data/problems.js";
import { visibleWarehouses } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { BooleanCell, Cell, CodeCell, IdCell, IntCell, LabelCell, NumberCell } from "../../src/platform/files/cells.js";
import type { Tx } from "../command.js";
import { auditNewBins, setDefaultReceivingBin } from "../master-data/bins.js";
import { type ImportRow, importer } from "./importer.js";

const Sequence = IntCell(0, 2_147_483_647).default(0);
const Limit = NumberCell(0, MOST_WEIGHT_OR_VOLUME).optional();

const columns = z.strictObject({
  bin_code: CodeCell(64),
  bin_barcode: CodeCell(128).optional(),
  zone: LabelCell(128).optional(),
  zone_id: IdCell.optional(),
  warehouse_id: IdCell.optional(),
  bin_type: BinType.default("Pickable"),
  aisle: LabelCell(32).optional(),
  row_num: LabelCell(32).optional(),
  level_num: LabelCell(32).optional(),
  pick_sequence: Sequence,
  putaway_sequence: Sequence,
  max_units: IntCell(1, MOST_UNITS).optional(),
  max_weight_lbs: Limit,
  max_volume_cuft: Limit,
  is_reserve: BooleanCell.default(false),
  description: Cell(200).optional(),
});
type BinRow = ImportRow<z.output<typeof columns>>;

const Zone = z.strictObject({ zone_id: int, warehouse_id: int, code: text, name: text });
type Zone = z.infer<typeof Zone>;

/** Bins, each into a zone that is named by id, code or name (docs/interface.md, Imports). */
export const importBins = importer("bins", {
  columns,
  async write(tx, rows, { warehouseId }, by) {
    const zones = await tx.rows(
      Zone,
      `select zone_id, warehouse_id, lower(zone_code) as code, lower(zone_name) as name from zones
       where $1::int[] is null or warehouse_id = any($1)`,
      [visibleWarehouses(by)],
    );
    const refused: RowError[] = [];
    const accepted = new Map<string, { row: BinRow; zone: Zone }>();
    for (const row of rows) {
      const zone = zoneOf(row, zones, warehouseId);
      const key = typeof zone === "object" ? keyOf(zone.warehouse_id, row.bin_code) : "";
      if (typeof zone === "string") refused.push({ row: row.row, error: zone });
      else if (accepted.has(key)) refused.push(taken(row));
      else accepted.set(key, { row, zone });
    }
    const made = await insertBins(tx, [...accepted.values()]);
    auditNewBins(tx, made);
    await setDefaultReceivingBin(tx, made);
    for (const bin of made) accepted.delete(keyOf(bin.warehouse_id, bin.bin_code));
    return [...refused, ...[...accepted.values()].map(({ row }) => taken(row))];
  },
});

const keyOf = (warehouseId: number, binCode: string) => `${warehouseId} ${binCode}`;

const taken = ({ row, bin_code }: BinRow) => ({ row, error: BinExists({ bin_code }).message });

/** The zone of a row, by id, else by code, else by name; or the reason why there is none. */
function zoneOf(row: BinRow, zones: Zone[], importWarehouse: number | undefined): Zone | string {
  if (!row.zone_id && !row.zone) return "zone: required";
  const named = row.zone?.toLowerCase();
  const inWarehouse = zones.filter((zone) => !row.warehouse_id || zone.warehouse_id === row.warehouse_id);
  let found = inWarehouse.filter((zone) => (row.zone_id ? zone.zone_id === row.zone_id : zone.code === named));
  if (found.length === 0 && !row.zone_id) found = inWarehouse.filter((zone) => zone.name === named);
  if (found.length > 1) found = found.filter((zone) => !importWarehouse || zone.warehouse_id === importWarehouse);
  if (found.length > 1) return `zone: ${row.zone} is not unique; give a warehouse_id or a zone_id`;
  return found[0] ?? `zone: ${row.zone_id ?? row.zone} not found`;
}

const InsertBinsRow = Bin.pick({ warehouse_id: true, bin_code: true, bin_id: true, bin_type: true });

function insertBins(tx: Tx, bins: { row: BinRow; zone: Zone }[]) {
  const rows = bins.map(({ row }) => row);
  return tx.rows(
    InsertBinsRow,
    `insert into bins (zone_id, warehouse_id, bin_code, bin_barcode, bin_type, aisle, row_num, level_num,
                       pick_sequence, putaway_sequence, max_units, max_weight_lbs, max_volume_cuft, is_reserve,
                       description)
     select zone_id, warehouse_id, bin_code, bin_barcode, bin_type, aisle, row_num, level_num,
            pick_sequence, putaway_sequence, max_units, max_weight_lbs, max_volume_cuft, is_reserve, description
     from unnest(:zone_ids::int[], :warehouse_ids::int[], :codes::text[], :barcodes::text[], :types::text[],
                 :aisles::text[], :rows::text[], :levels::text[], :pick_sequences::int[],
                 :putaway_sequences::int[], :units::int[], :weights::numeric[], :volumes::numeric[],
                 :reserves::boolean[], :descriptions::text[]) with ordinality
       as r(zone_id, warehouse_id, bin_code, bin_barcode, bin_type, aisle, row_num, level_num,
            pick_sequence, putaway_sequence, max_units, max_weight_lbs, max_volume_cuft, is_reserve,
            description, place)
     order by place
     on conflict (warehouse_id, bin_code) do nothing
     returning bin_id, warehouse_id, bin_code, bin_type`,
    {
      zone_ids: bins.map(({ zone }) => zone.zone_id),
      warehouse_ids: bins.map(({ zone }) => zone.warehouse_id),
      codes: rows.map((row) => row.bin_code),
      barcodes: rows.map((row) => row.bin_barcode ?? row.bin_code),
      types: rows.map((row) => row.bin_type),
      aisles: rows.map((row) => row.aisle),
      rows: rows.map((row) => row.row_num),
      levels: rows.map((row) => row.level_num),
      pick_sequences: rows.map((row) => row.pick_sequence),
      putaway_sequences: rows.map((row) => row.putaway_sequence),
      units: rows.map((row) => row.max_units),
      weights: rows.map((row) => row.max_weight_lbs),
      volumes: rows.map((row) => row.max_volume_cuft),
      reserves: rows.map((row) => row.is_reserve),
      descriptions: rows.map((row) => row.description),
    },
  );
}
