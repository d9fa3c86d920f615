import { getOAuthProtectedResourceMetadataUrl } from "@modelcontextprotocol/server";
import type { Request } from "express";
import { MCP_PATH } from "../../../src/auth/oauth/audience.js";
import type { AppOptions } from "../../http/options.js";
import { relyingParty } from "../relying-party.js";

/** The addresses by which programs know the service (RFC 8414, RFC 9728). */

type Site = Pick<AppOptions, "siteAddress">;

/** The service as the authorization server. */
export const issuerOf = (req: Request, options: Site): string => relyingParty(req, options).origin;

/** The endpoint that its tokens are for. */
export const resourceOf = (req: Request, options: Site): string => issuerOf(req, options) + MCP_PATH;

/** How a program that is not let in learns where it may ask (RFC 6750, RFC 9728). */
export function authenticateHeader(req: Request, options: Site): string {
  const resource = resourceOf(req, options);
  const realm = 'Bearer realm="warehouse"';
  return URL.canParse(resource)
    ? `${realm}, resource_metadata="${getOAuthProtectedResourceMetadataUrl(new URL(resource))}"`
    : realm;
}
