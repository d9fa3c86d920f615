import { createHash, createHmac, randomUUID } from "node:crypto";
import type { Request, Response } from "express";
import { z } from "zod";
import type { Actor } from "../../src/platform/actor.js";
import { recorded } from "../../src/platform/db/command-log.js";
import { KeyReuse } from "../../src/platform/problem.js";
import { type Route, takesToken } from "./route.js";
import { validate } from "./validation.js";

/** `Idempotency-Key` over HTTP (docs/house.md); `activities/command.ts` implements it. */

export const IdempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[ -~]*$/, "Only printable ASCII characters are allowed");
const Header = z.object({ "Idempotency-Key": IdempotencyKey });

/**
 * Whether the route takes a key: it changes something, on behalf of a user or a partner. Routes for integration tokens
 * need none: a push has a version and an acknowledgement a cursor, which make them idempotent.
 */
export const takesKey = (route: Route): boolean =>
  route.method !== "get" &&
  route.for.kind !== "open" &&
  (route.for.kind === "partner" || !takesToken(route)) &&
  !route.changesNothing;

/** The command id of a request: made from the caller and the key, or a new one where it has no key. */
export function commandOf(
  route: Route,
  req: Request,
  caller: number | string,
  secret: string,
): Pick<Actor, "commandId" | "keyed"> {
  const key = req.get("idempotency-key");
  if (key === undefined || !takesKey(route)) return { commandId: randomUUID() };
  validate(Header, { "Idempotency-Key": key });
  return {
    commandId: `${caller}:${key}`,
    keyed: { requestHash: requestHash(route, req, secret), attemptId: randomUUID() },
  };
}

/**
 * Two requests are the same when route, path, query and body are. The hash is keyed, because a body may hold a
 * password.
 */
function requestHash({ method, path }: Route, { params, query, body }: Request, secret: string): string {
  const request = [method, path, params, query, body ?? {}];
  return createHmac("sha256", secret).update(JSON.stringify(request, inOrder)).digest("hex");
}

/** The hash of what tells requests apart, whatever the order of their fields. */
export const digestOf = (request: unknown): string =>
  createHash("sha256").update(JSON.stringify(request, inOrder)).digest("hex");

/** For JSON.stringify: sorts the fields of objects. */
const inOrder = (_name: string, value: unknown) =>
  value && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(
        Object.keys(value)
          .sort()
          .map((key) => [key, (value as Record<string, unknown>)[key]]),
      )
    : value;

/**
 * Runs a request under its key, if it has one. Refuses it when the key was used for another request, and marks the
 * response of a repeat.
 */
export async function underKey<T>(by: Actor, res: Response, run: () => T | Promise<T>): Promise<T> {
  if (!by.keyed) return run();
  const known = await isRepeat(by);
  const answer = await run();
  // The same request may have committed first, concurrently.
  if (known || (await isRepeat(by))) res.setHeader("X-Idempotent-Replay", "true");
  return answer;
}

async function isRepeat(by: Actor): Promise<boolean> {
  const first = await recorded(by);
  if (first && first.request_hash !== by.keyed?.requestHash) throw KeyReuse();
  return first?.by_another === true;
}
