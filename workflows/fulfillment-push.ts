import * as wf from "@temporalio/workflow";
import type * as reading from "../activities/connectors/pushes/read.js";
import type * as settling from "../activities/connectors/pushes/settle.js";
import { PUSH_ATTEMPTS, type PushActivities, type PushEnded } from "../src/connectors/pushes/push.js";
import { clock, detailsText } from "../src/platform/temporal/details.js";
import { FAULT } from "../src/platform/temporal/failures.js";
import {
  Connector,
  type OutcomeValue,
  SoNumbers,
  Stage,
  WarehouseCode,
  WarehouseId,
} from "../src/platform/temporal/search-attributes.js";
import { setAttributes, setEnded } from "./attributes.js";
import { databaseActivities } from "./database-activities.js";
import { AFTER_FAULT, businessFailure, endAtFault, uninterrupted } from "./endings.js";

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
 * between. While the shop is away, or asks to wait, that is no attempt: it goes on for a day. The row says what is to
 * be pushed, so it can be begun again at any time: for one that failed, somebody asks for that. A failure fails it, so
 * that the list shows it; a cancellation in the Temporal UI gives the push up.
 */
export function fulfillmentPush(pushId: number): Promise<PushEnd> {
  const scope = wf.CancellationScope.current();
  return uninterrupted(() => push(pushId, () => scope.consideredCancelled));
}

async function push(push_id: number, cancelled: () => boolean): Promise<PushEnd> {
  const { kind, connector, so_number, warehouse_id, warehouse_code, missing_attributes } = await describePush(push_id);
  const what = `${kind === "ship" ? "the shipment" : "the void of a shipment"} of ${so_number}`;
  const attributes = [
    { key: Connector, value: connector },
    { key: WarehouseId, value: warehouse_id },
    { key: WarehouseCode, value: warehouse_code },
    { key: SoNumbers, value: [so_number] },
  ];
  setAttributes([{ key: Stage, value: "pushing" }, ...attributes], missing_attributes);
  let failure = "";

  return endAtFault(`${connector} has not been told of ${what} yet`, tryAndWait, (why) => {
    show("stopped at a fault; later pushes of its order wait too", why, AFTER_FAULT);
    setEnded("failed", missing_attributes);
  });

  async function tryAndWait(): Promise<PushEnd> {
    for (let attempt = 1; !cancelled(); attempt++) {
      const summary = `Attempt ${attempt} of ${PUSH_ATTEMPTS}: tells ${connector} of ${what}`;
      const then = attempt < PUSH_ATTEMPTS ? "another attempt, should this one fail" : "this is the last attempt";
      show(
        `is told to ${connector}: attempt ${attempt} of ${PUSH_ATTEMPTS}`,
        failure || "the order came from there",
        then,
      );
      const outcome = await pushShipment.executeWithOptions({ summary }, [push_id, attempt]);
      const { ended, wait_ms = 0, why, waits = false } = outcome;
      if (ended) return end(ended, why);
      failure = waits ? `${connector} cannot be told now: ${why}` : `attempt ${attempt} failed: ${why}`;
      if (waits) attempt--;
      const due = `attempt ${attempt + 1} of ${PUSH_ATTEMPTS} at ${clock(Date.now() + wait_ms)}`;
      show("waits for its next attempt", failure, due);
      setAttributes([{ key: Stage, value: "retrying" }], missing_attributes);
      await wf.condition(cancelled, wait_ms, { summary: `${failure}: ${due}` });
    }
    const { ended, why } = await giveUpPush(push_id, `${wf.workflowInfo().runId}:cancel`);
    return end(ended, why);
  }

  function end(ended: PushEnded | "cancelled", said: string | null): PushEnd {
    const { outcome, why, next } = endings(ended, connector, said ?? "", mend(push_id));
    show(`has ended: ${outcome}`, why, next);
    setEnded(outcome, missing_attributes);
    if (ended === "cancelled") throw new wf.CancelledFailure(why);
    if (ended === "failed") throw businessFailure("PushFailed", `${connector} was not told of ${what}: ${said}`);
    return { push_id, ended };
  }

  function show(where: string, why: string, next: string): void {
    wf.setCurrentDetails(detailsText({ where: `${what} ${where}`, why, next }));
  }
}

const mend = (pushId: number) =>
  `mend the cause, then have it tried again: POST /api/admin/connector-pushes/${pushId}/retry`;

function endings(
  ended: PushEnded | "cancelled",
  connector: string,
  said: string,
  mend: string,
): { outcome: OutcomeValue; why: string; next: string } {
  if (ended === "pushed") return { outcome: "pushed", why: `${connector} took it`, next: "nothing" };
  if (ended === "skipped") return { outcome: "skipped", why: said, next: "nothing" };
  if (ended === "failed") return { outcome: "failed", why: said, next: mend };
  if (ended === "cancelled")
    return { outcome: "cancelled", why: "cancellation was requested in the Temporal UI", next: mend };
  const next = "it is told when sending is switched on";
  return { outcome: "stopped", why: "sending is switched off (DISPATCHER_ENABLED)", next };
}
