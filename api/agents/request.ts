import { z } from "zod";
import { ArgumentsInvalid } from "../../src/agents/problems.js";
import type { CallArguments } from "../../src/agents/workflow.js";
import { digestOf, IdempotencyKey } from "../http/idempotency.js";
import type { InsideRequest } from "../http/inside.js";
import type { Route } from "../http/route.js";

const Scalar = z.union([z.string(), z.number(), z.boolean()]);

/** What a tool is called with. Each part is checked as that of any other request, by the operation's own schemas. */
const Arguments = z.strictObject({
  path: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  query: z.record(z.string(), Scalar).optional(),
  body: z.unknown().optional(),
  idempotency_key: IdempotencyKey.max(200).optional(),
});
export type ToolArguments = z.infer<typeof Arguments>;

/** The arguments of a tool; throws what is wrong with them. */
export function readArguments(given: unknown): ToolArguments {
  const read = Arguments.safeParse(given ?? {});
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw ArgumentsInvalid({ what: `${issue?.path.join(".") || "arguments"}: ${issue?.message}` });
}

/** The request of an operation with these arguments. */
export function requestOf({ method, path: declared, body }: Route, given: CallArguments): InsideRequest {
  const path = declared.replace(/:(\w+)/g, (_, name: string) => {
    const value = given.path?.[name];
    if (value === undefined || value === "") throw ArgumentsInvalid({ what: `path.${name} is missing` });
    return encodeURIComponent(value);
  });
  const query = Object.entries(given.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]);
  const search = query.length > 0 ? `?${new URLSearchParams(query)}` : "";
  return { method, path: path + search, ...(body && { body: given.body ?? {} }) };
}

/** Tells whether two calls are the same. */
export const hashOf = (operation: string, request: CallArguments): string => digestOf([operation, request]);

/** The key of a call that names none: the same call again is the same request. */
export const keyOf = (hash: string): string => `agent-${hash}`;

/** A UUID that is made of user and key (version 8, of the maker's own content). */
export function uuidOf(userId: number, key: string): string {
  const hex = digestOf([userId, key]);
  const variant = ((Number.parseInt(hex[16] as string, 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
