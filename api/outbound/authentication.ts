import type { Request, Response } from "express";
import {
  EndpointNotAllowed,
  OutboundCrossDirection,
  OutboundRateLimited,
  OutboundWrongDirection,
} from "../../src/auth/tokens/problems.js";
import { allowsEndpoint, type OutboundSlug, outboundSlugs } from "../../src/auth/tokens/scope.js";
import { isOfStation, type Token } from "../../src/auth/tokens/token.js";
import { tokenOf } from "../auth/token-authentication.js";
import type { AddressLimit } from "../http/address-limit.js";
import type { AppOptions } from "../http/options.js";
import { sharedLimit } from "../http/shared-limit.js";

/**
 * The way in for programs that take events and snapshots out. Lets in whose token was issued for the endpoint, or
 * throws.
 */
export type AuthenticateOutbound = (req: Request, res: Response, slug: OutboundSlug) => Promise<Token>;

/**
 * Checks the kind of token, direction, endpoint, in this order (docs/interface.md, Tokens), then the limit of the
 * endpoint.
 */
export function outboundAuthentication(options: AppOptions, addresses: AddressLimit): AuthenticateOutbound {
  const limiter = (counted: string, perMinute: number) => sharedLimit(counted, perMinute, OutboundRateLimited);
  const limits = new Map(outboundSlugs.map((slug) => [slug, limiter(slug, options.pollRateLimitPerMinute)]));
  const scans = limiter("snapshot begin", options.snapshotRateLimitPerMinute);
  return async (req, res, slug) => {
    const token = await tokenOf(req, res, options.tokenPepper, addresses);
    if (isOfStation(token)) throw OutboundWrongDirection();
    if (token.inbound_resources.length > 0 && token.event_types.length === 0) throw OutboundCrossDirection();
    if (!allowsEndpoint(token.endpoints, slug)) throw EndpointNotAllowed();
    const begins = slug === "snapshot.inventory" && req.method !== "DELETE" && req.query.cursor === undefined;
    await (begins ? scans : limits.get(slug))?.take(String(token.token_id));
    return token;
  };
}
