import { type Actor, checkWarehouse } from "../src/actor.js";
import { UnknownWarehouse } from "../src/orders/problems.js";
import {
  WarehouseExists,
  WarehouseHasBins,
  WarehouseHasStock,
  WarehouseHasZones,
  WarehouseNamed,
  WarehouseNotFound,
} from "../src/warehouses/problems.js";
import type { Warehouse } from "../src/warehouses/queries.js";
import { command, type Tx } from "./command.js";
import {
  auditEdit,
  type Changes,
  edited,
  unlessNamed,
  unlessTaken,
} from "./edit.js";
import { holdWarehouses } from "./orders.js";

export interface NewWarehouse {
  warehouse_code: string;
  warehouse_name: string;
  address?: string | null | undefined;
}

const COLUMNS =
  "warehouse_id, warehouse_code, warehouse_name, address, is_active, created_at";

/** Creates a warehouse (reference 03 §1). */
export function createWarehouse(
  input: NewWarehouse,
  by: Actor,
): Promise<Warehouse> {
  return command("warehouses.create", by, input, async (tx) => {
    const { warehouse_code, warehouse_name, address } = input;
    const warehouse = await tx.row<Warehouse>(
      `insert into warehouses (warehouse_code, warehouse_name, address) values ($1, $2, $3)
       on conflict (warehouse_code) do nothing returning ${COLUMNS}`,
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

/** Changes what is sent of a warehouse (reference 03 §1). */
export function updateWarehouse(
  warehouse_id: number,
  changes: Changes<NewWarehouse & { is_active: boolean }>,
  by: Actor,
): Promise<Warehouse> {
  const input = { warehouse_id, ...changes };
  return command("warehouses.update", by, input, async (tx) => {
    const before = await lockWarehouse(tx, warehouse_id, by);
    const after = edited(before, changes);
    const { warehouse_code, warehouse_name, address, is_active } = after;
    await unlessTaken(
      tx.run(
        `update warehouses set warehouse_code = $2, warehouse_name = $3, address = $4, is_active = $5
         where warehouse_id = $1`,
        [warehouse_id, warehouse_code, warehouse_name, address, is_active],
      ),
      WarehouseExists({ warehouse_code }),
    );
    const entry = {
      entity: "WAREHOUSE",
      entityId: warehouse_id,
      warehouseId: warehouse_id,
    };
    auditEdit(tx, entry, before, after);
    return after;
  });
}

/**
 * Deletes a warehouse that holds no stock, no bins and no zones (reference 03 §1), and that no order names. It goes from its
 * users' warehouses, too.
 */
export function deleteWarehouse(
  warehouse_id: number,
  by: Actor,
): Promise<{ message: string }> {
  return command("warehouses.delete", by, { warehouse_id }, async (tx) => {
    // Users come first in the lock order.
    const users = await tx.rows<{ username: string }>(
      `update users
       set warehouse_ids = array_remove(warehouse_ids, $1), warehouse_id = (array_remove(warehouse_ids, $1))[1]
       where $1 = any(warehouse_ids) or warehouse_id = $1 returning username`,
      [warehouse_id],
    );
    const { warehouse_code } = await lockWarehouse(tx, warehouse_id, by);
    await needEmpty(tx, warehouse_id, warehouse_code);
    await unlessNamed(
      tx.run("delete from warehouses where warehouse_id = $1", [warehouse_id]),
      WarehouseNamed({ warehouse_code }),
    );
    tx.audit({
      action: "DELETE",
      entity: "WAREHOUSE",
      entityId: warehouse_id,
      warehouseId: warehouse_id,
      details: {
        warehouse_code,
        taken_from: users.map(({ username }) => username),
      },
    });
    return { message: `Warehouse ${warehouse_code} deleted` };
  });
}

async function lockWarehouse(
  tx: Tx,
  warehouseId: number,
  by: Actor,
): Promise<Warehouse> {
  checkWarehouse(by, warehouseId);
  const warehouse = await tx.row<Warehouse>(
    `select ${COLUMNS} from warehouses where warehouse_id = $1 for update`,
    [warehouseId],
  );
  if (!warehouse) throw WarehouseNotFound();
  return warehouse;
}

async function needEmpty(
  tx: Tx,
  warehouseId: number,
  warehouse_code: string,
): Promise<void> {
  const holds = await tx.row<{
    stock: boolean;
    bins: boolean;
    zones: boolean;
  }>(
    `select exists (select from inventory where warehouse_id = $1 and quantity_on_hand > 0) as stock,
            exists (select from bins where warehouse_id = $1) as bins,
            exists (select from zones where warehouse_id = $1) as zones`,
    [warehouseId],
  );
  if (holds?.stock) throw WarehouseHasStock({ warehouse_code });
  if (holds?.bins) throw WarehouseHasBins({ warehouse_code });
  if (holds?.zones) throw WarehouseHasZones({ warehouse_code });
}

/** Throws 400 unless there is this warehouse, which then stays until the transaction ends. */
export async function needWarehouse(
  tx: Tx,
  warehouse_id: number,
): Promise<void> {
  const held = await holdWarehouses(tx, [warehouse_id]);
  if (!held.has(warehouse_id)) throw UnknownWarehouse({ warehouse_id });
}
