import { problem } from "../platform/problem.js";

/** What partners and those who make their links are refused. */

export const PartnerLinkNotFound = problem("partner_link_not_found", 404, "Partner link not found");
export const PartnerLinkLastsTooLong = problem("partner_link_lasts_too_long", 400, "A link lasts {days} days at most");
/** `detail` says what the link does not reach. */
export const NotInLink = problem("not_in_partner_link", 403, "The link does not reach so far");
