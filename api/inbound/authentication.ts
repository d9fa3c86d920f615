import type { Request, RequestHandler, Response } from "express";
import { CrossDirection, RateLimited, ResourceNotAllowed } from "../../src/auth/tokens/problems.js";
import type { InboundResource } from "../../src/auth/tokens/scope.js";
import type { Token } from "../../src/auth/tokens/token.js";
import { forbidden } from "../../src/inbound/problems.js";
import { DomainError } from "../../src/problem.js";
import { tokenOf } from "../auth/token-authentication.js";
import type { AddressLimit } from "../http/address-limit.js";
import type { AppOptions } from "../http/options.js";
import { sharedLimit } from "../http/shared-limit.js";

/** The way in for systems that push records: what is the same for all of `/api/v1/inbound/`. */

export const isInbound = (path: string): boolean => /^\/api\/v1\/inbound\//i.test(path);

/** Says on every answer, refusals and unknown paths too, that the canonical model is a draft (spec 9). */
export const asInbound: RequestHandler = (req, res, next) => {
  if (isInbound(req.path)) res.setHeader("X-Service-Canonical-Model", "DRAFT-v1");
  next();
};

/** Lets in whose token may push the resource, or throws. */
export type AuthenticateInbound = (req: Request, res: Response, resource: InboundResource) => Promise<Token>;

/** Reference 04 §5.1, steps 1 and 2 in their order: the token and its scope, how often. */
export function inboundAuthentication(options: AppOptions, addresses: AddressLimit): AuthenticateInbound {
  const limit = sharedLimit("inbound", options.inboundRateLimitPerMinute, RateLimited);
  return async (req, res, resource) => {
    const token = await tokenOf(req, res, options.tokenPepper, addresses);
    if (token.source_system === null || token.inbound_resources.length === 0) throw forbidden(CrossDirection);
    if (!token.inbound_resources.includes(resource)) throw forbidden(ResourceNotAllowed);
    await limit.take(String(token.token_id));
    return token;
  };
}

/** Inbound senders read a validation error as 422, with its kind (reference 04 §5.2). */
export function inboundRefusal(error: unknown): unknown {
  if (!(error instanceof DomainError) || error.kind !== "validation_error") return error;
  const { details } = error.body;
  return new DomainError("validation_error", 422, {
    error_kind: "validation_error",
    details,
  });
}
