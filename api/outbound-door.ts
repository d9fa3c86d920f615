import type { Request, Response } from "express";
import {
  EndpointNotAllowed,
  OutboundCrossDirection,
  OutboundRateLimited,
} from "../src/tokens/problems.js";
import { type OutboundSlug, outboundSlugs } from "../src/tokens/scope.js";
import type { Token } from "../src/tokens/token.js";
import type { AppOptions } from "./handle.js";
import { tokenOf } from "./token-door.js";
import { tokenLimiter } from "./token-limit.js";

/** The way in for programs that take events and snapshots out. Lets in whose token was issued for the endpoint, or throws. */
export type OutboundDoor = (
  req: Request,
  res: Response,
  slug: OutboundSlug,
) => Promise<Token>;

/** Reference 04 §1.5 in its order, then how often; each endpoint is counted for itself. */
export function outboundDoor(options: AppOptions): OutboundDoor {
  const limiter = (counted: string, perMinute: number) =>
    tokenLimiter(counted, perMinute, OutboundRateLimited);
  const limits = new Map(
    outboundSlugs.map((slug) => [
      slug,
      limiter(slug, options.pollRateLimitPerMinute),
    ]),
  );
  const scans = limiter("snapshot begin", options.snapshotRateLimitPerMinute);
  return async (req, res, slug) => {
    const token = await tokenOf(req, options.tokenPepper);
    if (token.inbound_resources.length > 0 && token.event_types.length === 0)
      throw OutboundCrossDirection();
    if (!token.endpoints.includes(slug)) throw EndpointNotAllowed();
    const begins =
      slug === "snapshot.inventory" && req.query.cursor === undefined;
    await (begins ? scans : limits.get(slug))?.(token.token_id, res);
    return token;
  };
}
