import { issueToken } from "../../activities/auth/tokens.js";
import { answerBegun, noteSandboxUse } from "../../activities/sandboxes/notes.js";
import { unseal } from "../../src/auth/sealed.js";
import { outboundSlugs } from "../../src/auth/tokens/scope.js";
import { NewToken } from "../../src/auth/tokens/shapes.js";
import { answerOwner, newToken } from "../../src/auth/tokens/token.js";
import { type Actor, partOf } from "../../src/platform/actor.js";
import { recorded } from "../../src/platform/db/command-log.js";
import { eventTypes } from "../../src/platform/events/catalog.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { SandboxEnded, SandboxNotFound } from "../../src/sandboxes/problems.js";
import { openSandboxIn, sandbox, takeSandboxId } from "../../src/sandboxes/queries.js";
import type { Sandbox } from "../../src/sandboxes/shapes.js";
import {
  type SandboxRequest,
  type SandboxState,
  type SandboxStep,
  type Scenario,
  sandboxWorkflowId,
} from "../../src/sandboxes/workflow.js";
import type * as workflow from "../../workflows/sandbox.js";
import { sessions } from "../auth/caches.js";
import { newSecret } from "../auth/new-secret.js";
import type { AppOptions } from "../http/options.js";
import { runUpdate, startWithUpdate, tellFromRows, type WorkflowCall } from "../http/workflow-updates.js";

/** What the house and its partners do with the workflow of a sandbox. */

/** What the workflow of a sandbox is started again with. */
export const fromRow = (id: number, by: Actor) => ({
  ...{ workflow: "sandbox", workflowId: sandboxWorkflowId(id), args: [id, by] as [number, Actor] },
  openIn: () => openSandboxIn(id),
});

export async function shown(id: number): Promise<Sandbox> {
  const found = await sandbox(id);
  if (!found) throw SandboxNotFound();
  return found;
}

/** Notes that somebody looks at it; one that rests goes on. */
export async function lookedAt(found: Sandbox, by: Actor): Promise<Sandbox> {
  if (found.state === "ENDED") return found;
  await noteSandboxUse(found.sandbox_id);
  const { openIn: _, workflow: name, ...start } = fromRow(found.sandbox_id, by);
  if (found.state === "RESTING")
    tellFromRows<typeof workflow.sandbox>(name, start, { warehouseId: found.warehouse_id });
  return found;
}

/** Begins one; gives it, and the token that polls its events. */
export async function begin(request: SandboxRequest, { by, res }: WorkflowCall, options: AppOptions) {
  const id = await takeSandboxId();
  const begun = await sessions.invalidateAfter(
    startWithUpdate<typeof workflow.sandbox, typeof workflow.created>(
      { by, res },
      "sandbox",
      sandboxWorkflowId(id),
      { args: [id, by, request], staticSummary: `Sandbox ${id} of ${request.connector_id}` },
      "created",
      [],
    ),
  );
  // A repeated request began it before.
  res.setHeader("X-Service-Workflow-Id", sandboxWorkflowId(begun.sandbox_id));
  const token = await tokenOf(begun, partOf(by, "token"), options);
  return { sandbox: await answerBegun(begun.sandbox_id, partOf(by, "answer")), token };
}

/** A token for the events of the warehouse, all of them and no others. A partner has it issued by the service. */
async function tokenOf(
  { warehouse_id, warehouse_code, connector_id }: SandboxState,
  by: Actor,
  options: AppOptions,
): Promise<string> {
  const token = NewToken.parse({
    ...{ token_name: warehouse_code, warehouse_ids: [warehouse_id], connector_id },
    ...{ event_types: eventTypes, endpoints: [...outboundSlugs] },
  });
  const issuer = by.role === "ADMIN" ? by : { ...systemActor(by.commandId), ...(by.keyed && { keyed: by.keyed }) };
  const { sealed } = await issueToken(token, newSecret(newToken(), options, issuer), issuer);
  return unseal(sealed, answerOwner(issuer.commandId), options);
}

export const step = (sandboxId: number, scenario: Scenario, { by, res }: WorkflowCall) =>
  runUpdate<typeof workflow.sandbox, typeof workflow.step>(
    { by, res },
    fromRow(sandboxId, by),
    "step",
    [scenario, by],
    async () => (await asBefore<{ step: SandboxStep }>({ by, res }, sandboxId)).step,
  );

export async function end(sandboxId: number, { by, res }: WorkflowCall): Promise<Sandbox> {
  await sessions.invalidateAfter(
    runUpdate<typeof workflow.sandbox, typeof workflow.end>({ by, res }, fromRow(sandboxId, by), "end", [by], () =>
      asBefore({ by, res }, sandboxId),
    ),
  );
  return shown(sandboxId);
}

/** What the same request was answered before the sandbox ended; where there is none, that it has ended. */
async function asBefore<T>({ by }: WorkflowCall, sandboxId: number): Promise<T> {
  const before = await recorded(by);
  if (before) return before.answer as T;
  if (!(await sandbox(sandboxId))) throw SandboxNotFound();
  throw SandboxEnded();
}
