import { type Actor, checkWarehouse } from "../../src/actor.js";
import type { CountCreated } from "../../src/counting/shapes.js";
import type { CountRequest, CountsOfWarehouse } from "../../src/counting/workflow.js";
import { WarehouseNotFound } from "../../src/master-data/warehouses/problems.js";
import { BinNotFound } from "../../src/receiving/problems.js";
import { attributesMissingHere } from "../../src/temporal/missing-attributes.js";
import { command, type Tx } from "../command.js";

/**
 * Creates the counts of some bins, all or none (reference 02 §8). Each is a snapshot of the bin: a line for every item
 * that should be found there, whatever its lots. What was picked for transfer orders is on the books until it is
 * approved, but has left the bin.
 */
export async function createCounts(request: CountRequest, by: Actor): Promise<CountsOfWarehouse> {
  return { ...(await insertCounts(request, by)), missing_attributes: attributesMissingHere() };
}

function insertCounts({ warehouseId, binIds, countIds }: CountRequest, by: Actor) {
  const input = { warehouseId, binIds };
  return command("cycleCounts.create", by, input, async (tx) => {
    const warehouse_code = await checkBins(tx, warehouseId, binIds, by);
    const counts = await tx.rows<CountCreated>(
      `with made as (
         insert into cycle_counts (count_id, warehouse_id, bin_id, assigned_to)
         select count_id, $1, bin_id, $2 from unnest($3::int[], $4::int[]) as c(count_id, bin_id)
         returning count_id, bin_id, status, assigned_to
       ), lines as (
         insert into cycle_count_lines (count_id, item_id, expected_quantity, expected_at_creation)
         select count_id, item_id, sum(units), sum(units)
         from made join (
           select bin_id, item_id, quantity_on_hand - coalesce((
             select sum(picked) from transfer_reservations r where r.inventory_id = v.inventory_id), 0) as units
           from inventory v where bin_id = any($4)) there using (bin_id) join items using (item_id) where units > 0
         group by count_id, item_id, sku order by count_id, sku
         returning count_id
       )
       select count_id, bin_id, bin_code, status, assigned_to,
              (select count(*) from lines l where l.count_id = m.count_id) as lines
       from made m join bins using (bin_id) order by array_position($3::int[], count_id)`,
      [warehouseId, by.username, countIds, binIds],
    );
    for (const { count_id, bin_id, lines } of counts) {
      tx.audit({
        action: "CREATE",
        entity: "CYCLE_COUNT",
        entityId: count_id,
        warehouseId,
        details: { bin_id, lines },
      });
    }
    return { warehouse_id: warehouseId, warehouse_code, counts };
  });
}

/** Gives the warehouse's code. */
async function checkBins(tx: Tx, warehouseId: number, binIds: number[], by: Actor): Promise<string> {
  checkWarehouse(by, warehouseId);
  const warehouse = await tx.row<{ warehouse_code: string }>(
    "select warehouse_code from warehouses where warehouse_id = $1",
    [warehouseId],
  );
  if (!warehouse) throw WarehouseNotFound();
  const missing = await tx.row<{ bin_id: number }>(
    `select bin_id from unnest($2::int[]) with ordinality as w(bin_id, place)
     where not exists (select from bins b where b.bin_id = w.bin_id and b.warehouse_id = $1)
     order by place limit 1`,
    [warehouseId, binIds],
  );
  if (missing) throw BinNotFound(missing);
  return warehouse.warehouse_code;
}
