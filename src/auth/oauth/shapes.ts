import { z } from "zod";
import { AnyText, Time } from "../../platform/fields.js";

/** What a program asks a person for, by OAuth's authorization request (docs/agents.md). */

const text = (most: number, example: string) =>
  z
    .string()
    .min(1)
    .max(most)
    .meta({ examples: [example] });

/** The parameters of RFC 6749, 4.1.1, RFC 7636 and RFC 8707: no code without a challenge of SHA-256. */
export const AccessQuery = z.strictObject({
  client_id: text(500, "agent_Yx3…").describe(
    "The id that the program has registered under, or the address at which it says what it is.",
  ),
  redirect_uri: text(500, "http://127.0.0.1:33418/callback").describe("Where the program waits for the answer."),
  response_type: z.literal("code").meta({ description: "`code`.", examples: ["code"] }),
  code_challenge: z
    .string()
    .regex(/^[\w-]{43}$/, "Expected SHA-256 in base64url")
    .meta({ description: "The program's challenge.", examples: ["E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"] }),
  code_challenge_method: z.literal("S256").meta({ description: "`S256`.", examples: ["S256"] }),
  state: text(1024, "af0ifjsldkj").optional().describe("What the program gets back as it was."),
  scope: z
    .string()
    .max(500)
    .optional()
    .meta({ description: "What it asks for.", examples: ["read write"] }),
  resource: text(500, "https://warehouse.example.com/mcp").optional().describe("Where it will use its token."),
});
export type AccessQuery = z.infer<typeof AccessQuery>;

export const AgentAccess = z
  .strictObject({
    client_name: AnyText("Claude").describe("The program, as it names itself; nobody has checked that."),
    client_site: AnyText("claude.ai")
      .nullable()
      .describe("The site that says so of the program, by HTTPS; null for one that has registered."),
    returns_to: AnyText("https://claude.ai").describe("The site that the answer goes to."),
    is_local: z.boolean().meta({ description: "Whether that is a program on one's own computer.", examples: [false] }),
    is_read_only: z.boolean().meta({ description: "Whether it asks to read alone.", examples: [false] }),
    functions: z
      .array(AnyText("pick"))
      .nullable()
      .describe("The functions of the floor that it asks for, and nothing else; null where it asks for all."),
    ends_at: Time.describe("Until when it is let in, at the latest."),
  })
  .meta({ id: "AgentAccess", description: "What a program asks a person for." });
export type AgentAccess = z.infer<typeof AgentAccess>;

export const AccessDecision = AccessQuery.extend({
  is_allowed: z.boolean().meta({ description: "Whether the program is let in.", examples: [true] }),
  is_read_only: z
    .boolean()
    .default(false)
    .meta({ description: "Lets it read alone, whatever it asks for.", examples: [true] }),
}).meta({ id: "AgentAccessDecision", description: "What a person says to a program that asks." });

export const AccessAnswer = z
  .strictObject({
    redirect_to: AnyText("http://127.0.0.1:33418/callback?code=…").describe("Where the browser goes with the answer."),
  })
  .meta({ id: "AgentAccessAnswer", description: "Where the program gets its answer." });
