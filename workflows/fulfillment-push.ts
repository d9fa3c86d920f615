import * as wf from "@temporalio/workflow";
import type * as rows from "../activities/connectors/pushes/rows.js";
import { PUSH_ATTEMPTS, type PushActivities, type PushEnded, type PushSummary } from "../src/connectors/pushes/push.js";
import { FAULT } from "../src/platform/temporal/failures.js";
import { Connector, SoNumbers, WarehouseCode, WarehouseId } from "../src/platform/temporal/search-attributes.js";
import { databaseActivities } from "./database-activities.js";
import { type Retried, retry } from "./retry.js";

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

const { describePush, giveUpPush } = databaseActivities<typeof rows>({
  describePush: "Reads what is to be pushed",
  giveUpPush: "Gives the push up for the Temporal UI",
});

/**
 * Tells the shop that an order came from of its shipment, or of the void of one: up to three attempts, with a timer
 * between. While the shop is away, or asks to wait, that is no attempt: it goes on for a day. For one that failed,
 * somebody asks for another run. Later pushes of the order wait.
 */
export async function fulfillmentPush(push_id: number): Promise<PushEnd> {
  return {
    push_id,
    ended: await retry(
      () => describePush(push_id),
      (summary) => push(push_id, summary),
    ),
  };
}

function push(push_id: number, { connector: name, ...of }: PushSummary): Retried<PushEnded> {
  const what = `${of.kind === "ship" ? "the shipment" : "the void of a shipment"} of ${of.so_number}`;
  const mend = `mend the cause, then have it tried again: POST /api/admin/connector-pushes/${push_id}/retry`;
  /** What the last attempt said, or the one that had ended it before. */
  let said = "";
  return {
    title: what,
    ...{ name, what, undone: `${name} has not been told of ${what} yet` },
    behind: "later pushes of its order wait too",
    waiting: "waits for its next attempt",
    mend,
    attributes: [
      { key: Connector, value: name },
      { key: WarehouseId, value: of.warehouse_id },
      { key: WarehouseCode, value: of.warehouse_code },
      { key: SoNumbers, value: [of.so_number] },
    ],
    attempts: PUSH_ATTEMPTS,
    failure: "the order came from there",
    counted: {
      summary: (attempt) => `Attempt ${attempt} of ${PUSH_ATTEMPTS}: tells ${name} of ${what}`,
      during: (attempt) => ({
        where: `is told to ${name}: attempt ${attempt} of ${PUSH_ATTEMPTS}`,
        next: attempt < PUSH_ATTEMPTS ? "another attempt, should this one fail" : "this is the last attempt",
      }),
    },
    async attempt(summary, attempt) {
      const { ended, why, wait_ms = 0, waits } = await pushShipment.executeWithOptions({ summary }, [push_id, attempt]);
      said = why ?? "";
      if (ended) return { ended };
      // A shop that is away was not tried.
      if (waits) return { failure: `${name} cannot be told now: ${why}`, next: { attempt, wait_ms } };
      return { failure: `attempt ${attempt} failed: ${why}`, next: { attempt: attempt + 1, wait_ms } };
    },
    async giveUp(commandId) {
      const { ended, why } = await giveUpPush(push_id, commandId);
      said = why ?? "";
      return ended;
    },
    ending(ended) {
      if (ended === "pushed") return { ended: "pushed", why: `${name} took it`, next: "nothing" };
      if (ended === "skipped") return { ended: "skipped", why: said, next: "nothing" };
      if (ended === "failed")
        return { ended: "failed", why: said, next: mend, failure: ["PushFailed", `${name} was not told of ${what}`] };
      const next = "it is told when sending is switched on";
      return { ended: "stopped", why: "sending is switched off (DISPATCHER_ENABLED)", next };
    },
  };
}
