import { WarehouseNotFound } from "../../src/master-data/problems.js";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { text } from "../../src/platform/db/columns.js";
import type { Tx } from "../command.js";

/**
 * Locks the warehouse of a connector against deletion until the end of the command; 404 for none, 403 for one that the
 * actor may not use.
 */
export async function lockWarehouse(tx: Tx, id: number, by: Actor): Promise<{ warehouse_code: string }> {
  const warehouse = await tx.row(
    { warehouse_code: text },
    "select warehouse_code from warehouses where warehouse_id = $1 for key share",
    [id],
  );
  if (!warehouse) throw WarehouseNotFound();
  checkWarehouse(by, id);
  return warehouse;
}
