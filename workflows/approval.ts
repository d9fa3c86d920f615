import * as wf from "@temporalio/workflow";
import type * as approvals from "../activities/agents/approvals.js";
import type { ApprovalDecision, ApprovalState, AskedCall, PerformActivities } from "../src/agents/workflow.js";
import type { Actor } from "../src/platform/actor.js";
import { FAULT } from "../src/platform/temporal/failures.js";
import { databaseActivities } from "./database-activities.js";
import { uninterrupted } from "./endings.js";
import { Approval } from "./managers/approval.js";
import type * as texts from "./texts/approval.js";

export interface ApprovalEnd {
  approval_id: number | null;
  ended: texts.ApprovalEnded;
}

const { askApproval, resumeApproval, decideApproval, rejectForOperator, expireApproval } = databaseActivities<
  typeof approvals
>({
  askApproval: "Asks for the approval of a person",
  resumeApproval: "Reads the approval from its row",
  decideApproval: "A person approves or rejects",
  rejectForOperator: "Refuses it for the Temporal UI",
  expireApproval: "Ends it, if nobody has decided in time",
});

// An operation may start a workflow and wait for it. A killed worker is found out by its heartbeat.
const { performApproved } = wf.proxyActivities<PerformActivities>({
  startToCloseTimeout: "2m",
  heartbeatTimeout: "10s",
  retry: { initialInterval: "1s", maximumInterval: "30s", nonRetryableErrorTypes: [FAULT] },
  summary: "Runs what was approved, once",
});

/** The first update: its result is the answer to the tool call. */
export const created = wf.defineUpdate<ApprovalState>("created");
export const decide = wf.defineUpdate<ApprovalState, [ApprovalDecision, Actor]>("decide");

/**
 * Something that an agent asked for, until a person has decided and it has run (docs/agents.md); its id is
 * `approval-<external_id>`, which is made from user and idempotency key. A decision is an update; nobody's decision
 * expires it by a timer. What is approved runs under the key of the call, so once, whatever is killed meanwhile. When
 * its cancellation is requested in the Temporal UI, it is rejected, unless it is about to run.
 * @param key The `external_id` of its row.
 * @param by Who asked, or who started it again.
 * @param call What was asked for; absent when the workflow of an existing approval is started again.
 */
export function approval(key: string, by: Actor, call?: AskedCall): Promise<ApprovalEnd> {
  return uninterrupted(async () => {
    const asked = new Approval(call !== undefined);
    wf.setHandler(decide, (decision, who) =>
      asked.step(async () => {
        const state = await decideApproval(key, decision, who);
        asked.learn(state);
        return state;
      }),
    );

    await asked.begin(created, () => (call ? askApproval(key, call, by) : resumeApproval(key)));

    while (!asked.ending) {
      if (asked.isApproved) {
        if (asked.mayCancel) asked.refuseToEnd();
        asked.learn(await asked.step(() => performApproved(key)));
        continue;
      }
      const news = await asked.wait(asked.untilExpiry);
      if (asked.ending || asked.isApproved) continue;
      if (asked.mayCancel)
        await asked.cancel(async () => asked.wasRejectedThere(await rejectForOperator(key, asked.commandId("reject"))));
      else if (!news)
        await asked.step(async () => asked.learn(await expireApproval(key, asked.commandId(`expire:${wf.uuid4()}`))));
    }
    return { approval_id: asked.rows?.approval_id ?? null, ended: await asked.end() };
  });
}
