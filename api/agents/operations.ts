import { z } from "zod";
import { MCP_PATH } from "../../src/auth/oauth/audience.js";
import type { SessionUser } from "../../src/auth/queries.js";
import { mayCall } from "../auth/authenticate.js";
import { takesKey } from "../http/idempotency.js";
import { type Route, takesToken } from "../http/route.js";

/** Which operations agents may call, and what they are told of them: all of it comes from the declarations. */

/** A route with its name, and its area as people call it. */
export type Operation = Route & { operationId: string; tag: string };

/**
 * The areas in which agents write: the work of the warehouse. Who may sign in, what reaches out of the house, settings
 * and approvals are for people.
 */
const WRITTEN: ReadonlySet<string> = new Set([
  ...["Master data", "Purchasing", "Receiving", "Put-away", "Stock", "Counting", "Sales orders"],
  ...["Picking", "Packing", "Shipping", "Transfer orders", "Reports"],
]);

/** What an operation does, as agents and policies see it. */
export type Effect = "reads" | "writes" | "destroys";

export function effectOf(route: Route): Effect {
  if (!takesKey(route)) return "reads";
  return route.method === "delete" || route.destructive ? "destroys" : "writes";
}

/** Whether agents may call it at all: for a user, with an answer that is JSON. */
export function isForAgents(route: Operation): boolean {
  if (route.for.kind === "open" || takesToken(route) || route.files || route.mediaType) return false;
  if (route.path === MCP_PATH) return false;
  if (effectOf(route) === "reads") return route.method === "get" || WRITTEN.has(route.tag);
  return WRITTEN.has(route.tag);
}

/** Those that this user may call. */
export const operationsFor = (routes: Operation[], user: SessionUser, mayWrite: boolean): Operation[] =>
  routes.filter((route) => isForAgents(route) && mayCall(route, user) && (mayWrite || effectOf(route) === "reads"));

/**
 * The operations that are tools of their own: the way of goods from receipt to shipment, and what one looks up on it.
 * All others are found by `find_operations`: hundreds of tools would fill an agent's context before it begins.
 */
const MOST_USED = new Set([
  ...["searchEverything", "getInbox", "listOwnWarehouses", "getAgentApproval"],
  ...["listItems", "getItem", "lookUpItem", "listBins", "lookUpBin", "listInventory"],
  ...["listPurchaseOrders", "getPurchaseOrder", "createPurchaseOrder", "receiveItems"],
  ...["listPendingPutAway", "suggestPutAwayBin", "confirmPutAway", "moveStock", "adjustStock"],
  ...["listSalesOrders", "getSalesOrder", "getWhySalesOrder", "createSalesOrder"],
  ...["createPickWave", "getPickBatch", "getNextPickTask", "confirmPick", "completePickBatch"],
  ...["getOrderToPack", "verifyPackedItem", "completePacking", "getOrderToShip", "shipSalesOrder", "listShipments"],
]);
export const isMostUsed = ({ operationId }: Operation): boolean => MOST_USED.has(operationId);

const Key = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[ -~]*$/)
  .optional()
  .describe(
    "Names this call: with the same key it happens once, however often it is sent. Without one it is made from the " +
      "arguments, so the same call again changes nothing; to do the same thing twice, give another key.",
  );

const schemas = new Map<string, Record<string, unknown>>();

/** The JSON Schema of the arguments: `path`, `query` and `body`, as far as the operation has them. */
function argumentsOf(route: Operation): Record<string, unknown> {
  const known = schemas.get(route.operationId);
  if (known) return known;
  const { params, query, body } = route;
  const parts = {
    ...(params && { path: params }),
    ...(query && { query: isOptional(query) ? query.optional() : query }),
    ...(body && { body }),
    ...(effectOf(route) !== "reads" && { idempotency_key: Key }),
  };
  const { $schema, ...schema } = z.toJSONSchema(z.strictObject(parts), { io: "input", unrepresentable: "any" });
  schemas.set(route.operationId, schema);
  return schema;
}

const isOptional = (schema: z.ZodType) => schema.safeParse({}).success;

/** The operation as a tool of its own. */
export const toolOf = (route: Operation) => ({
  name: route.operationId,
  description: `${route.summary}. Area: ${route.tag}.`,
  inputSchema: { ...argumentsOf(route), type: "object" as const },
  annotations: annotationsOf(effectOf(route)),
});

/** What clients show of a tool before they call it. All writes run under a key, so once. */
export const annotationsOf = (effect: Effect) => ({
  readOnlyHint: effect === "reads",
  destructiveHint: effect === "destroys",
  idempotentHint: true,
  openWorldHint: false,
});

/** The most operations that one search answers, each with its schema. */
const MOST_FOUND = 10;

/** Operations by words of their names, summaries and areas, the best first. */
export function found(operations: Operation[], query = "", area?: string) {
  const words = query.toLowerCase().split(/\W+/).filter(Boolean);
  const hits = operations
    .filter(({ tag }) => !area || tag.toLowerCase() === area.toLowerCase())
    .map((route) => {
      const text = `${route.operationId} ${route.summary} ${route.tag}`.toLowerCase();
      return { route, score: words.filter((word) => text.includes(word)).length };
    })
    .filter(({ score }) => words.length === 0 || score > 0)
    .sort((a, b) => b.score - a.score);
  const shown = hits.slice(0, MOST_FOUND).map(({ route }) => ({
    operation: route.operationId,
    area: route.tag,
    does: route.summary,
    effect: effectOf(route),
    arguments: argumentsOf(route),
  }));
  // Of all others the names, by which they can be asked for.
  const others = hits.slice(MOST_FOUND).map(({ route }) => route.operationId);
  return { operations: shown, others, areas: [...new Set(operations.map(({ tag }) => tag))] };
}
