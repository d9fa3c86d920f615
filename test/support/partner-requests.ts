import type { Change, Floor } from "./change.js";
import { connector } from "./webhooks.js";

/** How what is done to partners' links, and by partners, is asked twice. */

const LINKS = "/api/admin/partner-links";

export const partnerChanges: Record<string, (at: Floor) => Promise<Change>> = {
  "post /api/admin/partner-links": async ({ by }) => {
    const body = { connector_id: await connector(), link_name: "web team" };
    return { by, body, other: { ...body, link_name: "ERP team" } };
  },
  "delete /api/admin/partner-links/:partner_link_id": async ({ by }) => {
    const asked = { connector_id: await connector(), link_name: "web team" };
    const { partner_link_id } = await by.ok("POST", LINKS, asked);
    return { by, path: `${LINKS}/${partner_link_id}`, body: {}, other: { again: true } };
  },
};
