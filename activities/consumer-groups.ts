import { type Actor, scopeOf } from "../src/actor.js";
import {
  ConsumerGroupNotFound,
  DuplicateConsumerGroupId,
  ReplayWouldSkipHistory,
} from "../src/consumer-groups/problems.js";
import {
  type ConsumerGroup,
  GROUP,
  type Subscription,
  WITHIN,
} from "../src/consumer-groups/queries.js";
import { UnknownConnectorId } from "../src/tokens/problems.js";
import { type AuditEntry, command, type Tx } from "./command.js";
import { holdConnector } from "./connector-registry.js";
import { auditEdit } from "./edit.js";
import { refuseUnknownReach } from "./token-scope.js";

export interface NewConsumerGroup {
  consumer_group_id: string;
  connector_id: string;
  subscription: Subscription;
  acknowledge_replay: boolean;
}

/**
 * Makes a consumer group, which starts before the first event (reference 04 §2). Under an id that was deleted once it would get
 * all events again, so whoever makes it has to say that this is meant.
 */
export function createConsumerGroup(
  input: NewConsumerGroup,
  by: Actor,
): Promise<ConsumerGroup> {
  return command("consumer-groups.create", by, input, async (tx) => {
    const { consumer_group_id, connector_id, subscription } = input;
    await refuseUnknown(tx, subscription, by);
    if (!(await holdConnector(tx, connector_id)))
      throw UnknownConnectorId({}, { connector_id });
    const group = await tx.row<ConsumerGroup>(
      `insert into consumer_groups (consumer_group_id, connector_id, subscription) values ($1, $2, $3)
       on conflict do nothing returning ${GROUP}`,
      [consumer_group_id, connector_id, JSON.stringify(subscription)],
    );
    if (!group) throw DuplicateConsumerGroupId({}, { consumer_group_id });
    // After the group, because the insert waits for whoever is just deleting the one before.
    const tombstone = await tx.row<{ last_cursor_at_delete: number }>(
      `delete from consumer_groups_tombstones where consumer_group_id = $1
       returning consumer_group_id, last_cursor_at_delete, deleted_at, deleted_by`,
      [consumer_group_id],
    );
    if (tombstone && !input.acknowledge_replay)
      throw ReplayWouldSkipHistory(
        {},
        { ...tombstone, message: replayOf(tombstone.last_cursor_at_delete) },
      );
    tx.audit({ action: "CONSUMER_GROUP_CREATE", ...entry(group) });
    return group;
  });
}

const replayOf = (cursor: number) =>
  `A group of this id was deleted at cursor ${cursor}. A new one starts at 0 and gets all events again; send acknowledge_replay: true if that is meant`;

/** Changes which events a group is for, from where it stands. */
export function updateConsumerGroup(
  input: { consumer_group_id: string; subscription: Subscription },
  by: Actor,
): Promise<ConsumerGroup> {
  return command("consumer-groups.update", by, input, async (tx) => {
    const { consumer_group_id, subscription } = input;
    const before = await lockGroup(tx, consumer_group_id, by);
    await refuseUnknown(tx, subscription, by);
    const after = (await tx.row<ConsumerGroup>(
      `update consumer_groups set subscription = $2, updated_at = now() where consumer_group_id = $1 returning ${GROUP}`,
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

/** Deletes a group; a tombstone tells where it stood. */
export function deleteConsumerGroup(
  consumer_group_id: string,
  by: Actor,
): Promise<void> {
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

/** As a webhook's filter is checked: it names event types and warehouses that are there, and a USER's own. */
const refuseUnknown = (
  tx: Tx,
  { event_types = [], warehouse_ids = [] }: Subscription,
  by: Actor,
) => refuseUnknownReach(tx, { event_types, warehouse_ids, endpoints: [] }, by);

async function lockGroup(
  tx: Tx,
  groupId: string,
  by: Actor,
): Promise<ConsumerGroup> {
  const group = await tx.row<ConsumerGroup>(
    `select ${GROUP} from consumer_groups where ${WITHIN} and consumer_group_id = $2 for update`,
    [scopeOf(by), groupId],
  );
  if (!group) throw ConsumerGroupNotFound();
  return group;
}

/** The audit trail counts its entities; a group has no number, so its id stands in the details. */
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
