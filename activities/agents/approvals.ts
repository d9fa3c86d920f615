import { ApprovalDecided, ApprovalNotFound } from "../../src/agents/problems.js";
import { approvalHours, approvalState } from "../../src/agents/queries.js";
import type { ApprovalDecision, ApprovalState, AskedCall, CallAnswer } from "../../src/agents/workflow.js";
import type { Actor } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import { DomainError, KeyReuse } from "../../src/platform/problem.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { command, type Tx } from "../command.js";

/** Writes that agents ask for, and people approve: docs/agents.md. Each is one row, and one workflow `approval`. */

/** An answer that is larger is not kept: the agent is told that it ran. */
const MOST_KEPT = 256 * 1024;

/**
 * Asks for approval of a call. The same call again, under its key, is the same approval.
 * @param key The `external_id` of its row.
 */
export function askApproval(key: string, call: AskedCall, by: Actor): Promise<ApprovalState> {
  return command("agents.ask", { ...by, commandId: `ask:${key}` }, call, async (tx) => {
    const { operation, summary, page_key, warehouse_ids, request, request_hash, idempotency_key } = call;
    const hours = await approvalHours(tx);
    const made = await tx.row(
      { approval_id: int },
      `insert into agent_approvals (external_id, user_id, agent, operation, summary, page_key, warehouse_ids, request,
         request_hash, idempotency_key, expires_at)
       values (:key, :userId, :agent, :operation, :summary, :page_key, :warehouse_ids, :request, :request_hash,
         :idempotency_key, now() + :hours * interval '1 hour')
       on conflict (external_id) do nothing returning approval_id`,
      {
        ...{ key, userId: by.userId, agent: by.through?.agent ?? "", operation, summary, page_key, warehouse_ids },
        ...{ request: JSON.stringify(request), request_hash, idempotency_key, hours },
      },
    );
    if (made)
      tx.audit({
        ...{ action: "APPROVAL_ASK", entity: "APPROVAL", entityId: made.approval_id },
        warehouseId: warehouse_ids?.length === 1 ? warehouse_ids[0] : null,
        details: { operation },
      });
    else await refuseAnotherRequest(tx, key, request_hash);
    return approvalState(tx, key);
  });
}

async function refuseAnotherRequest(tx: Tx, key: string, requestHash: string): Promise<void> {
  const first = await tx.row(
    { request_hash: text },
    "select request_hash from agent_approvals where external_id = $1",
    [key],
  );
  if (first?.request_hash !== requestHash) throw KeyReuse();
}

/**
 * Reads an approval from its row; 404 when there is none.
 * @public Called by `approval`, which knows activities by their types alone.
 */
export const resumeApproval = (key: string): Promise<ApprovalState> => approvalState(db, key);

/** A person approves or rejects, once. What is approved runs afterwards. */
export function decideApproval(key: string, decision: ApprovalDecision, by: Actor): Promise<ApprovalState> {
  const { approved, reason = null } = decision;
  return command("agents.decide", by, { key, ...decision }, async (tx) => {
    const { approval_id, operation } = await lockWaiting(tx, key);
    await tx.run(
      `update agent_approvals set status = case when :approved then 'APPROVED' else 'REJECTED' end,
         decided_by = :username, decided_at = now(), reason = :reason, updated_at = now(),
         ended_at = case when :approved then null else now() end
       where external_id = :key`,
      { key, approved, username: by.username, reason },
    );
    const action = approved ? "APPROVAL_GRANT" : "APPROVAL_REJECT";
    tx.audit({ action, entity: "APPROVAL", entityId: approval_id, details: { operation, reason } });
    return approvalState(tx, key);
  });
}

const Waiting = { approval_id: int, operation: text, status: text, agent: text };

/** Locks an approval that waits for a person. */
async function lockWaiting(tx: Tx, key: string) {
  const found = await tx.row(
    Waiting,
    "select approval_id, operation, status, agent from agent_approvals where external_id = $1 for update",
    [key],
  );
  if (!found) throw ApprovalNotFound();
  const { approval_id, status } = found;
  if (status !== "WAITING") throw ApprovalDecided({ approval_id, status });
  return found;
}

/**
 * Refuses an approval for the Temporal UI; one that somebody has decided about stays as it is.
 * @public The same.
 */
export const rejectForOperator = (key: string, commandId: string): Promise<ApprovalState> =>
  decideApproval(key, { approved: false, reason: "cancelled in the Temporal UI" }, systemActor(commandId)).catch(
    (error) => {
      if (error instanceof DomainError && error.kind === ApprovalDecided.kind) return approvalState(db, key);
      throw error;
    },
  );

/**
 * Ends an approval about which nobody decided in time; one that somebody has decided about stays as it is.
 * @public The same.
 */
export function expireApproval(key: string, commandId: string): Promise<ApprovalState> {
  return command("agents.expire", systemActor(commandId), { key }, async (tx) => {
    const expired = await tx.row(
      { approval_id: int, operation: text, agent: text },
      `update agent_approvals set status = 'EXPIRED', ended_at = now(), updated_at = now()
       where external_id = $1 and status = 'WAITING' and expires_at <= clock_timestamp()
       returning approval_id, operation, agent`,
      [key],
    );
    if (expired) {
      const { approval_id, ...details } = expired;
      tx.audit({ action: "APPROVAL_EXPIRE", entity: "APPROVAL", entityId: approval_id, details });
    }
    return approvalState(tx, key);
  });
}

/** Ends an approval whose operation ran, with what it answered. */
export function endApproval(key: string, { status, answer }: CallAnswer, commandId: string): Promise<ApprovalState> {
  return command("agents.end", systemActor(commandId), { key }, async (tx) => {
    const kept = JSON.stringify(answer ?? null);
    const ended = await tx.row(
      { approval_id: int, operation: text, agent: text },
      `update agent_approvals set status = :as, http_status = :status, answer = :kept, ended_at = now(),
         updated_at = now()
       where external_id = :key and status = 'APPROVED' returning approval_id, operation, agent`,
      { key, as: status < 300 ? "DONE" : "FAILED", status, kept: kept.length > MOST_KEPT ? null : kept },
    );
    if (ended) {
      const { approval_id, ...details } = ended;
      const action = status < 300 ? "APPROVAL_DONE" : "APPROVAL_FAIL";
      tx.audit({ action, entity: "APPROVAL", entityId: approval_id, details: { ...details, status } });
    }
    return approvalState(tx, key);
  });
}
