import type { Express } from "express";
import { endApproval } from "../activities/agents/approvals.js";
import { withHeartbeat } from "../activities/heartbeat.js";
import { requestOf } from "../api/agents/request.js";
import { insideOf } from "../api/http/inside.js";
import { approvalState, callToPerform } from "../src/agents/queries.js";
import type { CallAnswer, CallArguments, PerformActivities } from "../src/agents/workflow.js";
import { sessionUser } from "../src/auth/queries.js";
import type { Config } from "../src/platform/config/config.js";
import { db } from "../src/platform/db/db.js";
import { insideApp } from "./inside-app.js";

/** Well within what the workflow waits for one. */
const HEARTBEAT_MS = 2_000;

/**
 * Runs what was approved: the operation's own route, as the user whom the agent works for, with that user's rights of
 * now. It runs under the key of the call: a worker that takes over from a killed one gets the answer of the first run.
 */
export function performActivities(config: Config<"worker">): PerformActivities {
  return {
    performApproved: (key) =>
      withHeartbeat(HEARTBEAT_MS, async () => {
        const call = await callToPerform(key);
        if (call.status !== "APPROVED") return approvalState(db, key);
        return endApproval(key, await answerOf(await insideApp(config), call), `end:${key}`);
      }),
  };
}

/** What the operation answers; throws what is worth another try. */
async function answerOf(app: Express, call: Awaited<ReturnType<typeof callToPerform>>): Promise<CallAnswer> {
  const { user_id, agent, operation, request, idempotency_key, approval_id, decided_by } = call;
  const user = await sessionUser(user_id, "");
  if (!user?.is_active)
    return { status: 403, answer: { error: "The user is not active any more", code: "account_inactive" } };
  const { routes } = await import("../api/routes.js");
  const route = routes.find(({ operationId }) => operationId === operation);
  if (!route) return { status: 404, answer: { error: `There is no ${operation} any more`, code: "not_found" } };
  const through = { agent, approval_id, approved_by: decided_by ?? "" };
  const { status, text } = await insideOf(app)(
    { user, through, keepsKey: true },
    { ...requestOf(route, request as CallArguments), headers: { "idempotency-key": idempotency_key } },
  );
  if (status === 429 || status >= 500) throw new Error(`${operation} answered ${status}: ${text.slice(0, 500)}`);
  return { status, answer: text ? JSON.parse(text) : null };
}
