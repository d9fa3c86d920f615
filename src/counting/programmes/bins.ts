import { dayAt, zoneOf } from "../../platform/db/days.js";

/** SQL: whether the count `c` was submitted; one that was cancelled is COMPLETED with lines that nobody counted. */
export const IS_COUNTED = `(
  c.status in ('COMPLETED', 'VARIANCE') and (
    not exists (select from cycle_count_lines l where l.count_id = c.count_id)
    or exists (select from cycle_count_lines l where l.count_id = c.count_id and l.counted_at is not null)))`;

/** What was before that is no doubt any more. */
const DOUBTED_SINCE = "now() - interval '90 days'";

/**
 * SQL: each bin in use of the warehouse of the programme `:programme_id`, to be used as a `with`: `programme`, and
 * `bin_states` with
 * - `item_class`: that of the most picked item in it, null for a bin without stock, and its `interval_days`;
 * - `overdue`: for how many days it has been due, negative before; null where it was never counted;
 * - `is_seen`, within its interval; `is_due`, as the interval has passed;
 * - `in_doubt`: units that a picker looked for in vain since its last count, or of which more were to be taken than the
 *   books have;
 * - `is_open`: somebody counts it, or an admin has to decide about its last count.
 */
export const BIN_STATES = `
  programme as (
    select p.*, ${dayAt("now()", zoneOf("p.warehouse_id"))} as today, ${zoneOf("p.warehouse_id")} as timezone
    from count_programmes p where programme_id = :programme_id
  ), stock as (
    select v.bin_id, min(coalesce(k.item_class, 'C')) as item_class, count(*) as stock_rows,
           bool_or(v.quantity_doubted > 0) as in_doubt
    from programme p join inventory v using (warehouse_id) left join item_classes k using (warehouse_id, item_id)
    where v.quantity_on_hand > 0
    group by v.bin_id
  ), opened as (
    select c.bin_id from programme p join cycle_counts c using (warehouse_id)
    where c.status in ('PENDING', 'IN_PROGRESS')
    union
    select a.bin_id from programme p join inventory_adjustments a using (warehouse_id)
    where a.status = 'PENDING' and a.cycle_count_id is not null
  ), bin_states as (
    select b.bin_id, b.bin_code, b.pick_sequence, s.item_class, coalesce(s.stock_rows, 0) as stock_rows,
           i.interval_days, overdue, coalesce(overdue < 0, false) as is_seen,
           i.interval_days is not null and coalesce(overdue >= 0, true) as is_due,
           coalesce(s.in_doubt, false) or coalesce(g.refused_at > since, false)
             or (s.bin_id is not null and exists (
               select from pick_tasks t
               where t.bin_id = b.bin_id and t.status = 'SHORT' and t.picked_at > since)) as in_doubt,
           o.bin_id is not null as is_open
    from programme p join bins b using (warehouse_id) join zones z using (zone_id)
      left join stock s using (bin_id) left join opened o using (bin_id)
      left join bin_shortages g using (bin_id)
      left join lateral (
        select c.completed_at as counted_at from cycle_counts c
        where c.bin_id = b.bin_id and ${IS_COUNTED} order by c.completed_at desc limit 1) n on true
      cross join lateral (
        select case s.item_class when 'A' then p.interval_days_a when 'B' then p.interval_days_b
                                 when 'C' then p.interval_days_c else p.empty_interval_days end as interval_days) i
      cross join lateral (select greatest(n.counted_at, ${DOUBTED_SINCE}) as since) k
      cross join lateral (select p.today - ${dayAt("n.counted_at", "p.timezone")} - i.interval_days as overdue) d
    where b.is_active and z.is_active
  )`;
