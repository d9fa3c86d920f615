import { kept } from "../cache.js";
import { dayBegins } from "../days.js";
import { db } from "../db.js";
import { requiresPacking } from "../settings/queries.js";
import type { Range } from "./range.js";

/** What a user's work is counted as (reference 07 §10): different orders or different items. */
export const metrics = [
  "picking",
  "packing",
  "shipped",
  "received_skus",
  "putaway_skus",
] as const;
export type Metric = (typeof metrics)[number];
/** Without packing where it is switched off. */
type Counts = Record<Exclude<Metric, "packing">, number> & { packing?: number };

interface Worker extends Record<Metric, number> {
  user_id: number | null;
  username: string;
  display_name: string;
}

export interface Productivity {
  events_visible: Metric[];
  users: {
    user_id: number | null;
    username: string;
    display_name: string;
    metrics: Counts;
    total: number;
  }[];
  totals_per_event: Counts;
}

const keepWorkers = kept<Worker[]>(() => 60_000);

/** Who did how much in a range of days, busiest first; kept for a minute. Packing is left out where it is switched off. */
export async function productivity(
  range: Range,
  warehouses: number[] | null,
): Promise<Productivity> {
  const [workers, packing] = await Promise.all([
    keepWorkers(JSON.stringify([range, warehouses]), () =>
      workersIn(range, warehouses),
    ),
    requiresPacking(db),
  ]);
  const events_visible = metrics.filter(
    (metric) => packing || metric !== "packing",
  );
  const pick = (count: (metric: Metric) => number) =>
    Object.fromEntries(
      events_visible.map((metric) => [metric, count(metric)]),
    ) as Counts;
  const sum = (counts: number[]) => counts.reduce((a, b) => a + b, 0);
  return {
    events_visible,
    users: workers
      .map(({ user_id, username, display_name, ...counts }) => {
        const metrics = pick((metric) => counts[metric]);
        const total = sum(Object.values(metrics));
        return { user_id, username, display_name, metrics, total };
      })
      .filter(({ total }) => total > 0)
      .sort((a, b) => b.total - a.total),
    totals_per_event: pick((metric) => sum(workers.map((w) => w[metric]))),
  };
}

/**
 * By the audit log. Of a receipt the row's entity is the order, so its items are looked for in the details; all else is read
 * from an index alone. Work without a person, such as of `system:demo`, does not count.
 */
function workersIn(
  { start, end }: Range,
  warehouses: number[] | null,
): Promise<Worker[]> {
  const distinct = (thing: string, actions: string) => `
    select username, action_type, count(*) as things
    from (
      select distinct user_id as username, action_type, ${thing} from audit_log
      where action_type in (${actions})
        and created_at >= ${dayBegins("$1")} and created_at < ${dayBegins("$2::date + 1")}
        and ($3::int[] is null or warehouse_id = any($3)) and user_id not like 'system:%'
    ) as done group by username, action_type`;
  const of = (action: string) =>
    `coalesce(sum(things) filter (where action_type = '${action}'), 0)::int`;
  return db.rows<Worker>(
    `select u.user_id, username, coalesce(u.full_name, username) as display_name,
       picking, packing, shipped, received_skus, putaway_skus
     from (
       select username, ${of("PICK")} as picking, ${of("PACK")} as packing, ${of("SHIP")} as shipped,
         ${of("RECEIVE")} as received_skus, ${of("PUTAWAY")} as putaway_skus
       from (${distinct("entity_id", "'PICK', 'PACK', 'SHIP', 'PUTAWAY'")}
             union all ${distinct("details->>'item_id'", "'RECEIVE'")}) as done
       group by username
     ) as work left join users u using (username) order by username`,
    [start, end, warehouses],
  );
}
