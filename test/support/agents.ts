import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Caller } from "./caller.js";
import { until } from "./until.js";

export const APPROVALS = "/api/admin/agent-approvals";

// biome-ignore lint/suspicious/noExplicitAny: a test reads what came, whatever it is
type Json = any;

export interface ToolResult {
  isError: boolean;
  answer: Json;
  /** All that is told beside the answer. */
  text: string;
}

/** An agent that works for somebody, by the client of the protocol's own SDK. */
export interface Agent {
  client: Client;
  tools(): Promise<string[]>;
  call(name: string, args?: Record<string, unknown>): Promise<ToolResult>;
  /** The answer of a call that must not be refused. */
  ok(name: string, args?: Record<string, unknown>): Promise<Json>;
  close(): Promise<void>;
}

type Era = "auto" | "legacy";

export async function agentOf({ url, headers }: Caller, era: Era = "auto", name = "test-agent"): Promise<Agent> {
  const client = new Client({ name, version: "1.2.0" }, { versionNegotiation: { mode: era } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  const call = async (tool: string, args: Record<string, unknown> = {}): Promise<ToolResult> => {
    const { isError = false, structuredContent, content } = await client.callTool({ name: tool, arguments: args });
    const text = (content as { text?: string }[]).map((part) => part.text ?? "").join("\n");
    return { isError: Boolean(isError), answer: structuredContent, text };
  };
  return {
    client,
    call,
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    ok: async (tool, args) => {
      const { isError, answer, text } = await call(tool, args);
      if (isError) throw new Error(`${tool} was refused: ${text}`);
      return answer;
    },
    close: () => client.close(),
  };
}

/** Waits until an approval has ended. */
export async function ended(by: Caller, approval_id: number, withinMs?: number): Promise<Json> {
  let approval: Json;
  await until(async () => {
    approval = await by.ok("GET", `${APPROVALS}/${approval_id}`);
    return approval.ended_at !== null;
  }, withinMs);
  return approval;
}
