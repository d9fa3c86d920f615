import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { AnyText, Id, QueryInt } from "../platform/fields.js";
import { wholeList } from "../platform/list.js";
import { scenarios } from "./workflow.js";

/** Sandboxes of partners: docs/sandbox.md. */

const Pace = z
  .int()
  .min(1)
  .max(3600)
  .meta({ description: "Seconds from one thing that happens to the next, while somebody looks.", examples: [5] });

export const Sandbox = z
  .strictObject({
    sandbox_id: Id.describe("Id of the sandbox, by which routes name it."),
    connector_id: field.Connector.nullable().describe("The partner that it is for; null where that one is deleted."),
    warehouse_id: field.WarehouseId.describe("Its warehouse, which is gone once it has ended."),
    warehouse_code: field.WarehouseCode,
    pace_seconds: Pace,
    state: z
      .enum(["FILLING", "MOVING", "RESTING", "FULL", "ENDED"])
      .describe("`RESTING` while nobody looks, steps or polls; `FULL` once it has had all its orders."),
    orders: z.int().meta({ description: "Orders that it has had, with returns.", examples: [12] }),
    moves: z.int().meta({ description: "How often something was done in it.", examples: [87] }),
    last_move: AnyText("SANDBOX-1-9F21C0AB is shipped").nullable().describe("What was done last."),
    made_by: AnyText("ann").describe("Who had it made."),
    made_at: field.CreatedAt,
    used_at: field.UpdatedAt.describe("When somebody last looked at it, moved it, or used its token."),
    ends_at: field.ExpiresAt.nullable().describe("When it ends by itself, if nobody uses it until then."),
    ended_at: field.ExpiresAt.nullable().describe("When it ended; null while it goes on."),
    ended_by: AnyText("ann").nullable().describe("Who ended it; `system` where nobody had used it."),
  })
  .meta({ id: "Sandbox", description: "A warehouse in which a partner tries things: orders in it are simulated." });
export type Sandbox = z.infer<typeof Sandbox>;

/** What a partner sees of it: nothing of the people of the house. */
export const PartnerSandbox = Sandbox.omit({ made_by: true, ended_by: true }).meta({
  id: "PartnerSandbox",
  description: "A partner's sandbox, as the partner sees it.",
});

export const sandboxList = wholeList(Sandbox);

export const NewSandbox = z.strictObject({ connector_id: field.Connector, pace_seconds: Pace.default(5) });

export const SandboxPace = z.strictObject({ pace_seconds: Pace });

export const SandboxParams = z.strictObject({ sandbox_id: QueryInt.describe("Id of the sandbox.") });

export const SandboxScenario = z
  .strictObject({ scenario: z.enum(scenarios).describe("What is to happen, from its beginning to its end.") })
  .meta({ id: "SandboxScenario", description: "What is to happen in a sandbox." });

export const SandboxStep = z
  .strictObject({
    scenario: z.enum(scenarios).describe("What happened."),
    number: AnyText("SANDBOX-1-9F21C0AB").describe("The number of the order that was made for it."),
    done: z.array(AnyText("SANDBOX-1-9F21C0AB is shipped")).describe("What was done, in order."),
  })
  .meta({ id: "SandboxStep", description: "What happened in a sandbox." });
