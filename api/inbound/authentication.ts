import type { Request, RequestHandler, Response } from "express";
import {
  CrossDirection,
  InboundWrongDirection,
  RateLimited,
  ResourceNotAllowed,
} from "../../src/auth/tokens/problems.js";
import type { InboundResource } from "../../src/auth/tokens/scope.js";
import { isOfStation, type Token } from "../../src/auth/tokens/token.js";
import { forbidden } from "../../src/inbound/problems.js";
import { DomainError } from "../../src/platform/problem.js";
import { isDispatch } from "../auth/dispatch-authentication.js";
import { tokenOf } from "../auth/token-authentication.js";
import type { AddressLimit } from "../http/address-limit.js";
import type { AppOptions } from "../http/options.js";
import { sharedLimit } from "../http/shared-limit.js";

/** Authentication of systems that push records, for all routes under `/api/v1/inbound/`. */

export const isInbound = (path: string): boolean => /^\/api\/v1\/inbound\//i.test(path);

/**
 * Adds the header that marks the canonical model as a draft to every answer, also of unknown paths (docs/interface.md,
 * Versions; for stations and tills docs/interface.md, Rights).
 */
export const canonicalModelHeader: RequestHandler = (req, res, next) => {
  if (isInbound(req.path) || isDispatch(req.path)) res.setHeader("X-Service-Canonical-Model", "DRAFT-v1");
  next();
};

/** The token of the request, which may push the resource; throws otherwise. */
export type AuthenticateInbound = (req: Request, res: Response, resource: InboundResource) => Promise<Token>;

/** Checks the token, then its scope, then the rate limit. */
export function inboundAuthentication(options: AppOptions, addresses: AddressLimit): AuthenticateInbound {
  const limit = sharedLimit("inbound", options.inboundRateLimitPerMinute, RateLimited);
  return async (req, res, resource) => {
    const token = await tokenOf(req, res, options.tokenPepper, addresses);
    if (isOfStation(token)) throw forbidden(InboundWrongDirection);
    if (token.source_system === null || token.inbound_resources.length === 0) throw forbidden(CrossDirection);
    if (!token.inbound_resources.includes(resource)) throw forbidden(ResourceNotAllowed);
    await limit.take(String(token.token_id));
    return token;
  };
}

/** On inbound routes a validation error is a 422 with `error_kind` (docs/interface.md, Inbound). */
export function inboundRefusal(error: unknown): unknown {
  if (!(error instanceof DomainError) || error.kind !== "validation_error") return error;
  const { details } = error.body;
  return new DomainError("validation_error", 422, { error_kind: "validation_error", details });
}
