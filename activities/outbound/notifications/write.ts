import { eventNotices } from "../../../src/outbound/notifications/notices.js";
import { bool } from "../../../src/platform/db/columns.js";
import { db } from "../../../src/platform/db/db.js";
import { nextEvents } from "../../event-window.js";

/**
 * Writes the messages of the next events that readers may see (two seconds old) to the destinations of their
 * warehouses; gives whether there are more. Needs no command id: the row of the progress is locked, one worker at a
 * time, and moves with the messages.
 */
export async function writeNotifications(): Promise<boolean> {
  const done = await db.row({ more: bool }, WRITE, [eventNotices]);
  return done?.more === true;
}

const WRITE = `
  with reach as materialized (${nextEvents("notification_progress")}
  ), written as (
    insert into notifications (webhook_id, event_type, event_id, facts, occurred_at)
    select d.webhook_id, e.event_type, e.event_id, event_data(e), e.event_timestamp
    from reach, lateral (
      select * from integration_events i
      where i.event_id > reach.after and i.event_id <= reach.upto and i.event_type = any($1)) e
      join notification_webhooks d on d.warehouse_id = e.warehouse_id and e.event_type = any(d.event_filter)
        and d.enabled and d.created_at <= e.visible_at
    order by e.event_id, d.webhook_id
    on conflict do nothing
  ), moved as (
    update notification_progress set event_id = reach.upto from reach
  )
  select upto < horizon as more from reach`;
