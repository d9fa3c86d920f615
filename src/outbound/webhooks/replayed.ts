import { unprepared } from "../../platform/db/db.js";
import { ReplayCount, type ReplayFilter } from "./delivery-shapes.js";

/**
 * What a replay of many takes: the attempts that match, each with whether its event is still there. One whose event is
 * gone matches whatever the filter asks of events.
 */
export function matching(subscription_id: string, filter: ReplayFilter, warehouseIds: number[] | null) {
  const { status, event_type, warehouse_id, completed_at_from, completed_at_to } = filter;
  return {
    sql: `select d.event_id, e.event_id is not null as is_there
       from webhook_deliveries d left join integration_events e using (event_id)
       where d.subscription_id = :subscription_id and d.status = '${status}'
         and d.completed_at between coalesce(:completed_at_from::timestamptz, '-infinity')
                                and coalesce(:completed_at_to::timestamptz, 'infinity')
         and (e.event_id is null or (:event_type::text is null or e.event_type = :event_type)
              and (:warehouse_id::int is null or e.warehouse_id = :warehouse_id)
              and (:warehouseIds::int[] is null or e.warehouse_id = any(:warehouseIds)))`,
    values: { subscription_id, event_type, warehouse_id, completed_at_from, completed_at_to, warehouseIds },
  };
}

/** What is sent again of those that are `matched`: each event once, if it is still there. */
export const ONCE = "select distinct event_id from matched where is_there";

/** How many deliveries a replay would make now. */
export async function replayCount(
  subscriptionId: string,
  filter: ReplayFilter,
  warehouseIds: number[] | null,
): Promise<ReplayCount> {
  const { sql, values } = matching(subscriptionId, filter, warehouseIds);
  const [counted] = await unprepared(
    ReplayCount,
    `with matched as (${sql}) select count(*) from (${ONCE}) once`,
    values,
  );
  return counted as ReplayCount;
}
