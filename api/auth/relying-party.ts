import type { Request } from "express";
import type { RelyingParty } from "../../src/auth/factors/passkeys.js";
import type { AppOptions } from "../http/options.js";

/**
 * The host that passkeys are made for: the site's, if the installation says which (SERVICE_SITE_ADDRESS), else the one
 * that the request names. A passkey opens only the host that it was made for, whatever a request names later.
 */
export function relyingParty(req: Request, { siteAddress }: Pick<AppOptions, "siteAddress">): RelyingParty {
  const site = siteAddress ?? `${req.protocol}://${req.host}`;
  if (!URL.canParse(site)) return { id: "", origin: "" };
  const { hostname, origin } = new URL(site);
  return { id: hostname, origin };
}
