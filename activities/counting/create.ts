import type { CountsOfWarehouse, RequestedCounts } from "../../src/counting/workflow.js";
import { WarehouseNotFound } from "../../src/master-data/problems.js";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { BinNotFound } from "../../src/stock/problems.js";
import { command, type Tx } from "../command.js";
import { insertCounts } from "./insert.js";

/** Creates the counts of some bins, all or none (docs/interface.md, Counting). */
export function createCounts(
  { warehouseId, binIds, countIds }: RequestedCounts,
  by: Actor,
): Promise<CountsOfWarehouse> {
  const input = { warehouseId, binIds };
  return command("cycleCounts.create", by, input, async (tx) => {
    const warehouse_code = await checkBins(tx, warehouseId, binIds, by);
    const counts = await insertCounts(tx, { warehouseId, binIds, countIds, assignedTo: by.username });
    return { warehouse_id: warehouseId, warehouse_code, counts };
  });
}

/** Gives the warehouse's code. */
async function checkBins(tx: Tx, warehouseId: number, binIds: number[], by: Actor): Promise<string> {
  checkWarehouse(by, warehouseId);
  const warehouse = await tx.row(
    { warehouse_code: text },
    "select warehouse_code from warehouses where warehouse_id = $1",
    [warehouseId],
  );
  if (!warehouse) throw WarehouseNotFound();
  const missing = await tx.row(
    { bin_id: int },
    `select bin_id from unnest($2::int[]) with ordinality as w(bin_id, place)
     where not exists (select from bins b where b.bin_id = w.bin_id and b.warehouse_id = $1)
     order by place limit 1`,
    [warehouseId, binIds],
  );
  if (missing) throw BinNotFound(missing);
  return warehouse.warehouse_code;
}
