import { db, transaction } from "../src/db.js";
import { eventTypes } from "../src/events/catalog.js";
import { type Group, groupOf } from "../src/polling/group.js";
import {
  AckScopeViolation,
  CursorBeyondHorizon,
} from "../src/polling/problems.js";
import type { Token } from "../src/tokens/token.js";

/** That a consumer group was given everything up to an event. */
export interface Ack {
  consumer_group: string;
  cursor: number;
}
export interface Acknowledged {
  consumer_group: string;
  last_cursor: number;
}

/**
 * Moves a group forward to the cursor, never back; what it passes must be the token's to see, as far as the group asks for it
 * (reference 04 §3.2). The place is all there is to it, so it needs no command id: again, it changes nothing.
 */
export function acknowledge(
  { consumer_group, cursor }: Ack,
  token: Token,
): Promise<Acknowledged> {
  return transaction(async (tx) => {
    const group = await groupOf(tx, token, consumer_group, "for update");
    if (cursor <= group.last_cursor)
      return { consumer_group, last_cursor: group.last_cursor };
    const passed = await tx.row<{ newest: number; unseen: boolean }>(
      PASSED,
      passedBy(group, cursor, token),
    );
    if (!passed || cursor > passed.newest) throw CursorBeyondHorizon();
    if (passed.unseen) throw AckScopeViolation();
    await tx.run(
      "update consumer_groups set last_cursor = $2 where consumer_group_id = $1",
      [consumer_group, cursor],
    );
    return { consumer_group, last_cursor: cursor };
  });
}

const passedBy = (
  { last_cursor, subscription }: Group,
  cursor: number,
  token: Token,
) => [
  last_cursor,
  cursor,
  subscription.warehouse_ids ?? null,
  subscription.event_types ?? eventTypes,
  token.warehouse_ids,
  token.event_types,
];

/** The newest number, and whether an event that the group asks for and the token may not see lies between: a look into each run of the index. */
const PASSED = `
  select (select last_no from sequencer_state where name = 'events') as newest,
         exists (
           select from warehouses w, unnest($4::text[]) t(event_type),
             lateral (select from integration_events e
                      where e.warehouse_id = w.warehouse_id and e.event_type = t.event_type
                        and e.event_id > $1 and e.event_id <= $2 limit 1) found
           where ($3::int[] is null or w.warehouse_id = any($3))
             and not (w.warehouse_id = any($5) and t.event_type = any($6))
         ) as unseen`;

/** Notes that somebody polls for the group, every half a minute. Whoever works on the group is not waited for. */
export async function noteHeartbeat(groupId: string): Promise<void> {
  await db.run(
    `update consumer_groups set last_heartbeat = now()
     where consumer_group_id = (
       select consumer_group_id from consumer_groups
       where consumer_group_id = $1 and coalesce(last_heartbeat < now() - interval '30 seconds', true)
       for no key update skip locked
     )`,
    [groupId],
  );
}
