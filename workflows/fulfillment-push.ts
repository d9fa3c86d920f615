import * as wf from "@temporalio/workflow";
import type * as reading from "../activities/connectors/pushes/read.js";
import type * as settling from "../activities/connectors/pushes/settle.js";
import { PUSH_ATTEMPTS, type PushActivities, type PushEnded } from "../src/connectors/pushes/push.js";
import { FAULT } from "../src/platform/temporal/failures.js";
import { Connector, SoNumbers, WarehouseCode, WarehouseId } from "../src/platform/temporal/search-attributes.js";
import { databaseActivities } from "./database-activities.js";
import { type Retried, type RetryEnding, retry } from "./retry.js";

export interface PushEnd {
  push_id: number;
  ended: PushEnded;
}

// A connector makes several requests, each of which may wait for what the source's rate limit allows.
const { pushShipment } = wf.proxyActivities<PushActivities>({
  startToCloseTimeout: "20m",
  heartbeatTimeout: "10s",
  retry: { initialInterval: "1s", maximumInterval: "10s", nonRetryableErrorTypes: [FAULT] },
});

const { describePush, giveUpPush } = databaseActivities<typeof reading & typeof settling>({
  describePush: "Reads what is to be pushed",
  giveUpPush: "Gives the push up for the Temporal UI",
});

/**
 * Tells the shop that an order came from of its shipment, or of the void of one: up to three attempts, with a timer
 * between. While the shop is away, or asks to wait, that is no attempt: it goes on for a day. For one that failed,
 * somebody asks for another run. Later pushes of the order wait.
 */
export async function fulfillmentPush(push_id: number): Promise<PushEnd> {
  const ended = await retry(() => push(push_id));
  return { push_id, ended: ended as PushEnded };
}

async function push(push_id: number): Promise<Retried<PushEnded>> {
  const { kind, connector, so_number, warehouse_id, warehouse_code, missing_attributes } = await describePush(push_id);
  const what = `${kind === "ship" ? "the shipment" : "the void of a shipment"} of ${so_number}`;
  /** What the last attempt said, or the one that had ended it before. */
  let said = "";
  return {
    title: what,
    undone: `${connector} has not been told of ${what} yet`,
    behind: "later pushes of its order wait too",
    waiting: "waits for its next attempt",
    stage: "pushing",
    attributes: [
      { key: Connector, value: connector },
      { key: WarehouseId, value: warehouse_id },
      { key: WarehouseCode, value: warehouse_code },
      { key: SoNumbers, value: [so_number] },
    ],
    missing: missing_attributes,
    attempts: PUSH_ATTEMPTS,
    first: 1,
    failure: "",
    summary: (attempt) => `Attempt ${attempt} of ${PUSH_ATTEMPTS}: tells ${connector} of ${what}`,
    trying: (attempt = 1, failure) => ({
      where: `is told to ${connector}: attempt ${attempt} of ${PUSH_ATTEMPTS}`,
      why: failure || "the order came from there",
      next: attempt < PUSH_ATTEMPTS ? "another attempt, should this one fail" : "this is the last attempt",
    }),
    async attempt(summary, attempt = 1) {
      const { ended, why, wait_ms = 0, waits } = await pushShipment.executeWithOptions({ summary }, [push_id, attempt]);
      said = why ?? "";
      if (ended) return { ended };
      // A shop that is away was not tried.
      if (waits) return { failure: `${connector} cannot be told now: ${why}`, next: { attempt, wait_ms } };
      return { failure: `attempt ${attempt} failed: ${why}`, next: { attempt: attempt + 1, wait_ms } };
    },
    reason: (failure) => failure,
    async giveUp(commandId) {
      const { ended, why } = await giveUpPush(push_id, commandId);
      said = why ?? "";
      return ended;
    },
    ending: (ended) => endings(ended, connector, what, said, mend(push_id)),
  };
}

const mend = (pushId: number) =>
  `mend the cause, then have it tried again: POST /api/admin/connector-pushes/${pushId}/retry`;

function endings(
  ended: PushEnded | "cancelled",
  connector: string,
  what: string,
  said: string,
  mend: string,
): RetryEnding {
  if (ended === "pushed") return { outcome: "pushed", why: `${connector} took it`, next: "nothing" };
  if (ended === "skipped") return { outcome: "skipped", why: said, next: "nothing" };
  if (ended === "failed")
    return {
      ...{ outcome: "failed", why: said, next: mend },
      failure: { type: "PushFailed", what: `${connector} was not told of ${what}` },
    };
  if (ended === "cancelled")
    return { outcome: "cancelled", why: "cancellation was requested in the Temporal UI", next: mend };
  const next = "it is told when sending is switched on";
  return { outcome: "stopped", why: "sending is switched off (DISPATCHER_ENABLED)", next };
}
