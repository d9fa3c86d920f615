import type { Request, Response } from "express";
import { noteLinkUse } from "../../activities/partners/links.js";
import { readPartnerSession } from "../../src/auth/jwt.js";
import { InvalidToken } from "../../src/auth/tokens/problems.js";
import { linkOfSession, linkOfToken } from "../../src/partners/queries.js";
import type { OpenLink } from "../../src/partners/shapes.js";
import type { Actor } from "../../src/platform/actor.js";
import { NOBODY } from "../../src/platform/system-actor.js";
import type { AddressLimit } from "../http/address-limit.js";
import type { AppOptions } from "../http/options.js";

/** The way in for partners: docs/partners.md. Every fault has the same answer; the log says what was wrong. */

/** Header with a partner's session. It is no bearer token, so that it is never taken for that of a user. */
export const PARTNER_HEADER = "X-Partner-Session";

/** The link of the session that the request carries, which must still be open. */
export type AuthenticatePartner = (req: Request, res: Response) => Promise<OpenLink>;

export function partnerAuthentication(
  { jwtSecret }: Pick<AppOptions, "jwtSecret">,
  addresses: AddressLimit,
): AuthenticatePartner {
  return async (req, res) => {
    const sent = req.get(PARTNER_HEADER);
    if (!sent) throw InvalidToken();
    addresses.check(req);
    const claims = readPartnerSession(sent, jwtSecret);
    if (!claims) throw refused(res, "no valid session of a partner");
    return opened(await linkOfSession(claims.linkId, claims.madeAt), res);
  };
}

/** The link with the token of this hash, which must be open; for how many seconds more it is. */
export const linkByToken = async (hash: string, res: Response) => opened(await linkOfToken(hash), res);

type Found = Awaited<ReturnType<typeof linkOfToken>>;

async function opened(found: Found, res: Response) {
  if (!found) throw refused(res, "no such partner link");
  const { is_open, unnoted, ...link } = found;
  res.locals.partnerLinkId = link.partner_link_id;
  if (!is_open) throw refused(res, link.revoked_at ? "the partner link was revoked" : "the partner link has expired");
  if (unnoted) await noteLinkUse(link.partner_link_id);
  return link;
}

function refused(res: Response, reason: string) {
  res.locals.reason = reason;
  return InvalidToken();
}

/** The partner as an actor: of its connector alone, and named by its link in the audit log. */
export const partnerActor = (
  { partner_link_id, connector_id, warehouse_ids, sandbox_warehouse_id }: OpenLink,
  requestId: string,
  command: Pick<Actor, "commandId" | "keyed">,
): Actor => ({
  userId: 0,
  username: `system:partner_link:${partner_link_id}`,
  externalId: NOBODY,
  role: "USER",
  warehouseIds: sandbox_warehouse_id === null ? warehouse_ids : [...warehouse_ids, sandbox_warehouse_id],
  connectorId: connector_id,
  requestId,
  ...command,
});
