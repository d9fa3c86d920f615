import { Bin, type BinChanges, BinWithZone, type NewBin } from "../../src/master-data/bins/shapes.js";
import {
  BinExists,
  BinHasStock,
  BinIsPreferred,
  BinNamed,
  BinReceives,
  UnknownZone,
} from "../../src/master-data/problems.js";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { bool, int, text } from "../../src/platform/db/columns.js";
import { codeOf } from "../../src/platform/db/list.js";
import { BinNotFound } from "../../src/stock/problems.js";
import { setting } from "../../src/system/settings/queries.js";
import { command, type Tx } from "../command.js";
import { auditEdit, refusingDuplicate, refusingReferenced, withChanges } from "../edit.js";
import { expectSellable } from "../stock/backorders.js";
import { checkWarehouseExists } from "./warehouses.js";

const COLUMNS = `bin_id, external_id, zone_id, warehouse_id, bin_code, bin_barcode, bin_type, aisle, row_num, level_num,
                 position_num, pick_sequence, putaway_sequence, is_active, max_units,
                 max_weight_lbs::float8 as max_weight_lbs, max_volume_cuft::float8 as max_volume_cuft, is_reserve`;

/** Creates a bin in a zone of its warehouse (docs/interface.md, Places). */
export function createBin(input: NewBin, by: Actor): Promise<Bin> {
  return command("bins.create", by, input, async (tx) => {
    const { zone_id, warehouse_id, bin_code } = input;
    checkWarehouse(by, warehouse_id);
    await checkWarehouseExists(tx, warehouse_id);
    await lockZone(tx, zone_id, warehouse_id);
    const bin = await tx.row(
      Bin,
      `insert into bins (zone_id, warehouse_id, bin_code, bin_barcode, bin_type, aisle, row_num, level_num,
                         position_num, pick_sequence, putaway_sequence, max_units, max_weight_lbs, max_volume_cuft,
                         is_reserve)
       values (:zone_id, :warehouse_id, :bin_code, :bin_barcode, :bin_type, :aisle, :row_num, :level_num,
               :position_num, :pick_sequence, :putaway_sequence, :max_units, :max_weight_lbs, :max_volume_cuft,
               :is_reserve)
       on conflict (warehouse_id, bin_code) do nothing
       returning ${COLUMNS}`,
      {
        zone_id,
        warehouse_id,
        bin_code,
        bin_barcode: input.bin_barcode,
        bin_type: input.bin_type,
        aisle: input.aisle,
        row_num: input.row_num,
        level_num: input.level_num,
        position_num: input.position_num,
        pick_sequence: input.pick_sequence,
        putaway_sequence: input.putaway_sequence,
        max_units: input.max_units,
        max_weight_lbs: input.max_weight_lbs,
        max_volume_cuft: input.max_volume_cuft,
        is_reserve: input.is_reserve,
      },
    );
    if (!bin) throw BinExists({ bin_code });
    auditNewBins(tx, [bin]);
    await setDefaultReceivingBin(tx, [bin]);
    return bin;
  });
}

const UpdateBinRow = BinWithZone.pick({ warehouse_code: true, updated_at: true });

/** Changes the sent fields of a bin, which stays in its warehouse (docs/interface.md, Places). */
export function updateBin(bin_id: number, changes: BinChanges, by: Actor): Promise<BinWithZone> {
  return command("bins.update", by, { bin_id, ...changes }, async (tx) => {
    const before = await lockBin(tx, bin_id, by);
    const after = withChanges(before, changes);
    const { zone_id, warehouse_id, bin_code } = after;
    const { zone_name } = await lockZone(tx, zone_id, warehouse_id);
    if (decidesSelling(before) !== decidesSelling(after)) await expectSellable(tx, "v.bin_id = $1", bin_id);
    const written = await refusingDuplicate(
      tx.row(
        UpdateBinRow,
        `update bins
         set zone_id = :zone_id, bin_code = :bin_code, bin_barcode = :bin_barcode, bin_type = :bin_type,
             aisle = :aisle, row_num = :row_num, level_num = :level_num, position_num = :position_num,
             pick_sequence = :pick_sequence, putaway_sequence = :putaway_sequence, is_active = :is_active,
             max_units = :max_units, max_weight_lbs = :max_weight_lbs, max_volume_cuft = :max_volume_cuft,
             is_reserve = :is_reserve
         where bin_id = :bin_id returning updated_at, ${codeOf("bins.warehouse_id")}`,
        after,
      ),
      BinExists({ bin_code }),
    );
    auditEdit(tx, { entity: "BIN", entityId: bin_id, warehouseId: warehouse_id }, before, after);
    return { ...after, zone_name, ...(written as Pick<BinWithZone, "updated_at" | "warehouse_code">) };
  });
}

/** The fields of a bin that decide whether its stock can be sold and picked. */
const decidesSelling = ({ bin_type, is_active, zone_id }: Bin) => `${bin_type} ${is_active} ${zone_id}`;

/**
 * Deletes a bin, with its stock rows at zero (docs/interface.md, Places). It must have no stock, be neither a preferred
 * bin nor the receiving bin, and not be referenced by any record.
 */
export function deleteBin(bin_id: number, by: Actor): Promise<{ message: string }> {
  return command("bins.delete", by, { bin_id }, async (tx) => {
    const { warehouse_id, bin_code } = await lockBin(tx, bin_id, by);
    const used = await tx.row(
      { stock: bool, preferred: bool },
      `select exists (select from inventory where bin_id = $1 and quantity_on_hand > 0) as stock,
              exists (select from preferred_bins where bin_id = $1) as preferred`,
      [bin_id],
    );
    if (used?.stock) throw BinHasStock({ bin_code });
    if (used?.preferred) throw BinIsPreferred({ bin_code });
    if ((await setting(tx, "default_receiving_bin")) === String(bin_id)) throw BinReceives({ bin_code });
    const deleted = Promise.all([
      tx.run("delete from inventory where bin_id = $1", [bin_id]),
      tx.run("delete from bins where bin_id = $1", [bin_id]),
    ]);
    await refusingReferenced(deleted, BinNamed({ bin_code }));
    tx.audit({ action: "DELETE", entity: "BIN", entityId: bin_id, warehouseId: warehouse_id, details: { bin_code } });
    return { message: `Bin ${bin_code} deleted` };
  });
}

/** Conflicts with the `key share` locks of transactions that put stock into the bin. */
async function lockBin(tx: Tx, bin_id: number, by: Actor): Promise<Bin> {
  const bin = await tx.row(Bin, `select ${COLUMNS} from bins where bin_id = $1 for update`, [bin_id]);
  if (!bin) throw BinNotFound({ bin_id });
  checkWarehouse(by, bin.warehouse_id);
  return bin;
}

async function lockZone(tx: Tx, zone_id: number, warehouse_id: number): Promise<{ zone_name: string }> {
  const zone = await tx.row(
    { zone_name: text },
    "select zone_name from zones where zone_id = $1 and warehouse_id = $2 for key share",
    [zone_id, warehouse_id],
  );
  if (!zone) throw UnknownZone({ zone_id });
  return zone;
}

/** The audit rows of new bins. */
export function auditNewBins(tx: Tx, bins: Pick<Bin, "bin_id" | "warehouse_id" | "bin_code" | "bin_type">[]): void {
  for (const { bin_id, warehouse_id, bin_code, bin_type } of bins) {
    tx.audit({
      action: "CREATE",
      entity: "BIN",
      entityId: bin_id,
      warehouseId: warehouse_id,
      details: { bin_code, bin_type },
    });
  }
}

/**
 * Makes a new Staging bin the default receiving bin, where units of cancelled orders are put, unless the setting has a
 * value already. One of a sandbox never is.
 */
export async function setDefaultReceivingBin(tx: Tx, newBins: Pick<Bin, "bin_id" | "bin_type">[]): Promise<void> {
  const staging = newBins.find((bin) => bin.bin_type === "Staging");
  if (!staging) return;
  const setting = await tx.row(
    { id: int, key: text, value: text },
    `insert into app_settings (key, value)
     select 'default_receiving_bin', $1::int::text
     where not exists (select from bins join warehouses using (warehouse_id) where bin_id = $1 and is_sandbox)
     on conflict (key) do update set value = excluded.value, updated_at = now() where app_settings.value = ''
     returning id, key, value`,
    [staging.bin_id],
  );
  if (!setting) return;
  const { id, ...details } = setting;
  tx.audit({ action: "CREATE", entity: "SETTING", entityId: id, details });
}
