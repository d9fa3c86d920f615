import type { Request, Response } from "express";
import { decideApproval } from "../../activities/agents/approvals.js";
import { ApprovalDecided, ApprovalNotFound, MayNotApprove, OwnApproval } from "../../src/agents/problems.js";
import { approval, approvals, mayApproveOwn, openApprovalIn } from "../../src/agents/queries.js";
import {
  AgentApproval,
  AgentApprovalDetail,
  AgentCallDecided,
  ApprovalFilters,
  ApprovalParams,
  ApprovalReason,
} from "../../src/agents/shapes.js";
import { approvalWorkflowId, type CallArguments } from "../../src/agents/workflow.js";
import type { SessionUser } from "../../src/auth/queries.js";
import type { Actor } from "../../src/platform/actor.js";
import { db } from "../../src/platform/db/db.js";
import { paged } from "../../src/platform/fields.js";
import { WorkflowEngineUnavailable } from "../../src/platform/problem.js";
import type * as workflow from "../../workflows/approval.js";
import { insideOf } from "../http/inside.js";
import { route, signedIn } from "../http/route.js";
import { runUpdate } from "../http/workflow-updates.js";
import type { Operation } from "./operations.js";
import { readerOf } from "./reader.js";
import { requestOf } from "./request.js";

/** Approvals of what agents ask for: docs/agents.md. Each is an `approval` workflow until it has run. */

interface Decided {
  by: Actor;
  req: Request;
  res: Response;
}

/** @param routes All operations, as a function, because these are among them. */
export function approvalRoutes(routes: () => Operation[]) {
  /** Decides, for somebody who may: who could make the same call, as far as that is known before it is made. */
  async function decide(id: number, approved: boolean, reason: string | null | undefined, { by, req, res }: Decided) {
    const found = await approval(id, readerOf(by, res));
    if (!found) throw ApprovalNotFound();
    const { external_id: key, operation, is_own, agent, request } = found;
    const isWithdrawn = is_own && !approved;
    if (is_own && !isWithdrawn && !(await mayApproveOwn(db))) throw OwnApproval();
    const asked = routes().find(({ operationId }) => operationId === operation);
    if (asked && !isWithdrawn) {
      const call = { user: res.locals.session as SessionUser, through: { agent }, onlyChecks: true };
      const { status: refused } = await insideOf(req.app)(call, requestOf(asked, request as CallArguments));
      if (refused === 401 || refused === 403) throw MayNotApprove({ operation });
    }
    const decision = { approved, reason: reason ?? null };
    const decided = await runUpdate<typeof workflow.approval, typeof workflow.decide>(
      { by, res },
      {
        ...{ workflow: "approval", workflowId: approvalWorkflowId(key), args: [key, by] },
        openIn: () => openApprovalIn(key),
      },
      "decide",
      [decision, by],
      () => decideApproval(key, decision, by),
    );
    const { approval_id, status, decided_by, reason: why } = decided;
    return { approval_id, status, decided_by, reason: why };
  }
  const errors = [ApprovalNotFound, ApprovalDecided, MayNotApprove, WorkflowEngineUnavailable];

  return {
    listAgentApprovals: route("get /api/admin/agent-approvals", {
      for: signedIn,
      summary: "What agents ask for: what the caller may have to approve, and what the caller's own agents asked",
      query: ApprovalFilters,
      answers: { 200: paged("approvals", AgentApproval, "What was asked for, each one call.") },
      run: ({ query, by, res }) => approvals(query, readerOf(by, res)),
    }),

    getAgentApproval: route("get /api/admin/agent-approvals/:approval_id", {
      for: signedIn,
      summary: "What an agent asked for, what a person said of it, and what came of it",
      params: ApprovalParams,
      answers: { 200: AgentApprovalDetail },
      errors: [ApprovalNotFound],
      run: async ({ params, by, res }) => {
        const found = await approval(params.approval_id, readerOf(by, res));
        if (!found) throw ApprovalNotFound();
        return found;
      },
    }),

    approveAgentCall: route("post /api/admin/agent-approvals/:approval_id/approve", {
      byPersonOnly: true,
      stepUp: true,
      for: signedIn,
      summary: "Approves what an agent asked for, upon which it runs, once: for who may make the same call",
      params: ApprovalParams,
      body: ApprovalReason,
      answers: { 200: AgentCallDecided },
      errors: [...errors, OwnApproval],
      run: ({ params, body, ...caller }) => decide(params.approval_id, true, body.reason, caller),
    }),

    rejectAgentCall: route("post /api/admin/agent-approvals/:approval_id/reject", {
      byPersonOnly: true,
      for: signedIn,
      summary: "Refuses what an agent asked for, or withdraws what the caller's own agent asked",
      params: ApprovalParams,
      body: ApprovalReason,
      answers: { 200: AgentCallDecided },
      errors,
      run: ({ params, body, ...caller }) => decide(params.approval_id, false, body.reason, caller),
    }),
  };
}
