import { partnerPolling } from "../../src/partners/polling.js";
import { PartnerPolling } from "../../src/partners/shapes.js";
import { partner, route } from "../http/route.js";

export const getPartnerPolling = route("get /api/partner/polling", {
  for: partner,
  summary: "How far the partner's readers of events are, and which tokens it has, without their secrets",
  answers: { 200: PartnerPolling },
  run: ({ link }) => partnerPolling(link.connector_id),
});
