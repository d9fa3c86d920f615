import { z } from "zod";
import type { PartnerLink } from "../../src/partners/shapes.js";
import { AnyText } from "../../src/platform/fields.js";
import { WorkflowEngineUnavailable } from "../../src/platform/problem.js";
import {
  SandboxEnded,
  SandboxFull,
  SandboxNotFound,
  SandboxThere,
  TooManySandboxes,
} from "../../src/sandboxes/problems.js";
import { sandboxOf } from "../../src/sandboxes/queries.js";
import { NewSandbox, PartnerSandbox, type Sandbox, SandboxScenario, SandboxStep } from "../../src/sandboxes/shapes.js";
import { partner, route } from "../http/route.js";
import { begin, end, lookedAt, step } from "./process.js";

/** The sandbox of a partner's own page: docs/sandbox.md. It is that of the link's connector, and no other. */

/** Without the people of the house. */
const told = ({ made_by: _, ended_by: __, ...rest }: Sandbox) => rest;

async function own({ connector_id }: PartnerLink): Promise<Sandbox> {
  const found = await sandboxOf(connector_id);
  if (!found) throw SandboxNotFound();
  return found;
}

export const getPartnerSandbox = route("get /api/partner/sandbox", {
  for: partner,
  summary: "The partner's sandbox, or its last one, which moves while somebody asks for it; null where none was",
  answers: {
    200: z.strictObject({ sandbox: PartnerSandbox.nullable().describe("The sandbox; null where there is none.") }),
  },
  run: async ({ link, by }) => {
    const found = await sandboxOf(link.connector_id);
    return { sandbox: found ? told(await lookedAt(found, by)) : null };
  },
});

export const beginPartnerSandbox = route("post /api/partner/sandbox", {
  for: partner,
  summary: "Begins the partner's sandbox; this answer is the only one that shows the token to poll it with",
  body: NewSandbox.pick({ pace_seconds: true }),
  answers: {
    201: z.strictObject({
      sandbox: PartnerSandbox,
      token: AnyText("9Zf3…").describe("Polls the events of its warehouse; shown here and never again."),
    }),
  },
  errors: [SandboxThere, TooManySandboxes, WorkflowEngineUnavailable],
  run: async ({ link, body, by, res, options }) => {
    const begun = await begin({ connector_id: link.connector_id, ...body }, { by, res }, options);
    return { ...begun, sandbox: told(begun.sandbox) };
  },
});

export const stepPartnerSandbox = route("post /api/partner/sandbox/step", {
  for: partner,
  summary: "Has one thing happen in the partner's sandbox at once",
  body: SandboxScenario,
  answers: { 200: SandboxStep },
  errors: [SandboxNotFound, SandboxEnded, SandboxFull, WorkflowEngineUnavailable],
  run: async ({ link, body, by, res }) => step((await own(link)).sandbox_id, body.scenario, { by, res }),
});

export const endPartnerSandbox = route("delete /api/partner/sandbox", {
  for: partner,
  summary: "Ends the partner's sandbox, and removes its warehouse with all that is in it",
  answers: { 200: PartnerSandbox },
  errors: [SandboxNotFound, SandboxEnded, WorkflowEngineUnavailable],
  run: async ({ link, by, res }) => told(await end((await own(link)).sandbox_id, { by, res })),
});
