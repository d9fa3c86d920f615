import { CountCreated } from "../../src/counting/shapes.js";
import { int } from "../../src/platform/db/columns.js";
import type { Tx } from "../command.js";

interface NewCounts {
  warehouseId: number;
  binIds: number[];
  /** The ids of the counts, one for each bin. */
  countIds: number[];
  assignedTo: string | null;
  /** The reason for the audit log, where no person asked for the counts. */
  because?: Record<string, unknown>;
  /** The scanner does not say what should be there. */
  isBlind?: boolean;
}

/**
 * Inserts counts. Each is a snapshot of its bin, with a line for every item that should be there, summed over its lots.
 * Units that were picked for a transfer order are still on the books, but no longer in the bin. Audit CREATE.
 */
export async function insertCounts(
  tx: Tx,
  { warehouseId, binIds, countIds, assignedTo, because, isBlind = false }: NewCounts,
): Promise<CountCreated[]> {
  const counts = await tx.rows(
    CountCreated,
    `with made as (
       insert into cycle_counts (count_id, warehouse_id, bin_id, assigned_to, is_blind)
       select count_id, :warehouseId, bin_id, :assignedTo, :isBlind
       from unnest(:countIds::int[], :binIds::int[]) as c(count_id, bin_id)
       returning count_id, bin_id, status, assigned_to
     ), lines as (
       insert into cycle_count_lines (count_id, item_id, expected_quantity, expected_at_creation)
       select count_id, item_id, sum(units), sum(units)
       from made join (
         select bin_id, item_id, quantity_on_hand - coalesce((
           select sum(picked) from transfer_reservations r where r.inventory_id = v.inventory_id), 0) as units
         from inventory v where bin_id = any(:binIds)) there using (bin_id) join items using (item_id) where units > 0
       group by count_id, item_id, sku order by count_id, sku
       returning count_id
     )
     select count_id, bin_id, bin_code, status, assigned_to,
            (select count(*) from lines l where l.count_id = m.count_id) as lines
     from made m join bins using (bin_id) order by array_position(:countIds::int[], count_id)`,
    { warehouseId, assignedTo, countIds, binIds, isBlind },
  );
  for (const { count_id, bin_id, lines } of counts)
    tx.audit({
      ...{ action: "CREATE", entity: "CYCLE_COUNT", entityId: count_id, warehouseId },
      details: { bin_id, lines, ...because },
    });
  return counts;
}

/** Creates a count of a locked bin, for whoever comes by, unless one is open. */
export async function countBin(
  tx: Tx,
  { warehouse_id, bin_id }: { warehouse_id: number; bin_id: number },
  because: Record<string, unknown>,
  isBlind = false,
): Promise<CountCreated | null> {
  const next = await tx.row(
    { count_id: int },
    `select nextval(pg_get_serial_sequence('cycle_counts', 'count_id')) as count_id
     where not exists (select from cycle_counts where bin_id = $1 and status in ('PENDING', 'IN_PROGRESS'))`,
    [bin_id],
  );
  if (!next) return null;
  const [count] = await insertCounts(tx, {
    warehouseId: warehouse_id,
    binIds: [bin_id],
    countIds: [next.count_id],
    assignedTo: null,
    because,
    isBlind,
  });
  return count as CountCreated;
}
