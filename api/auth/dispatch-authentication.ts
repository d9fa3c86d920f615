import type { Request, Response } from "express";
import {
  DispatchEndpointNotAllowed,
  PosCrossDirection,
  WrongTokenDirection,
} from "../../src/auth/tokens/dispatch-problems.js";
import type { DispatchSlug } from "../../src/auth/tokens/scope.js";
import { isOfStation, type Token } from "../../src/auth/tokens/token.js";
import { asDispatchError } from "../../src/platform/dispatch-problem.js";
import { DomainError } from "../../src/platform/problem.js";
import type { AddressLimit } from "../http/address-limit.js";
import type { AppOptions } from "../http/options.js";
import { tokenOf } from "./token-authentication.js";

/**
 * Authentication and errors of the routes of shipping stations and tills: `/api/v1/station/` and `/api/v1/pos/`
 * (docs/interface.md, Shipping station).
 */

export const isDispatch = (path: string): boolean => /^\/api\/v1\/(station|pos)\//i.test(path);

/** The token of the request, which must have been issued for the endpoint. */
export type AuthenticateDispatch = (req: Request, res: Response, slug: DispatchSlug) => Promise<Token>;

/** A token that also pushes records or reads events is refused here. */
export function dispatchAuthentication(
  options: Pick<AppOptions, "tokenPepper">,
  addresses: AddressLimit,
): AuthenticateDispatch {
  return async (req, res, slug) => {
    const token = await tokenOf(req, res, options.tokenPepper, addresses);
    if (token.source_system !== null || token.inbound_resources.length > 0 || token.event_types.length > 0)
      throw slug === "station.dispatch" ? WrongTokenDirection() : PosCrossDirection();
    if (token.endpoints.includes(slug)) return token;
    throw isOfStation(token) ? WrongTokenDirection() : DispatchEndpointNotAllowed();
  };
}

/** The error in the shape for stations and tills; on other paths unchanged. */
export const dispatchRefusal = (error: unknown, { path, method }: Pick<Request, "path" | "method">): unknown =>
  error instanceof DomainError && isDispatch(path) ? asDispatchError(error, method === "GET") : error;
