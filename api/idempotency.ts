import { createHmac, randomUUID } from "node:crypto";
import type { Request, Response } from "express";
import { z } from "zod";
import type { Actor } from "../src/actor.js";
import { recorded } from "../src/commands.js";
import { KeyReuse } from "../src/problem.js";
import { type Route, takesToken } from "./route.js";
import { validate } from "./validation.js";

/** `Idempotency-Key` over HTTP (design rule 3); `activities/command.ts` keeps the promise. */

export const IdempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[ -~]*$/, "Only printable ASCII characters are allowed");
const Header = z.object({ "Idempotency-Key": IdempotencyKey });

/**
 * Whether a key means something to the route: it changes something, on behalf of a user. What is pushed names its version, and
 * what is acknowledged its place.
 */
export const takesKey = (route: Route): boolean =>
  route.method !== "get" &&
  route.for.kind !== "open" &&
  !takesToken(route) &&
  !route.changesNothing;

/** Which command a request asks for: that of its key, within the user, else one of its own. */
export function commandOf(
  route: Route,
  req: Request,
  userId: number,
  secret: string,
): Pick<Actor, "commandId" | "keyed"> {
  const key = req.get("idempotency-key");
  if (key === undefined || !takesKey(route)) return { commandId: randomUUID() };
  validate(Header, { "Idempotency-Key": key });
  return {
    commandId: `${userId}:${key}`,
    keyed: {
      requestHash: requestHash(route, req, secret),
      attemptId: randomUUID(),
    },
  };
}

/** Two requests are the same when route, path, query and body are. Keyed, because a body may hold a password. */
function requestHash(
  { method, path }: Route,
  { params, query, body }: Request,
  secret: string,
): string {
  const request = [method, path, params, query, body ?? {}];
  return createHmac("sha256", secret)
    .update(JSON.stringify(request, inOrder))
    .digest("hex");
}

/** For JSON.stringify: the order of an object's fields says nothing. */
const inOrder = (_name: string, value: unknown) =>
  value && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(
        Object.keys(value)
          .sort()
          .map((key) => [key, (value as Record<string, unknown>)[key]]),
      )
    : value;

/** Runs a request under its key, if it has one: refused when the key stands for another request, marked when it is a repeat. */
export async function underKey<T>(
  by: Actor,
  res: Response,
  run: () => T | Promise<T>,
): Promise<T> {
  if (!by.keyed) return run();
  const known = await isRepeat(by);
  const answer = await run();
  // A twin may have been faster since.
  if (known || (await isRepeat(by)))
    res.setHeader("X-Idempotent-Replay", "true");
  return answer;
}

async function isRepeat(by: Actor): Promise<boolean> {
  const first = await recorded(by);
  if (first && first.request_hash !== by.keyed?.requestHash) throw KeyReuse();
  return first?.by_another === true;
}
