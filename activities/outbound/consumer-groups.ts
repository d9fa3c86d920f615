import { UnknownConnectorId } from "../../src/auth/tokens/problems.js";
import { GROUP, WITHIN } from "../../src/outbound/consumer-groups/queries.js";
import { ConsumerGroup, type NewConsumerGroup, type Subscription } from "../../src/outbound/consumer-groups/shapes.js";
import {
  ConsumerGroupNotFound,
  DuplicateConsumerGroupId,
  ReplayWouldSkipHistory,
} from "../../src/outbound/problems.js";
import { type Actor, visibleWarehouses } from "../../src/platform/actor.js";
import { int, text, time } from "../../src/platform/db/columns.js";
import { checkScope } from "../auth/token-scope.js";
import { type AuditEntry, command, type Tx } from "../command.js";
import { auditEdit } from "../edit.js";
import { shareLockConnector } from "./connector-registry.js";

/**
 * Makes a consumer group, which starts before the first event (docs/interface.md, Consumer groups). Under the id of a
 * deleted group it gets all events again, which the request must acknowledge.
 */
export function createConsumerGroup(input: NewConsumerGroup, by: Actor): Promise<ConsumerGroup> {
  return command("consumer-groups.create", by, input, async (tx) => {
    const { consumer_group_id, connector_id, subscription } = input;
    await refuseUnknown(tx, subscription, by);
    if (!(await shareLockConnector(tx, connector_id))) throw UnknownConnectorId({}, { connector_id });
    const group = await tx.row(
      ConsumerGroup,
      `insert into consumer_groups (consumer_group_id, connector_id, subscription) values ($1, $2, $3)
       on conflict do nothing returning ${GROUP}`,
      [consumer_group_id, connector_id, JSON.stringify(subscription)],
    );
    if (!group) throw DuplicateConsumerGroupId({}, { consumer_group_id });
    // After the insert, which waits for a concurrent deletion of the group before.
    const tombstone = await tx.row(
      { consumer_group_id: text, last_cursor_at_delete: int, deleted_at: time, deleted_by: text },
      `delete from consumer_groups_tombstones where consumer_group_id = $1
       returning consumer_group_id, last_cursor_at_delete, deleted_at, deleted_by`,
      [consumer_group_id],
    );
    if (tombstone && !input.acknowledge_replay)
      throw ReplayWouldSkipHistory({}, { ...tombstone, message: replayOf(tombstone.last_cursor_at_delete) });
    tx.audit({ action: "CONSUMER_GROUP_CREATE", ...entry(group) });
    return group;
  });
}

const replayOf = (cursor: number) =>
  `A group of this id was deleted at cursor ${cursor}. A new one starts at 0 and gets all events again; ` +
  "send acknowledge_replay: true if that is meant";

/** Changes which events a group gets, from its cursor on. */
export function updateConsumerGroup(
  input: { consumer_group_id: string; subscription: Subscription },
  by: Actor,
): Promise<ConsumerGroup> {
  return command("consumer-groups.update", by, input, async (tx) => {
    const { consumer_group_id, subscription } = input;
    const before = await lockGroup(tx, consumer_group_id, by);
    await refuseUnknown(tx, subscription, by);
    const after = (await tx.row(
      ConsumerGroup,
      `update consumer_groups set subscription = $2, updated_at = now() where consumer_group_id = $1
        returning ${GROUP}`,
      [consumer_group_id, JSON.stringify(subscription)],
    )) as ConsumerGroup;
    auditEdit(
      tx,
      { ...entry(after), action: "CONSUMER_GROUP_UPDATE" },
      { subscription: before.subscription },
      { subscription: after.subscription },
    );
    return after;
  });
}

/** Deletes a group; a tombstone keeps its cursor. */
export function deleteConsumerGroup(consumer_group_id: string, by: Actor): Promise<void> {
  const input = { consumer_group_id };
  return command("consumer-groups.delete", by, input, async (tx) => {
    const group = await lockGroup(tx, consumer_group_id, by);
    await tx.run(
      `with deleted as (delete from consumer_groups where consumer_group_id = $1 returning *)
       insert into consumer_groups_tombstones (consumer_group_id, last_cursor_at_delete, connector_id, deleted_by)
       select consumer_group_id, last_cursor, connector_id, $2 from deleted`,
      [consumer_group_id, by.username],
    );
    tx.audit({ action: "CONSUMER_GROUP_DELETE", ...entry(group) });
  });
}

/** Event types and warehouses must exist, and those of a USER must be the user's own, as in filters of webhooks. */
const refuseUnknown = (tx: Tx, { event_types = [], warehouse_ids = [] }: Subscription, by: Actor) =>
  checkScope(tx, { event_types, warehouse_ids, endpoints: [] }, by);

async function lockGroup(tx: Tx, groupId: string, by: Actor): Promise<ConsumerGroup> {
  const group = await tx.row(
    ConsumerGroup,
    `select ${GROUP} from consumer_groups where ${WITHIN} and consumer_group_id = $2 for update`,
    [visibleWarehouses(by), groupId],
  );
  if (!group) throw ConsumerGroupNotFound();
  return group;
}

/** The entity of an audit row. Entity ids are numbers; a group has none, so its id is in the details. */
const entry = ({
  consumer_group_id,
  connector_id,
  last_cursor,
  subscription,
}: ConsumerGroup): Omit<AuditEntry, "action"> => ({
  entity: "CONSUMER_GROUP",
  entityId: 0,
  details: { consumer_group_id, connector_id, last_cursor, subscription },
});
