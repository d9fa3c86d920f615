import { z } from "zod";
import { issueToken } from "../../activities/auth/tokens.js";
import { noteSandboxUse, paceSandbox as setPace } from "../../activities/sandboxes/notes.js";
import { unseal } from "../../src/auth/sealed.js";
import { outboundSlugs } from "../../src/auth/tokens/scope.js";
import { NewToken } from "../../src/auth/tokens/shapes.js";
import { answerOwner, newToken } from "../../src/auth/tokens/token.js";
import { UnknownConnector } from "../../src/outbound/problems.js";
import { type Actor, partOf } from "../../src/platform/actor.js";
import { recorded } from "../../src/platform/db/command-log.js";
import { eventTypes } from "../../src/platform/events/catalog.js";
import { AnyText } from "../../src/platform/fields.js";
import { WorkflowEngineUnavailable } from "../../src/platform/problem.js";
import {
  SandboxEnded,
  SandboxFull,
  SandboxNotFound,
  SandboxThere,
  TooManySandboxes,
} from "../../src/sandboxes/problems.js";
import { openSandboxIn, sandbox, sandboxes, takeSandboxId } from "../../src/sandboxes/queries.js";
import {
  NewSandbox,
  Sandbox,
  SandboxPace,
  SandboxParams,
  SandboxScenario,
  SandboxStep,
  sandboxList,
} from "../../src/sandboxes/shapes.js";
import { type SandboxStep as SandboxDone, sandboxWorkflowId } from "../../src/sandboxes/workflow.js";
import type * as workflow from "../../workflows/sandbox.js";
import { sessions } from "../auth/caches.js";
import { newSecret } from "../auth/new-secret.js";
import type { AppOptions } from "../http/options.js";
import { admin, route } from "../http/route.js";
import { runUpdate, startWithUpdate, tellFromRows, type WorkflowCall } from "../http/workflow-updates.js";

/** Sandboxes of partners: docs/sandbox.md. Each is a `sandbox` workflow until it ends. */

/** What the workflow of a sandbox is started again with. */
const fromRow = (id: number, by: Actor) => ({
  ...{ workflow: "sandbox", workflowId: sandboxWorkflowId(id), args: [id, by] as [number, Actor] },
  openIn: () => openSandboxIn(id),
});

async function shown(id: number): Promise<Sandbox> {
  const found = await sandbox(id);
  if (!found) throw SandboxNotFound();
  return found;
}

export const listSandboxes = route("get /api/admin/sandboxes", {
  for: admin,
  summary: "The sandboxes of partners, and the last of those that have ended; the newest first",
  query: z.object(sandboxList),
  answers: { 200: z.strictObject({ sandboxes: z.array(Sandbox).describe("The sandboxes, each of one partner.") }) },
  run: async () => ({ sandboxes: await sandboxes() }),
});

export const getSandbox = route("get /api/admin/sandboxes/:sandbox_id", {
  for: admin,
  summary: "A sandbox; it moves while somebody asks for it",
  params: SandboxParams,
  answers: { 200: Sandbox },
  errors: [SandboxNotFound],
  run: async ({ params, by }) => {
    const found = await shown(params.sandbox_id);
    if (found.state === "ENDED") return found;
    await noteSandboxUse(found.sandbox_id);
    const { openIn: _, workflow: name, ...start } = fromRow(found.sandbox_id, by);
    if (found.state === "RESTING")
      tellFromRows<typeof workflow.sandbox>(name, start, { warehouseId: found.warehouse_id });
    return found;
  },
});

export const beginSandbox = route("post /api/admin/sandboxes", {
  for: admin,
  byPersonOnly: true,
  summary: "Begins a sandbox for a partner; this answer is the only one that shows the token to poll it with",
  body: NewSandbox,
  answers: {
    201: z.strictObject({
      sandbox: Sandbox,
      token: AnyText("9Zf3…").describe("Polls the events of its warehouse; shown here and never again."),
    }),
  },
  errors: [UnknownConnector, SandboxThere, TooManySandboxes, WorkflowEngineUnavailable],
  run: async ({ body, by, res, options }) => {
    const id = await takeSandboxId();
    const begun = await sessions.invalidateAfter(
      startWithUpdate<typeof workflow.sandbox, typeof workflow.created>(
        { by, res },
        "sandbox",
        sandboxWorkflowId(id),
        { args: [id, by, body], staticSummary: `Sandbox ${id} of ${body.connector_id}` },
        "created",
        [],
      ),
    );
    // A repeated request began it before.
    const { sandbox_id } = begun;
    res.setHeader("X-Service-Workflow-Id", sandboxWorkflowId(sandbox_id));
    const token = await tokenOf(begun, partOf(by, "token"), options);
    return { sandbox: await shown(sandbox_id), token };
  },
});

/** A token for the events of the warehouse, all of them and no others. */
async function tokenOf(
  {
    warehouse_id,
    warehouse_code,
    connector_id,
  }: { warehouse_id: number; warehouse_code: string; connector_id: string | null },
  by: Actor,
  options: AppOptions,
): Promise<string> {
  const token = NewToken.parse({
    ...{ token_name: warehouse_code, warehouse_ids: [warehouse_id], connector_id },
    ...{ event_types: eventTypes, endpoints: [...outboundSlugs] },
  });
  const { sealed } = await issueToken(token, newSecret(newToken(), options, by), by);
  return unseal(sealed, answerOwner(by.commandId), options);
}

export const setSandboxPace = route("put /api/admin/sandboxes/:sandbox_id", {
  for: admin,
  summary: "Sets how fast a sandbox moves while somebody looks",
  params: SandboxParams,
  body: SandboxPace,
  answers: { 200: Sandbox },
  errors: [SandboxNotFound, SandboxEnded, WorkflowEngineUnavailable],
  run: async ({ params: { sandbox_id }, body: { pace_seconds }, by, res }) => {
    await runUpdate<typeof workflow.sandbox, typeof workflow.pace>(
      { by, res },
      fromRow(sandbox_id, by),
      "pace",
      [pace_seconds, by],
      () => setPace(sandbox_id, pace_seconds, by),
    );
    return shown(sandbox_id);
  },
});

export const stepSandbox = route("post /api/admin/sandboxes/:sandbox_id/step", {
  for: admin,
  summary: "Has one thing happen in a sandbox at once: an order, a short pick, a cancellation, a return or a receipt",
  params: SandboxParams,
  body: SandboxScenario,
  answers: { 200: SandboxStep },
  errors: [SandboxNotFound, SandboxEnded, SandboxFull, WorkflowEngineUnavailable],
  run: ({ params: { sandbox_id }, body: { scenario }, by, res }) =>
    runUpdate<typeof workflow.sandbox, typeof workflow.step>(
      { by, res },
      fromRow(sandbox_id, by),
      "step",
      [scenario, by],
      async () => (await asBefore<{ step: SandboxDone }>({ by, res }, sandbox_id)).step,
    ),
});

export const endSandbox = route("delete /api/admin/sandboxes/:sandbox_id", {
  for: admin,
  summary: "Ends a sandbox, and removes its warehouse with all that is in it",
  params: SandboxParams,
  answers: { 200: Sandbox },
  errors: [SandboxNotFound, SandboxEnded, WorkflowEngineUnavailable],
  run: async ({ params: { sandbox_id }, by, res }) => {
    await sessions.invalidateAfter(
      runUpdate<typeof workflow.sandbox, typeof workflow.end>({ by, res }, fromRow(sandbox_id, by), "end", [by], () =>
        asBefore({ by, res }, sandbox_id),
      ),
    );
    return shown(sandbox_id);
  },
});

/** What the same request was answered before the sandbox ended; where there is none, that it has ended. */
async function asBefore<T>({ by }: WorkflowCall, sandboxId: number): Promise<T> {
  const before = await recorded(by);
  if (before) return before.answer as T;
  if (!(await sandbox(sandboxId))) throw SandboxNotFound();
  throw SandboxEnded();
}
