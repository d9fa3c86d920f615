import type { Request, RequestHandler, Response } from "express";
import { forbidden } from "../src/inbound/problems.js";
import { DomainError } from "../src/problem.js";
import {
  CrossDirection,
  InboundBodyTooLarge,
  RateLimited,
  ResourceNotAllowed,
} from "../src/tokens/problems.js";
import type { InboundResource } from "../src/tokens/scope.js";
import type { Token } from "../src/tokens/token.js";
import type { AppOptions } from "./handle.js";
import { bodyReader } from "./json-body.js";
import { tokenOf } from "./token-door.js";
import { tokenLimiter } from "./token-limit.js";
import { validationError } from "./validation.js";

/** The way in for systems that push records: what is the same for all of `/api/v1/inbound/`. */

const INBOUND = /^\/api\/v1\/inbound\//i;

/** Says on every answer, refusals and unknown paths too, that the canonical model is a draft (spec 9). */
export const asInbound: RequestHandler = (req, res, next) => {
  if (INBOUND.test(req.path))
    res.setHeader("X-Service-Canonical-Model", "DRAFT-v1");
  next();
};

/** The door reads the body itself, behind the token. */
export const unlessInbound =
  (handler: RequestHandler): RequestHandler =>
  (req, res, next) =>
    INBOUND.test(req.path) ? next() : handler(req, res, next);

/** Lets in whose token may push the resource, or throws. */
export type InboundDoor = (
  req: Request,
  res: Response,
  resource: InboundResource,
) => Promise<Token>;

/** Reference 04 §5.1, steps 1 to 3 in their order: the token and its scope, how often, how much. */
export function inboundDoor(options: AppOptions): InboundDoor {
  const limit = tokenLimiter(
    "inbound",
    options.inboundRateLimitPerMinute,
    RateLimited,
  );
  const max_body_kb = options.inboundMaxBodyKb;
  const readBody = bodyReader({
    limit: max_body_kb * 1024,
    tooLarge: () => InboundBodyTooLarge({ max_body_kb }, { max_body_kb }),
    unreadable: () =>
      validationError([
        {
          type: "json_invalid",
          loc: [],
          msg: "The body is no JSON, or nested too deep",
        },
      ]),
  });
  return async (req, res, resource) => {
    const token = await tokenOf(req, options.tokenPepper);
    if (token.source_system === null || token.inbound_resources.length === 0)
      throw forbidden(CrossDirection);
    if (!token.inbound_resources.includes(resource))
      throw forbidden(ResourceNotAllowed);
    await limit(token.token_id, res);
    await new Promise<void>((read, refuse) =>
      readBody(req, res, (error) => (error ? refuse(error) : read())),
    );
    return token;
  };
}

/** Inbound senders read a validation error as 422, with its kind (reference 04 §5.2). */
export function inboundRefusal(error: unknown): unknown {
  if (!(error instanceof DomainError) || error.kind !== "validation_error")
    return error;
  const { details } = error.body;
  return new DomainError("validation_error", 422, {
    error_kind: "validation_error",
    details,
  });
}
