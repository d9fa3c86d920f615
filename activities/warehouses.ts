import { type Actor, checkWarehouse } from "../src/actor.js";
import { UnknownWarehouse } from "../src/orders/problems.js";
import {
  BinExists,
  UnknownZone,
  WarehouseExists,
  ZoneExists,
} from "../src/warehouses/problems.js";
import type {
  Bin,
  BinType,
  Warehouse,
  Zone,
} from "../src/warehouses/queries.js";
import { command, type Tx } from "./command.js";
import { holdWarehouses } from "./orders.js";

export interface NewWarehouse {
  warehouse_code: string;
  warehouse_name: string;
  address?: string | null | undefined;
}

/** Creates a warehouse (reference 03 §1). */
export function createWarehouse(
  input: NewWarehouse,
  by: Actor,
): Promise<Warehouse> {
  return command("warehouses.create", by, input, async (tx) => {
    const { warehouse_code, warehouse_name, address } = input;
    const warehouse = await tx.row<Warehouse>(
      `insert into warehouses (warehouse_code, warehouse_name, address) values ($1, $2, $3)
       on conflict (warehouse_code) do nothing
       returning warehouse_id, warehouse_code, warehouse_name, address, is_active, created_at`,
      [warehouse_code, warehouse_name, address],
    );
    if (!warehouse) throw WarehouseExists({ warehouse_code });
    tx.audit({
      action: "CREATE",
      entity: "WAREHOUSE",
      entityId: warehouse.warehouse_id,
      warehouseId: warehouse.warehouse_id,
      details: { warehouse_code, warehouse_name },
    });
    return warehouse;
  });
}

export interface NewZone {
  warehouse_id: number;
  zone_code: string;
  zone_name: string;
  zone_type: string;
}

/** Creates a zone in a warehouse (reference 03 §1). */
export function createZone(input: NewZone, by: Actor): Promise<Zone> {
  return command("warehouses.createZone", by, input, async (tx) => {
    const { warehouse_id, zone_code, zone_name, zone_type } = input;
    checkWarehouse(by, warehouse_id);
    await needWarehouse(tx, warehouse_id);
    const zone = await tx.row<Zone>(
      `insert into zones (warehouse_id, zone_code, zone_name, zone_type) values ($1, $2, $3, $4)
       on conflict (warehouse_id, zone_code) do nothing
       returning zone_id, warehouse_id, zone_code, zone_name, zone_type, is_active`,
      [warehouse_id, zone_code, zone_name, zone_type],
    );
    if (!zone) throw ZoneExists({ zone_code });
    tx.audit({
      action: "CREATE",
      entity: "ZONE",
      entityId: zone.zone_id,
      warehouseId: warehouse_id,
      details: { zone_code, zone_name, zone_type },
    });
    return zone;
  });
}

export interface NewBin {
  zone_id: number;
  warehouse_id: number;
  bin_code: string;
  bin_barcode: string;
  bin_type: BinType;
  aisle?: string | null | undefined;
  row_num?: number | null | undefined;
  level_num?: number | null | undefined;
  position_num?: number | null | undefined;
  pick_sequence: number;
  putaway_sequence: number;
}

/** Creates a bin in a zone of its warehouse (reference 03 §1). */
export function createBin(input: NewBin, by: Actor): Promise<Bin> {
  return command("warehouses.createBin", by, input, async (tx) => {
    const { zone_id, warehouse_id, bin_code, bin_barcode, bin_type } = input;
    checkWarehouse(by, warehouse_id);
    await needWarehouse(tx, warehouse_id);
    const zone = await tx.row(
      "select zone_id from zones where zone_id = $1 and warehouse_id = $2",
      [zone_id, warehouse_id],
    );
    if (!zone) throw UnknownZone({ zone_id });
    const bin = await tx.row<Bin>(
      `insert into bins (zone_id, warehouse_id, bin_code, bin_barcode, bin_type, aisle, row_num, level_num, position_num,
                         pick_sequence, putaway_sequence)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       on conflict (warehouse_id, bin_code) do nothing
       returning bin_id, zone_id, warehouse_id, bin_code, bin_barcode, bin_type, aisle, row_num, level_num,
                 position_num, pick_sequence, putaway_sequence, is_active`,
      [
        zone_id,
        warehouse_id,
        bin_code,
        bin_barcode,
        bin_type,
        input.aisle,
        input.row_num,
        input.level_num,
        input.position_num,
        input.pick_sequence,
        input.putaway_sequence,
      ],
    );
    if (!bin) throw BinExists({ bin_code });
    auditNewBins(tx, [bin]);
    await settleReceivingBin(tx, [bin]);
    return bin;
  });
}

/** The audit rows of new bins. */
export function auditNewBins(
  tx: Tx,
  bins: Pick<Bin, "bin_id" | "warehouse_id" | "bin_code" | "bin_type">[],
): void {
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

/** Where units of cancelled orders go back to: the first Staging bin of the house, unless someone chose a bin. */
export async function settleReceivingBin(
  tx: Tx,
  newBins: Pick<Bin, "bin_id" | "bin_type">[],
): Promise<void> {
  const staging = newBins.find((bin) => bin.bin_type === "Staging");
  if (!staging) return;
  const setting = await tx.row<{ id: number; key: string; value: string }>(
    `insert into app_settings (key, value) values ('default_receiving_bin', $1)
     on conflict (key) do nothing returning id, key, value`,
    [String(staging.bin_id)],
  );
  if (!setting) return;
  const { id, ...details } = setting;
  tx.audit({ action: "CREATE", entity: "SETTING", entityId: id, details });
}

async function needWarehouse(tx: Tx, warehouse_id: number): Promise<void> {
  const held = await holdWarehouses(tx, [warehouse_id]);
  if (!held.has(warehouse_id)) throw UnknownWarehouse({ warehouse_id });
}
