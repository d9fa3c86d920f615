import { z } from "zod";
import { ttlCache } from "../../platform/concurrency/ttl-cache.js";
import { each, int, text } from "../../platform/db/columns.js";
import { dayBegins } from "../../platform/db/days.js";
import { db } from "../../platform/db/db.js";
import { requiresPacking } from "../../system/settings/queries.js";
import { type DayRange, type Metric, type MetricCounts, metrics, type Productivity } from "./shapes.js";
import { workedIn } from "./worked-in.js";

/** The work of a user, packing included. */
const UserWork = z.strictObject({
  ...each(metrics, int),
  ...{ user_id: int.nullable(), username: text, display_name: text, active_hours: int },
});
type UserWork = z.infer<typeof UserWork>;

const cachedWork = ttlCache<UserWork[]>(() => 60_000);

/**
 * Work by user in a range of days of this time zone, busiest first, cached for a minute. Without packing where that is
 * switched off.
 */
export async function productivity(
  range: DayRange,
  timezone: string,
  warehouses: number[] | null,
): Promise<Productivity> {
  const [work, packing] = await Promise.all([
    cachedWork(JSON.stringify([range, timezone, warehouses]), () => readWork(range, timezone, warehouses)),
    requiresPacking(db),
  ]);
  const events_visible = metrics.filter((metric) => packing || metric !== "packing");
  const pick = (count: (metric: Metric) => number) =>
    Object.fromEntries(events_visible.map((metric) => [metric, count(metric)])) as MetricCounts;
  const sum = (counts: number[]) => counts.reduce((a, b) => a + b, 0);
  return {
    events_visible,
    users: work
      .map(({ user_id, username, display_name, active_hours, ...counts }) => {
        const metrics = pick((metric) => counts[metric]);
        const total = sum(Object.values(metrics));
        return { user_id, username, display_name, metrics, total, active_hours };
      })
      .filter(({ total }) => total > 0)
      .sort((a, b) => b.total - a.total),
    totals_per_event: pick((metric) => sum(work.map((w) => w[metric]))),
  };
}

/**
 * Counted from the audit log: units for packing, records for all other work. The entity of a receipt's row is the
 * order, so its items are read from the details, as packed units are; all else is read by an index-only scan. Work of
 * system users, such as `system:demo`, does not count.
 */
function readWork({ start, end }: DayRange, timezone: string, warehouses: number[] | null): Promise<UserWork[]> {
  const rows = (actions: string) => `
    audit_log where action_type in (${actions})
      and created_at >= ${dayBegins("$1", "$4::text")} and created_at < ${dayBegins("$2::date + 1", "$4::text")}
      and ${workedIn("$3")} and user_id not like 'system:%'`;
  const distinct = (thing: string, actions: string) => `
    select username, action_type, count(*) as things
    from (select distinct user_id as username, action_type, ${thing} from ${rows(actions)}) as done
    group by username, action_type`;
  const packed = `
    select username, 'PACK', sum(units)
    from (select user_id as username, max((details->>'total_packed')::bigint) as units from ${rows("'PACK'")}
          group by user_id, entity_id) as orders
    group by username`;
  const of = (action: string) => `coalesce(sum(things) filter (where action_type = '${action}'), 0)::bigint`;
  return db.rows(
    UserWork,
    `select u.user_id, username, coalesce(u.full_name, username) as display_name,
       picking, packing, shipped, received_skus, putaway_skus, active_hours
     from (
       select username, ${of("PICK")} as picking, ${of("PACK")} as packing, ${of("SHIP")} as shipped,
         ${of("RECEIVE")} as received_skus, ${of("PUTAWAY")} as putaway_skus
       from (${distinct("entity_id", "'PICK', 'SHIP', 'PUTAWAY'")} union all ${packed}
             union all ${distinct("details->>'item_id'", "'RECEIVE'")}) as done
       group by username
     ) as work
     join (
       select user_id as username, count(distinct date_trunc('hour', created_at)) as active_hours
       from ${rows("'PICK', 'SHIP', 'PUTAWAY', 'PACK', 'RECEIVE'")} group by user_id
     ) as hours using (username)
     left join users u using (username) order by username`,
    [start, end, warehouses, timezone],
  );
}
