import { Context } from "@temporalio/activity";
import type { Config } from "../../../src/config/config.js";
import { PUSH_ATTEMPTS, type PushActivities, type PushAttempted } from "../../../src/connectors/pushes/push.js";
import { connectorOf } from "../../../src/connectors/registry.js";
import { db } from "../../../src/db/db.js";
import { type Push, readPush } from "./read.js";
import { settlePush } from "./settle.js";
import { tellSource } from "./tell.js";

/** Temporal hears of an attempt so often: that of a worker that was killed begins again soon, on another one. */
const HEARTBEAT_MS = 5_000;

export const pushActivities = (config: Config<"worker">): PushActivities => ({
  pushShipment: async (pushId, attempt) => {
    const context = Context.current();
    const beats = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
    try {
      return await pushShipment(pushId, attempt, config, context.cancellationSignal);
    } finally {
      clearInterval(beats);
    }
  },
});

/**
 * Makes one attempt. It counts before anything is sent: what a killed worker had begun may have reached the source, so
 * it is made again, and connectors look whether the source has it already.
 */
async function pushShipment(
  pushId: number,
  attempt: number,
  config: Config<"worker">,
  signal: AbortSignal,
): Promise<PushAttempted> {
  if (!config.dispatcherEnabled) return { ended: "disabled", why: null };
  const push = await readPush(pushId);
  if (push.status !== "pending") return { ended: push.status, why: push.last_error };
  const why = nothingToPush(push);
  if (why) return settlePush(push, { status: "skipped", why });
  const begun = await db.row<Pick<Push, "attempts">>(
    `update fulfillment_pushes set attempts = attempts + 1, updated_at = now()
     where push_id = $1 and status = 'pending' returning attempts`,
    [pushId],
  );
  if (!begun) return pushShipment(pushId, attempt, config, signal);
  const told = await tellSource(push, config, signal);
  const counted = { ...push, ...begun };
  if ("external_id" in told) return settlePush(counted, { status: "pushed", external_id: told.external_id });
  if (attempt >= PUSH_ATTEMPTS) return settlePush(counted, { status: "failed", ...told });
  return settlePush(counted, { status: "pending", ...told }, config.connectorRetryDelayMs);
}

/** Why there is nothing to push; undefined where there is. */
function nothingToPush({ kind, attempts, is_void, shipment_status, connector_name }: Push): string | undefined {
  if (kind === "ship") return is_void && attempts === 0 ? "The shipment was voided before it was pushed" : undefined;
  if (shipment_status !== "pushed") return "The shipment itself was never pushed";
  const connector = connectorOf(connector_name);
  return connector && !connector.voidFulfillment ? `${connector_name} cannot take back what was pushed` : undefined;
}
