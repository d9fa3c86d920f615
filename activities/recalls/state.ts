import { z } from "zod";
import { arrayOf, int, text, time } from "../../src/platform/db/columns.js";
import { db, type Sql } from "../../src/platform/db/db.js";
import { RecallNotFound } from "../../src/recalls/problems.js";
import { binsOfSerials, placesOf, statesOfSerials, unitsOfRecall } from "../../src/recalls/units.js";
import type { RecallState } from "../../src/recalls/workflow.js";

/** SQL: bins with units of a recall that are still to be counted, and that nobody is about to count or to decide of. */
export const UNCOUNTED_BINS = `
  select distinct p.warehouse_id, p.bin_id
  from (
    select warehouse_id, bin_id, item_id from (${placesOf("$1")}) of_lots where to_count > 0
    union all
    select warehouse_id, bin_id, item_id
    from (${binsOfSerials("$1")}) of_serials join (${statesOfSerials("$1")}) states using (serial_id)
    where unit_state = 'to_count' and not counted) p
  where not exists (select from cycle_counts c where c.bin_id = p.bin_id and c.status in ('PENDING', 'IN_PROGRESS'))
    and not exists (
      select from inventory_adjustments a
      where a.bin_id = p.bin_id and a.item_id = p.item_id and a.status = 'PENDING')`;

const Row = z.strictObject({
  recall_id: int,
  reason: text,
  opened_by: text,
  closed_by: text.nullable(),
  lots: arrayOf(text),
  to_hold: arrayOf(int),
  uncounted_bins: int,
  as_of: time,
});

/** What a recall's workflow knows of it, by its rows. */
export async function recallState(sql: Sql, recallId: number): Promise<RecallState> {
  const [row, units] = await Promise.all([
    sql.row(
      Row,
      `select recall_id, reason, opened_by, closed_by,
         array(select sku || ', lot ' || lot_number from recall_lots join lots using (lot_id) join items using (item_id)
               where recall_id = $1 order by lot_id)
         || array(select sku || ', serial ' || serial_number
                  from recall_serials join serials using (serial_id) join items using (item_id)
                  where recall_id = $1 order by serial_id) as lots,
         array(select lot_id from recall_lots where recall_id = $1 and known_quantity is null order by lot_id)
           as to_hold,
         (select count(*) from (${UNCOUNTED_BINS}) b) as uncounted_bins, clock_timestamp() as as_of
       from recalls where recall_id = $1`,
      [recallId],
    ),
    unitsOfRecall(sql, recallId),
  ]);
  if (!row) throw RecallNotFound();
  return { ...row, units };
}

/** Reads an existing recall for its workflow. 404 when there is none. */
export const resumeRecall = (recallId: number): Promise<RecallState> => recallState(db, recallId);
