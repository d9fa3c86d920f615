import { z } from "zod";
import type { Token } from "../../auth/tokens/token.js";
import { bool, int, json, text } from "../../platform/db/columns.js";
import type { Sql } from "../../platform/db/db.js";
import { parseSubscription } from "../consumer-groups/queries.js";
import { Subscription } from "../consumer-groups/shapes.js";
import { ConsumerGroupNotFound, GroupScopeViolation, SubscriptionInvalid } from "../problems.js";

/** A consumer group, as polling uses it. */
export const Group = z.strictObject({
  consumer_group_id: text,
  last_cursor: int,
  subscription: Subscription,
  /** Its last heartbeat is more than half a minute old. */
  silent: bool,
});
export type Group = z.infer<typeof Group>;

/** The group, which must be of the token's connector, if that has one; locked with `for update`. */
export async function groupOf(sql: Sql, token: Token, groupId: string, lock: "" | "for update" = ""): Promise<Group> {
  const group = await sql.row(
    { ...Group.shape, connector_id: text, subscription: json },
    `select consumer_group_id, connector_id, last_cursor, subscription,
            coalesce(last_heartbeat < now() - interval '30 seconds', true) as silent
     from consumer_groups where consumer_group_id = $1 ${lock}`,
    [groupId],
  );
  if (!group) throw ConsumerGroupNotFound();
  if (token.connector_id !== null && group.connector_id !== token.connector_id) throw GroupScopeViolation();
  const subscription = parseSubscription(group.subscription);
  if (!subscription) throw SubscriptionInvalid();
  return { ...group, subscription };
}
