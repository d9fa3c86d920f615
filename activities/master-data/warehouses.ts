import {
  UnknownTimeZone,
  UnknownWarehouse,
  WarehouseExists,
  WarehouseHasBins,
  WarehouseHasStock,
  WarehouseHasZones,
  WarehouseNamed,
  WarehouseNotFound,
} from "../../src/master-data/problems.js";
import { type NewWarehouse, Warehouse, type WarehouseChanges } from "../../src/master-data/warehouses/shapes.js";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { bool, text } from "../../src/platform/db/columns.js";
import { command, type Tx } from "../command.js";
import { auditEdit, refusingDuplicate, refusingReferenced, withChanges } from "../edit.js";
import { expectSellable } from "../stock/backorders.js";
import { lockWarehouses } from "./references.js";

const COLUMNS =
  "warehouse_id, warehouse_code, warehouse_name, address, is_active, created_at, timezone, closed_days, is_sandbox";

/** Creates a warehouse (docs/interface.md, Places). */
export function createWarehouse(input: NewWarehouse, by: Actor): Promise<Warehouse> {
  return command("warehouses.create", by, input, async (tx) => {
    const { warehouse_code, warehouse_name, address, timezone, closed_days = [] } = input;
    await refuseUnknownZone(tx, timezone);
    const warehouse = await tx.row(
      Warehouse,
      `insert into warehouses (warehouse_code, warehouse_name, address, timezone, closed_days)
       values (:warehouse_code, :warehouse_name, :address, :timezone, :closed_days)
       on conflict (warehouse_code) do nothing returning ${COLUMNS}`,
      { warehouse_code, warehouse_name, address: address ?? null, timezone: timezone ?? null, closed_days },
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

/** Changes the sent fields of a warehouse (docs/interface.md, Places). */
export function updateWarehouse(warehouse_id: number, changes: WarehouseChanges, by: Actor): Promise<Warehouse> {
  const input = { warehouse_id, ...changes };
  return command("warehouses.update", by, input, async (tx) => {
    await refuseUnknownZone(tx, changes.timezone);
    const before = await lockWarehouse(tx, warehouse_id, by);
    const after = withChanges(before, changes);
    const { warehouse_code, is_active } = after;
    if (is_active !== before.is_active) await expectSellable(tx, "v.warehouse_id = $1", warehouse_id);
    await refusingDuplicate(
      tx.run(
        `update warehouses
         set warehouse_code = :warehouse_code, warehouse_name = :warehouse_name, address = :address,
             is_active = :is_active, timezone = :timezone, closed_days = :closed_days
         where warehouse_id = :warehouse_id`,
        after,
      ),
      WarehouseExists({ warehouse_code }),
    );
    const entry = { entity: "WAREHOUSE", entityId: warehouse_id, warehouseId: warehouse_id };
    auditEdit(tx, entry, before, after);
    return after;
  });
}

/**
 * Deletes a warehouse without stock, bins, zones and orders (docs/interface.md, Places), and removes it from its users'
 * warehouses.
 */
export function deleteWarehouse(warehouse_id: number, by: Actor): Promise<{ message: string }> {
  return command("warehouses.delete", by, { warehouse_id }, async (tx) => {
    // Users are first in the lock order.
    const users = await tx.rows(
      { username: text },
      `update users
       set warehouse_ids = array_remove(warehouse_ids, $1), warehouse_id = (array_remove(warehouse_ids, $1))[1]
       where $1 = any(warehouse_ids) or warehouse_id = $1 returning username`,
      [warehouse_id],
    );
    const { warehouse_code } = await lockWarehouse(tx, warehouse_id, by);
    await checkEmpty(tx, warehouse_id, warehouse_code);
    await refusingReferenced(
      tx.run("delete from warehouses where warehouse_id = $1", [warehouse_id]),
      WarehouseNamed({ warehouse_code }),
    );
    tx.audit({
      action: "DELETE",
      entity: "WAREHOUSE",
      entityId: warehouse_id,
      warehouseId: warehouse_id,
      details: { warehouse_code, taken_from: users.map(({ username }) => username) },
    });
    return { message: `Warehouse ${warehouse_code} deleted` };
  });
}

/**
 * The runtime and Postgres each have a list of time zones, and reports would fail on a name that Postgres does not
 * know.
 */
async function refuseUnknownZone(tx: Tx, timezone: string | null | undefined): Promise<void> {
  if (timezone && !(await tx.row({}, "select from pg_timezone_names where name = $1", [timezone])))
    throw UnknownTimeZone({ timezone });
}

async function lockWarehouse(tx: Tx, warehouseId: number, by: Actor): Promise<Warehouse> {
  checkWarehouse(by, warehouseId);
  const warehouse = await tx.row(Warehouse, `select ${COLUMNS} from warehouses where warehouse_id = $1 for update`, [
    warehouseId,
  ]);
  if (!warehouse) throw WarehouseNotFound();
  return warehouse;
}

async function checkEmpty(tx: Tx, warehouseId: number, warehouse_code: string): Promise<void> {
  const holds = await tx.row(
    { stock: bool, bins: bool, zones: bool },
    `select exists (select from inventory where warehouse_id = $1 and quantity_on_hand > 0) as stock,
            exists (select from bins where warehouse_id = $1) as bins,
            exists (select from zones where warehouse_id = $1) as zones`,
    [warehouseId],
  );
  if (holds?.stock) throw WarehouseHasStock({ warehouse_code });
  if (holds?.bins) throw WarehouseHasBins({ warehouse_code });
  if (holds?.zones) throw WarehouseHasZones({ warehouse_code });
}

/** Locks a warehouse against deletion until the transaction ends; 400 when it does not exist. */
export async function checkWarehouseExists(tx: Tx, warehouse_id: number): Promise<void> {
  const held = await lockWarehouses(tx, [warehouse_id]);
  if (!held.has(warehouse_id)) throw UnknownWarehouse({ warehouse_id });
}
