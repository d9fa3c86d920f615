import { z } from "zod";
import { int } from "../../platform/db/columns.js";
import { db } from "../../platform/db/db.js";
import { BIN_STATES, IS_COUNTED } from "./bins.js";
import { fraction } from "./fraction.js";
import type { CountProgramme, CountProgress } from "./shapes.js";

/** How far back counts say how right the books are. */
const DAYS = 90;

const GROUPS = ["A", "B", "C", "empty"] as const;

const OfGroup = {
  group: z.enum(GROUPS),
  ...{ bins: int, stock_rows: int, timed: int, seen: int, overdue: int, in_doubt: int, open: int, due: int },
  ...{ counts: int, lines: int, right: int, units_off: int },
};
type OfGroup = z.infer<z.ZodObject<typeof OfGroup>>;

/**
 * Bins and counts are of the class that the bin has now; a bin that was never counted is overdue. A line of a count is
 * of the bin's group, too; a count that found an empty bin empty is a line that is right.
 */
const SQL = `
  with ${BIN_STATES}, groups as (
    select coalesce(item_class, 'empty') as "group", count(*) as bins, sum(stock_rows) as stock_rows,
           count(interval_days) as timed, count(*) filter (where is_seen) as seen,
           count(*) filter (where is_due) as overdue, count(*) filter (where in_doubt and not is_open) as in_doubt,
           count(*) filter (where is_open) as open,
           count(*) filter (where (is_due or in_doubt) and not is_open) as due
    from bin_states group by 1
  ), recent as (
    select c.count_id, coalesce(s.item_class, 'empty') as "group"
    from programme p join cycle_counts c using (warehouse_id) join bin_states s using (bin_id)
    where c.completed_at > now() - interval '${DAYS} days' and ${IS_COUNTED}
  ), lines as (
    select r.count_id, r."group", l.counted_quantity - l.expected_quantity as variance
    from recent r join cycle_count_lines l using (count_id) where l.counted_at is not null
    union all
    select r.count_id, r."group", 0 from recent r
    where not exists (select from cycle_count_lines l where l.count_id = r.count_id)
  ), found as (
    select "group", count(distinct count_id) as counts, count(*) as lines,
           count(*) filter (where variance = 0) as "right", sum(abs(variance))::bigint as units_off
    from lines group by 1
  )
  select "group", bins, stock_rows::bigint as stock_rows, timed, seen, overdue, in_doubt, open, due,
         coalesce(counts, 0) as counts, coalesce(lines, 0) as lines, coalesce("right", 0) as "right",
         coalesce(units_off, 0) as units_off
  from groups left join found using ("group")`;

const NONE = { bins: 0, stock_rows: 0, timed: 0, seen: 0, overdue: 0, in_doubt: 0, open: 0, due: 0 };
const UNCOUNTED = { counts: 0, lines: 0, right: 0, units_off: 0 };

/** How much of the warehouse of a programme was seen within its intervals, and how right it was. */
export async function countProgress(programme: CountProgramme): Promise<CountProgress> {
  const { programme_id, warehouse_id, warehouse_code } = programme;
  const rows = await db.rows(OfGroup, SQL, { programme_id });
  const all = GROUPS.map((group) => rows.find((row) => row.group === group) ?? { group, ...NONE, ...UNCOUNTED });
  const sum = (of: Exclude<keyof OfGroup, "group">) => all.reduce((total, row) => total + row[of], 0);
  const intervals = {
    A: programme.interval_days_a,
    B: programme.interval_days_b,
    C: programme.interval_days_c,
    empty: programme.empty_interval_days,
  };
  return {
    ...{ programme_id, warehouse_id, warehouse_code },
    groups: all.map((row) => ({ group: row.group, interval_days: intervals[row.group], ...shown((of) => row[of]) })),
    house: shown(sum),
    ...{ in_doubt: sum("in_doubt"), open_counts: sum("open"), due: sum("due") },
  };
}

const shown = (of: (field: Exclude<keyof OfGroup, "group">) => number) => ({
  bins: of("bins"),
  stock_rows: of("stock_rows"),
  seen: fraction(of("seen"), of("timed")),
  overdue: of("overdue"),
  counts: of("counts"),
  right: fraction(of("right"), of("lines")),
  units_off: of("units_off"),
});
