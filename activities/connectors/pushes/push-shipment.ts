import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../../../src/config/config.js";
import { PUSH_ATTEMPTS, type PushActivities, type PushAttempted } from "../../../src/connectors/pushes/push.js";
import { connectorOf } from "../../../src/connectors/registry.js";
import { withHeartbeat } from "../../heartbeat.js";
import { claimPush, whileClaimed } from "./claim.js";
import { type Push, readPush } from "./read.js";
import { settlePush } from "./settle.js";
import { tellSource } from "./tell.js";

/** A killed worker is missed after five times that. */
const HEARTBEAT_MS = 2_000;
const LOOK_EVERY_MS = 1_000;

export const pushActivities = (config: Config<"worker">): PushActivities => ({
  pushShipment: (pushId, attempt) =>
    withHeartbeat(HEARTBEAT_MS, (signal) => pushShipment(pushId, attempt, config, signal)),
});

/**
 * Makes one attempt, once no other one is under way. That of a killed worker is made again, so connectors look whether
 * the source has the fulfilment already.
 */
async function pushShipment(
  pushId: number,
  attempt: number,
  config: Config<"worker">,
  signal: AbortSignal,
): Promise<PushAttempted> {
  if (!config.dispatcherEnabled) return { ended: "disabled", why: null };
  for (;;) {
    const push = await readPush(pushId);
    if (push.status !== "pending") return { ended: push.status, why: push.last_error };
    const why = nothingToPush(push);
    if (why) return settlePush(push, { status: "skipped", why });
    const attempts = await claimPush(pushId);
    if (attempts === undefined) {
      await pause(LOOK_EVERY_MS, undefined, { signal });
      continue;
    }
    const told = await whileClaimed(pushId, attempts, () => tellSource(push, config, signal));
    const begun = { ...push, attempts };
    if ("external_id" in told) return settlePush(begun, { status: "pushed", ...told });
    if (attempt >= PUSH_ATTEMPTS) return settlePush(begun, { status: "failed", ...told });
    return settlePush(begun, { status: "pending", ...told }, config.connectorRetryDelayMs);
  }
}

/** Why there is nothing to push; undefined where there is. */
function nothingToPush({ kind, attempts, is_void, shipment_status, connector_name }: Push): string | undefined {
  if (kind === "ship") return is_void && attempts === 0 ? "The shipment was voided before it was pushed" : undefined;
  if (shipment_status !== "pushed") return "The shipment itself was never pushed";
  const connector = connectorOf(connector_name);
  return connector && !connector.voidFulfillment ? `${connector_name} cannot take back what was pushed` : undefined;
}
