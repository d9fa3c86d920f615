import { z } from "zod";
import * as activities from "../../activities/partners/links.js";
import { unseal } from "../../src/auth/sealed.js";
import { UnknownEventTypes, UnknownWarehouseIds } from "../../src/auth/tokens/problems.js";
import { answerOwner } from "../../src/auth/tokens/token.js";
import { UnknownConnector } from "../../src/outbound/problems.js";
import { newLinkToken } from "../../src/partners/link.js";
import { PartnerLinkLastsTooLong, PartnerLinkNotFound } from "../../src/partners/problems.js";
import { partnerLinks } from "../../src/partners/queries.js";
import { LinkFilters, MadePartnerLink, NewPartnerLink, PartnerLink } from "../../src/partners/shapes.js";
import { Message, paged, QueryInt } from "../../src/platform/fields.js";
import { newSecret } from "../auth/new-secret.js";
import { admin, route } from "../http/route.js";

/** Links of partners, as the house makes and ends them: docs/partners.md. */

const params = z.strictObject({ partner_link_id: QueryInt.describe("Number of the link in this service.") });

export const listPartnerLinks = route("get /api/admin/partner-links", {
  for: admin,
  summary: "The links of partners, by id, revoked ones too; never their tokens",
  query: LinkFilters,
  answers: { 200: paged("partner_links", PartnerLink, "The links, without their tokens.") },
  run: ({ query }) => partnerLinks(query),
});

export const makePartnerLink = route("post /api/admin/partner-links", {
  for: admin,
  byPersonOnly: true,
  stepUp: true,
  summary: "Makes a link that opens the partner's page of one connector; this answer is the only one that shows it",
  body: NewPartnerLink,
  answers: { 201: MadePartnerLink },
  errors: [UnknownConnector, UnknownWarehouseIds, UnknownEventTypes, PartnerLinkLastsTooLong],
  run: async ({ body, by, options }) => {
    const { sealed, ...made } = await activities.makePartnerLink(body, newSecret(newLinkToken(), options, by), by);
    const token = unseal(sealed, answerOwner(by.commandId), options);
    return { ...made, token, path: `/partner/#${token}` };
  },
});

export const revokePartnerLink = route("delete /api/admin/partner-links/:partner_link_id", {
  for: admin,
  byPersonOnly: true,
  summary: "Revokes a link: it and its sessions open nothing any more",
  params,
  answers: { 200: Message },
  errors: [PartnerLinkNotFound],
  run: ({ params: { partner_link_id }, by }) => activities.revokePartnerLink(partner_link_id, by),
});
