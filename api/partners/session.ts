import { z } from "zod";
import { signPartnerSession } from "../../src/auth/jwt.js";
import { InvalidToken } from "../../src/auth/tokens/problems.js";
import { tokenHash } from "../../src/auth/tokens/token.js";
import { PARTNER_SESSION_HOURS } from "../../src/partners/link.js";
import { partnerSelf } from "../../src/partners/queries.js";
import { PartnerSelf, PartnerSession } from "../../src/partners/shapes.js";
import { Name } from "../../src/platform/fields.js";
import { open, partner, route } from "../http/route.js";
import { linkByToken } from "./authentication.js";

export const beginPartnerSession = route("post /api/partner/session", {
  for: open,
  summary: "Exchanges the token of a partner's link for a session of its page, of eight hours at most",
  body: z.strictObject({ token: Name(100, "wpl_9Zf3…").describe("What stands behind the # of the link.") }),
  answers: { 200: PartnerSession },
  errors: [InvalidToken],
  run: async ({ body, res, options }) => {
    const link = await linkByToken(tokenHash(body.token, options.tokenPepper), res);
    const seconds = Math.min(PARTNER_SESSION_HOURS * 3600, Math.max(1, link.lasts_seconds));
    const { partner_link_id: linkId, made_at: madeAt } = link;
    const session = signPartnerSession({ linkId, madeAt }, options.jwtSecret, seconds);
    return { session, expires_at: new Date(Date.now() + seconds * 1000).toISOString() };
  },
});

export const getPartnerSelf = route("get /api/partner/me", {
  for: partner,
  summary: "Which connector the page is about, and what the partner may subscribe to by itself",
  answers: { 200: PartnerSelf },
  run: async ({ link }) => {
    const self = await partnerSelf(link.partner_link_id);
    if (!self) throw InvalidToken();
    return self;
  },
});
