import { z } from "zod";
import { PushNotFound } from "../../../src/connectors/problems.js";
import type { PushAttempted, PushGivenUp } from "../../../src/connectors/pushes/push.js";
import { Push } from "../../../src/connectors/pushes/shapes.js";
import { text } from "../../../src/platform/db/columns.js";
import type { FulfillmentPushStatus } from "../../../src/platform/states.js";
import { systemActor } from "../../../src/platform/system-actor.js";
import { command, type Tx } from "../../command.js";

/** What came of an attempt: `pending` when there will be another one. */
interface Outcome {
  status: FulfillmentPushStatus;
  external_id?: string | null;
  why?: string | null;
  /** It was no attempt that failed. */
  waits?: boolean;
}

const Settled = z.strictObject({
  ...Push.pick({ warehouse_id: true, so_number: true, connector_name: true, push_id: true, kind: true, so_id: true })
    .shape,
  ...Push.pick({ tracking_numbers: true, attempts: true, fulfillment_id: true }).shape,
});
type Settled = z.infer<typeof Settled>;

/**
 * Stores what came of an attempt, as the system user. Where another one of the same push has ended it meanwhile, that
 * one counts.
 */
export function settlePush(push: Settled, outcome: Outcome, waitMs?: number): Promise<PushAttempted> {
  const { push_id, attempts } = push;
  const { status } = outcome;
  const commandId = `push-${push_id}:${attempts}:${status}`;
  return command("connectors.settlePush", systemActor(commandId), { push_id, ...outcome }, async (tx) => {
    const changed = await writeOutcome(tx, push_id, outcome);
    if (!changed) return endedBefore(tx, push_id);
    const why = outcome.why ?? null;
    if (status === "pending") return { why, wait_ms: waitMs ?? 0, ...(outcome.waits && { waits: true }) };
    auditPush(tx, "FULFILLMENT_PUSH", push, outcome);
    return { ended: status, why };
  });
}

const GiveUpPushRow = { ...Settled.shape, ...Push.pick({ status: true, last_error: true }).shape };

/**
 * Gives a push up as the system user, because somebody asked its workflow to be cancelled in the Temporal UI. Where it
 * had ended before, says how.
 */
export function giveUpPush(pushId: number, commandId: string): Promise<PushGivenUp> {
  return command("connectors.giveUpPush", systemActor(commandId), { pushId }, async (tx) => {
    await tx.run("select from fulfillment_pushes where push_id = $1 for update", [pushId]);
    const push = await tx.row(
      GiveUpPushRow,
      `select push_id, kind, connector_name, p.warehouse_id, so_id, so_number, fulfillment_id, tracking_numbers,
              attempts, p.status, last_error
       from fulfillment_pushes p join sales_orders so using (so_id) where push_id = $1`,
      [pushId],
    );
    if (!push) throw PushNotFound();
    if (push.status !== "pending") return { ended: push.status, why: push.last_error };
    const outcome: Outcome = { status: "failed", why: "Given up in the Temporal UI" };
    await writeOutcome(tx, pushId, outcome);
    auditPush(tx, "FULFILLMENT_PUSH_GIVE_UP", push, outcome);
    return { ended: "cancelled" as const, why: null };
  });
}

const writeOutcome = (tx: Tx, pushId: number, { status, external_id = null, why = null }: Outcome) =>
  tx.run(
    `update fulfillment_pushes
     set status = $2::text, external_id = coalesce($3, external_id), last_error = $4, updated_at = now(),
       completed_at = case when $2::text <> 'pending' then now() end
     where push_id = $1 and status = 'pending'`,
    [pushId, status, external_id, why],
  );

const EndedBeforeRow = { ended: Push.shape.status, why: text.nullable() };

async function endedBefore(tx: Tx, pushId: number): Promise<PushAttempted> {
  const row = await tx.row(
    EndedBeforeRow,
    "select status as ended, last_error as why from fulfillment_pushes where push_id = $1",
    [pushId],
  );
  return row as PushAttempted;
}

function auditPush(tx: Tx, action: string, push: Settled, outcome: Outcome): void {
  const { so_id, so_number, warehouse_id, push_id, kind, connector_name, fulfillment_id, tracking_numbers } = push;
  tx.audit({
    action,
    entity: "SO",
    entityId: so_id,
    warehouseId: warehouse_id,
    details: {
      ...{ so_number, push_id, kind, connector: connector_name, fulfillment_id, tracking_numbers },
      ...{ attempts: push.attempts, ...outcome },
    },
  });
}
