import type { Token } from "../../src/auth/tokens/token.js";
import { type Group, groupOf } from "../../src/outbound/polling/group.js";
import type { Acknowledged, Acknowledgement } from "../../src/outbound/polling/shapes.js";
import { checkPlace, STREAM, Stream } from "../../src/outbound/polling/stream.js";
import { AckScopeViolation } from "../../src/outbound/problems.js";
import { bool } from "../../src/platform/db/columns.js";
import { transaction } from "../../src/platform/db/db.js";
import { eventTypes } from "../../src/platform/events/catalog.js";
import { noteTime } from "../note-time.js";

/**
 * Moves the cursor of a group forward, never back; the token must be allowed to see all events of the group's
 * subscription that it passes (docs/interface.md, Polling). It needs no command id: a repeat changes nothing.
 */
export function acknowledge({ consumer_group, cursor, epoch }: Acknowledgement, token: Token): Promise<Acknowledged> {
  return transaction(async (tx) => {
    const group = await groupOf(tx, token, consumer_group, "for update");
    const passed = await tx.row({ ...Stream.shape, unseen: bool }, PASSED, passedBy(group, cursor, token));
    const stream = passed as Stream;
    checkPlace(stream, cursor, epoch);
    const answer = { consumer_group, epoch: stream.epoch };
    if (cursor <= group.last_cursor) return { ...answer, last_cursor: group.last_cursor };
    if (passed?.unseen) throw AckScopeViolation();
    await tx.run("update consumer_groups set last_cursor = $2 where consumer_group_id = $1", [consumer_group, cursor]);
    return { ...answer, last_cursor: cursor };
  });
}

const passedBy = ({ last_cursor, subscription }: Group, cursor: number, token: Token) => ({
  last_cursor,
  cursor,
  warehouse_ids: subscription.warehouse_ids,
  event_types: subscription.event_types ?? eventTypes,
  seen_warehouse_ids: token.warehouse_ids,
  seen_event_types: token.event_types,
});

/**
 * The stream, and whether the group's subscription has an event in between that the token may not see: one
 * index lookup for each event type of each warehouse.
 */
const PASSED = `
  select ${STREAM},
         exists (
           select from warehouses w, unnest(:event_types::text[]) t(event_type),
             lateral (select from integration_events e
                      where e.warehouse_id = w.warehouse_id and e.event_type = t.event_type
                        and e.event_id > :last_cursor and e.event_id <= :cursor limit 1) found
           where case when :warehouse_ids::int[] is null then not w.is_sandbox
                      else w.warehouse_id = any(:warehouse_ids) end
             and not (w.warehouse_id = any(:seen_warehouse_ids) and t.event_type = any(:seen_event_types))
         ) as unseen`;

/** Records that the group is polled, every half a minute; not while the group is locked. */
export const noteHeartbeat = (groupId: string): Promise<void> =>
  noteTime(
    { table: "consumer_groups", key: "consumer_group_id", column: "last_heartbeat", every: "30 seconds" },
    groupId,
  );
