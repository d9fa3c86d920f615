import { z } from "zod";
import { paceSandbox } from "../../activities/sandboxes/notes.js";
import { UnknownConnector } from "../../src/outbound/problems.js";
import { AnyText } from "../../src/platform/fields.js";
import { WorkflowEngineUnavailable } from "../../src/platform/problem.js";
import {
  SandboxEnded,
  SandboxFull,
  SandboxNotFound,
  SandboxThere,
  TooManySandboxes,
} from "../../src/sandboxes/problems.js";
import { sandboxes } from "../../src/sandboxes/queries.js";
import {
  NewSandbox,
  Sandbox,
  SandboxPace,
  SandboxParams,
  SandboxScenario,
  SandboxStep,
  sandboxList,
} from "../../src/sandboxes/shapes.js";
import type * as workflow from "../../workflows/sandbox.js";
import { admin, route } from "../http/route.js";
import { runUpdate } from "../http/workflow-updates.js";
import { begin, end, fromRow, lookedAt, shown, step } from "./process.js";

/** Sandboxes of partners: docs/sandbox.md. Each is a `sandbox` workflow until it ends. */

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
  run: async ({ params, by }) => lookedAt(await shown(params.sandbox_id), by),
});

export const beginSandbox = route("post /api/admin/sandboxes", {
  for: admin,
  byPersonOnly: true,
  stepUp: true,
  summary: "Begins a sandbox for a partner; this answer is the only one that shows the token to poll it with",
  body: NewSandbox,
  answers: {
    201: z.strictObject({
      sandbox: Sandbox,
      token: AnyText("9Zf3…").describe("Polls the events of its warehouse; shown here and never again."),
    }),
  },
  errors: [UnknownConnector, SandboxThere, TooManySandboxes, WorkflowEngineUnavailable],
  run: ({ body, by, res, options }) => begin(body, { by, res }, options),
});

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
      () => paceSandbox(sandbox_id, pace_seconds, by),
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
  run: ({ params, body, by, res }) => step(params.sandbox_id, body.scenario, { by, res }),
});

export const endSandbox = route("delete /api/admin/sandboxes/:sandbox_id", {
  for: admin,
  summary: "Ends a sandbox, and removes its warehouse with all that is in it",
  params: SandboxParams,
  answers: { 200: Sandbox },
  errors: [SandboxNotFound, SandboxEnded, WorkflowEngineUnavailable],
  run: ({ params, by, res }) => end(params.sandbox_id, { by, res }),
});
