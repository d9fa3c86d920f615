import { z } from "zod";
import { BIN_STATES } from "../../src/counting/programmes/bins.js";
import type { DueReason } from "../../src/counting/programmes/shapes.js";
import { int, text } from "../../src/platform/db/columns.js";
import { dayBegins } from "../../src/platform/db/days.js";
import type { Sql } from "../../src/platform/db/db.js";

const Due = {
  bins: z.array(z.strictObject({ bin_id: int, bin_code: text, reason: z.custom<DueReason>() })),
  due: int,
};

/**
 * The bins of a programme that are due, as many as it may still make counts of today, and how many are due in all. The
 * most urgent ones first: bins in doubt, then those that were never counted, by class, then the longest overdue; bins
 * without stock at last. A bin whose count is open is left out.
 */
export async function dueBins(sql: Sql, programme_id: number) {
  const found = await sql.row(
    Due,
    `with ${BIN_STATES}, due as (
       select bin_id, bin_code,
              case when in_doubt then 'doubt' when item_class is null then 'empty'
                   else 'class_' || lower(item_class) end as reason,
              row_number() over (order by in_doubt desc, item_class is null, overdue desc nulls first, item_class,
                                          pick_sequence, bin_code) as place
       from bin_states where (in_doubt or is_due) and not is_open
     ), made as (
       select count(*) as counts from programme p join cycle_counts c using (warehouse_id)
       where c.is_blind and c.created_at >= ${dayBegins("p.today", "p.timezone")}
     )
     select (select count(*) from due) as due,
            coalesce(json_agg(json_build_object('bin_id', bin_id, 'bin_code', bin_code, 'reason', reason)
                              order by place), '[]') as bins
     from due where place <= (select p.per_day - m.counts from programme p, made m)`,
    { programme_id },
  );
  return found as NonNullable<typeof found>;
}
