import { z } from "zod";
import { ArgumentsInvalid, ToolNotFound } from "../../src/agents/problems.js";
import { agentWrites } from "../../src/agents/queries.js";
import type { SessionUser } from "../../src/auth/queries.js";
import { db } from "../../src/platform/db/db.js";
import { type AgentCaller, callOperation, type ToolAnswer } from "./call.js";
import { annotationsOf, effectOf, found, isMostUsed, type Operation, operationsFor, toolOf } from "./operations.js";
import { readArguments } from "./request.js";

/** The tools of an agent: the most used operations, and three by which it finds and calls all others. */

const Search = z.strictObject({
  query: z.string().max(200).optional().describe("Words of what it does, such as `cancel order`."),
  area: z.string().max(100).optional().describe("One of `areas` in the answer, such as `Receiving`."),
});

const operationCall = (what: string) => ({
  type: "object" as const,
  properties: {
    operation: { type: "string", description: `Name of the operation, which ${what}.` },
    path: { type: "object", description: "The values in its path." },
    query: { type: "object", description: "The parameters of its query." },
    body: { description: "Its body." },
    idempotency_key: { type: "string", description: "As the tools of their own have it." },
  },
  required: ["operation"],
});

const FIND = {
  name: "find_operations",
  description:
    "Finds operations of the warehouse by words or area, with the schema of their arguments; read_operation and " +
    "write_operation call them.",
  inputSchema: { ...z.toJSONSchema(Search), type: "object" as const },
  annotations: annotationsOf("reads"),
};
const READ = {
  name: "read_operation",
  description: "Calls an operation that only reads, with arguments as find_operations tells them.",
  inputSchema: operationCall("only reads"),
  annotations: annotationsOf("reads"),
};
const WRITE = {
  name: "write_operation",
  description: "Calls an operation that writes or destroys, with arguments as find_operations tells them.",
  inputSchema: operationCall("writes or destroys"),
  annotations: annotationsOf("destroys"),
};

const mayWrite = async () => (await agentWrites(db)) !== "never";

/** The tools of a user's agent. */
export async function toolsFor(routes: Operation[], user: SessionUser) {
  const writes = await mayWrite();
  const own = operationsFor(routes, user, writes).filter(isMostUsed).map(toolOf);
  return [FIND, READ, ...(writes ? [WRITE] : []), ...own];
}

/** Calls a tool; throws its refusal. */
export async function callTool(
  routes: Operation[],
  name: string,
  given: Record<string, unknown>,
  caller: AgentCaller,
): Promise<ToolAnswer> {
  if (name === FIND.name) return find(routes, given, caller.res.locals.session as SessionUser);
  const isGeneral = name === READ.name || name === WRITE.name;
  const { operation, ...others } = given;
  const wanted = isGeneral ? operation : name;
  const route = routes.find(({ operationId }) => operationId === wanted);
  if (!route) throw ToolNotFound({ name: String(wanted).slice(0, 100) });
  if (isGeneral && (effectOf(route) === "reads") !== (name === READ.name))
    throw ArgumentsInvalid({
      what: `${route.operationId} is called by ${name === READ.name ? WRITE.name : READ.name}`,
    });
  return callOperation(route, readArguments(isGeneral ? others : given), caller);
}

async function find(routes: Operation[], given: unknown, user: SessionUser): Promise<ToolAnswer> {
  const { data, error } = Search.safeParse(given);
  if (!data) throw ArgumentsInvalid({ what: error.issues[0]?.message ?? "query or area" });
  return { answer: found(operationsFor(routes, user, await mayWrite()), data.query, data.area) };
}
