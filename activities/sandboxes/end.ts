import { type Actor, partOf } from "../../src/platform/actor.js";
import { arrayOf, int, text } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import { DomainError } from "../../src/platform/problem.js";
import { sandboxState } from "../../src/sandboxes/queries.js";
import type { SandboxEnd } from "../../src/sandboxes/workflow.js";
import { revokeToken } from "../auth/tokens.js";
import { command, type Tx } from "../command.js";
import { deleteConsumerGroup } from "../outbound/consumer-groups.js";
import { revokeSubscription } from "../outbound/webhooks/subscriptions.js";
import { removeWhole, type Whole } from "../remove-warehouses.js";
import { lockOpen } from "./notes.js";

const Doors = { tokens: arrayOf(int), subscriptions: arrayOf(text), groups: arrayOf(text) };

/** What leads to this warehouse alone. */
const DOORS = `select
  array(select token_id::int from wms_tokens
        where status = 'active' and warehouse_ids <@ array[warehouse_id] and warehouse_ids <> '{}') as tokens,
  array(select subscription_id::text from webhook_subscriptions
        where status <> 'revoked' and subscription_filter->'warehouse_ids' = to_jsonb(array[warehouse_id]))
    as subscriptions,
  array(select consumer_group_id::text from consumer_groups
        where subscription->'warehouse_ids' = to_jsonb(array[warehouse_id])) as groups
  from sandboxes where sandbox_id = $1 and ended_at is null`;

/** Closes the ways into a sandbox and out of it: its tokens, webhooks and consumer groups. */
export async function closeSandbox(sandboxId: number, by: Actor): Promise<void> {
  const doors = await db.row(Doors, DOORS, [sandboxId]);
  const as = (what: string) => partOf(by, what);
  for (const id of doors?.tokens ?? []) await revokeToken(id, as(`token ${id}`));
  for (const id of doors?.subscriptions ?? []) await revokeSubscription(id, as(`webhook ${id}`));
  for (const id of doors?.groups ?? []) await deleteConsumerGroup(id, as(`group ${id}`));
}

/** Something outside refers to it; no route answers so. */
const IN_USE = "sandbox_in_use";
const inUse = () => new DomainError(IN_USE, 409, {});

/**
 * Ends a sandbox and removes its warehouse with all that is in it, and its items. Where something outside refers to
 * any of it, it stays, and is not active any more. The audit log and the stream of events only ever grow.
 */
export async function removeSandbox(sandboxId: number, by: Actor): Promise<SandboxEnd> {
  try {
    return await end(sandboxId, by, async (tx, whole) => {
      await removeWhole(tx, whole, inUse());
      return null;
    });
  } catch (error) {
    if (!(error instanceof DomainError && error.kind === IN_USE)) throw error;
    return end(sandboxId, by, async (tx, { warehouse_ids, item_ids }) => {
      await tx.run("update warehouses set is_active = false where warehouse_id = any($1)", [warehouse_ids]);
      await tx.run("update items set is_active = false, updated_at = now() where item_id = any($1)", [item_ids]);
      return "the warehouse, which is not active any more: something outside refers to it";
    });
  }
}

function end(
  sandboxId: number,
  by: Actor,
  remove: (tx: Tx, whole: Whole) => Promise<string | null>,
): Promise<SandboxEnd> {
  return command("sandboxes.end", by, { sandboxId }, async (tx) => {
    const { warehouse_id, item_ids } = await lockOpen(tx, sandboxId);
    await tx.run("select from warehouses where warehouse_id = $1 for update", [warehouse_id]);
    const { orders } = await sandboxState(tx, sandboxId);
    const stays = await remove(tx, { warehouse_ids: [warehouse_id], item_ids });
    await tx.run("update sandboxes set ended_at = now(), ended_by = $2 where sandbox_id = $1", [
      sandboxId,
      by.username,
    ]);
    const state = await sandboxState(tx, sandboxId);
    tx.audit({
      ...{ action: "SANDBOX_END", entity: "WAREHOUSE", entityId: state.warehouse_id },
      warehouseId: state.warehouse_id,
      details: { warehouse_code: state.warehouse_code, orders, stays },
    });
    return { state, stays };
  });
}
