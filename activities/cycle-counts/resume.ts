import type { Count, CountsMade } from "../../src/cycle-counts/count.js";
import {
  CountNotFound,
  CountNotOpen,
} from "../../src/cycle-counts/problems.js";
import { isCountOpen } from "../../src/cycle-counts/queries.js";
import { db } from "../../src/db.js";

/** What a process needs of a count whose rows are there already; refused when nothing is left to count or to decide. */
export async function resumeCount(countId: number): Promise<CountsMade> {
  const found = await db.row<Count & { warehouse_id: number }>(
    `select count_id, c.warehouse_id, bin_id, bin_code, status, assigned_to,
       (select count(*) from cycle_count_lines l where l.count_id = c.count_id) as lines
     from cycle_counts c join bins using (bin_id) where count_id = $1`,
    [countId],
  );
  if (!found) throw CountNotFound();
  if (!(await isCountOpen(countId)))
    throw CountNotOpen({ status: found.status });
  const { warehouse_id, ...count } = found;
  return { warehouse_id, counts: [count] };
}
