import { z } from "zod";
import { CountNotFound, CountNotOpen } from "../../src/counting/problems.js";
import { openCountIn } from "../../src/counting/queries.js";
import type { CountsOfWarehouse } from "../../src/counting/workflow.js";
import { int, text } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";

const ResumeCountRow = {
  count_id: int,
  bin_id: int,
  bin_code: text,
  status: z.enum(["PENDING", "IN_PROGRESS", "COMPLETED", "VARIANCE"]),
  lines: int,
  assigned_to: text.nullable(),
  warehouse_id: int,
  warehouse_code: text,
};

/** Reads an existing count for a workflow that is started again; refused when the count is finished. */
export async function resumeCount(countId: number): Promise<CountsOfWarehouse> {
  const found = await db.row(
    ResumeCountRow,
    `select count_id, c.warehouse_id, warehouse_code, bin_id, bin_code, c.status, assigned_to,
       (select count(*) from cycle_count_lines l where l.count_id = c.count_id) as lines
     from cycle_counts c join bins using (bin_id) join warehouses w on w.warehouse_id = c.warehouse_id
     where count_id = $1`,
    [countId],
  );
  if (!found) throw CountNotFound();
  if (!(await openCountIn(countId))) throw CountNotOpen({ status: found.status });
  const { warehouse_id, warehouse_code, ...count } = found;
  return { warehouse_id, warehouse_code, counts: [count] };
}
