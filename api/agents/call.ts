import type { Request, Response } from "express";
import { AgentWritesOff, AnswerTooLarge, NotForAgents } from "../../src/agents/problems.js";
import { agentWrites, approval, askedBefore, warehouseOf } from "../../src/agents/queries.js";
import type { AgentApprovalDetail } from "../../src/agents/shapes.js";
import { type AskedCall, approvalWorkflowId, type CallArguments } from "../../src/agents/workflow.js";
import { type Actor, visibleWarehouses } from "../../src/platform/actor.js";
import { db } from "../../src/platform/db/db.js";
import { KeyReuse } from "../../src/platform/problem.js";
import type * as workflow from "../../workflows/approval.js";
import { type InsideAnswer, type InsideRequest, insideOf } from "../http/inside.js";
import { startWithUpdate } from "../http/workflow-updates.js";
import { effectOf, isForAgents, type Operation } from "./operations.js";
import { readerOf } from "./reader.js";
import { hashOf, keyOf, requestOf, type ToolArguments, uuidOf } from "./request.js";

/** The program that calls, for whom, and the request that carries the call. */
export interface AgentCaller {
  by: Actor;
  agent: string;
  req: Request;
  res: Response;
  signal?: AbortSignal;
}

/** What a tool answers. */
export interface ToolAnswer {
  isError?: boolean;
  answer: unknown;
  /** What is said beside the answer. */
  note?: string;
}

/** More would fill an agent's context. */
const MOST_KB = 256;

/** Calls an operation for an agent: what it reads at once, what it writes as the policy says. */
export async function callOperation(route: Operation, given: ToolArguments, caller: AgentCaller): Promise<ToolAnswer> {
  const { operationId } = route;
  if (!isForAgents(route)) throw NotForAgents({ operation: operationId });
  const { idempotency_key, ...call } = given;
  const request = requestOf(route, call);
  const effect = effectOf(route);
  if (effect === "reads" || isTriedOnly(route, call)) return toolAnswer(await inside(caller, request));
  const policy = await agentWrites(db);
  if (policy === "never") throw AgentWritesOff();
  const hash = hashOf(operationId, call);
  const key = idempotency_key ?? keyOf(hash);
  if (policy === "approve" || effect === "destroys") {
    // Refused at once where no approval would help: beyond the caller's rights, or invalid.
    const checked = await inside(caller, request, { onlyChecks: true });
    if (checked.status >= 400) return toolAnswer(checked);
    return ask(route, call, { key, hash }, caller);
  }
  const answered = await inside(caller, request, {}, key);
  const note = answered.headers["x-idempotent-replay"]
    ? `It had run before under the key ${key}: nothing was changed now.`
    : `It ran under the key ${key}.`;
  return { ...toolAnswer(answered), note };
}

/** Whether the operation can be tried without writing, and this call does that. */
function isTriedOnly({ body }: Operation, call: CallArguments): boolean {
  const knows = body !== undefined && "shape" in body && "dry_run" in (body.shape as object);
  return knows && (call.body as { dry_run?: unknown } | undefined)?.dry_run === true;
}

/** Makes the request with the caller's own credential, so with all that limits it. */
function inside({ agent, req, signal }: AgentCaller, request: InsideRequest, how: object = {}, key?: string) {
  const { authorization, cookie } = req.headers;
  return insideOf(req.app)(
    { through: { agent }, ...how },
    {
      ...request,
      headers: { authorization, cookie, "x-csrf-token": req.get("x-csrf-token"), "idempotency-key": key },
      address: req.ip,
      ...(signal && { signal }),
    },
  );
}

function toolAnswer({ status, text }: InsideAnswer): ToolAnswer {
  const kb = Math.ceil(text.length / 1024);
  if (kb > MOST_KB) throw AnswerTooLarge({ kb, most: MOST_KB });
  const answer: unknown = text ? JSON.parse(text) : null;
  return status < 400 ? { answer } : { isError: true, answer: { status, ...(answer as object) } };
}

/** Asks a person, by a workflow: the same call again looks at the same approval. */
async function ask(
  route: Operation,
  request: CallArguments,
  { key, hash }: { key: string; hash: string },
  { by, agent, res }: AgentCaller,
): Promise<ToolAnswer> {
  const external_id = uuidOf(by.userId, key);
  const before = await askedBefore(external_id);
  if (before && before.request_hash !== hash) throw KeyReuse();
  let id = before?.approval_id;
  if (id === undefined) {
    const call: AskedCall = {
      ...{ operation: route.operationId, summary: route.summary, request, request_hash: hash, idempotency_key: key },
      page_key: route.for.kind === "page" ? route.for.page : route.for.kind === "admin" ? "ADMIN" : null,
      warehouse_ids: warehousesOf(request, by),
    };
    const asked = await startWithUpdate<typeof workflow.approval, typeof workflow.created>(
      { by, res },
      "approval",
      approvalWorkflowId(external_id),
      {
        args: [external_id, { ...by, through: { agent } }, call],
        warehouseId: warehouseOf(call),
        staticSummary: `Approval of ${route.operationId}, asked by ${agent} for ${by.username}`,
      },
      "created",
      [],
    );
    id = asked.approval_id;
  }
  return stateOf((await approval(id, readerOf(by, res))) as AgentApprovalDetail);
}

/** The warehouse that the request names, else all that the user may use: whoever approves has all of them. */
function warehousesOf({ path, query, body }: CallArguments, by: Actor): number[] | null {
  const places = [path, query, body] as (Record<string, unknown> | undefined)[];
  const named = places.map((place) => Number(place?.warehouse_id)).find((id) => Number.isInteger(id));
  return named === undefined ? visibleWarehouses(by) : [named];
}

const AGAIN = "To ask for the same once more, give another idempotency_key.";

/** What the agent is told of its approval. */
function stateOf({ approval_id, status, expires_at, decided_by, reason, answer }: AgentApprovalDetail): ToolAnswer {
  const state = { approval_id, status, expires_at, decided_by, reason };
  const look = `getAgentApproval with {"path": {"approval_id": ${approval_id}}} says what became of it`;
  switch (status) {
    case "WAITING":
      return { answer: state, note: `Nothing was changed yet: it waits for a person, who approves it. ${look}.` };
    case "APPROVED":
      return { answer: state, note: `${decided_by} approved it, and it is about to run. ${look}.` };
    case "DONE":
      return { answer: { ...state, answer }, note: `It ran once, after ${decided_by} had approved it. ${AGAIN}` };
    default:
      return { isError: true, answer: { ...state, answer }, note: `Nothing was changed. ${AGAIN}` };
  }
}
