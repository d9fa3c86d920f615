import type { Change, Floor } from "./change.js";
import { connector, delivery, numberedEvent, publicUrl, subscribe, waiting } from "./webhooks.js";

/** How what is done to partners' links, and by partners, is asked twice. */

const LINKS = "/api/admin/partner-links";
const WEBHOOKS = "/api/partner/webhooks";

/** A partner with a link for this warehouse. */
async function partnerAt({ by, warehouse_id }: Floor) {
  const connector_id = await connector();
  const scope = { warehouse_ids: [warehouse_id], event_types: ["ship.confirmed"] };
  const { token } = await by.ok("POST", LINKS, { connector_id, link_name: "web team", ...scope });
  const { session } = await by.ok("POST", "/api/partner/session", { token });
  return { connector_id, by: by.with({ "x-partner-session": session }) };
}

/** A request for a webhook of such a partner, and another one. */
const on =
  (action: string, body: object = {}, other: object = { again: true }) =>
  async (at: Floor): Promise<Change> => {
    const { by, connector_id } = await partnerAt(at);
    const { subscription_id } = await subscribe(at.by, { connector_id });
    return { by, path: `${WEBHOOKS}/${subscription_id}${action}`, body, other };
  };

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
  "post /api/partner/webhooks": async (at) => {
    const body = { display_name: "Acme ERP", delivery_url: publicUrl() };
    return { by: (await partnerAt(at)).by, body, other: { ...body, display_name: "Other" } };
  },
  "patch /api/partner/webhooks/:subscription_id": on("", { status: "paused" }, { display_name: "Other" }),
  "post /api/partner/webhooks/:subscription_id/rotate-secret": on("/rotate-secret"),
  "post /api/partner/webhooks/:subscription_id/test": on("/test"),
  "post /api/partner/webhooks/:subscription_id/replay/:delivery_id": async (at) => {
    const { by, connector_id } = await partnerAt(at);
    const { subscription_id } = await subscribe(at.by, { connector_id });
    const id = await delivery(subscription_id, { status: "dlq" });
    return { by, path: `${WEBHOOKS}/${subscription_id}/replay/${id}`, body: {}, other: { again: true } };
  },
  "post /api/partner/webhooks/:subscription_id/attempt-now": async (at) => {
    const { by, connector_id } = await partnerAt(at);
    const { subscription_id } = await subscribe(at.by, { connector_id });
    const delivery_id = await waiting(subscription_id);
    return { by, path: `${WEBHOOKS}/${subscription_id}/attempt-now`, body: { delivery_id }, other: {} };
  },
  "post /api/partner/webhooks/:subscription_id/replay-batch": async (at) => {
    const { by, connector_id } = await partnerAt(at);
    const { subscription_id } = await subscribe(at.by, { connector_id });
    await delivery(subscription_id, { status: "dlq", event_id: await numberedEvent() });
    const path = `${WEBHOOKS}/${subscription_id}/replay-batch`;
    return { by, path, body: {}, other: { filter: { status: "failed" } } };
  },
};
