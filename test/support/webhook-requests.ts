import { randomUUID } from "node:crypto";
import type { Change, Floor } from "./change.js";
import { delivery, newWebhook, numberedEvent, subscribe, WEBHOOKS, waiting } from "./webhooks.js";

/** How what is done to webhooks is asked twice. */

/** Of the warehouse, for a connector that sends nothing of it. */
const narrow = ({ warehouse_id }: Floor) => ({
  subscription_filter: { aggregate_external_id_allowlist: [randomUUID()], warehouse_ids: [warehouse_id] },
});

/** A request for a subscription that somebody just made, and another one. */
const on =
  (action: string, body: object = {}, other: object = { again: true }) =>
  async (at: Floor): Promise<Change> => {
    const { by } = at;
    const { subscription_id } = await subscribe(by, narrow(at));
    return { by, path: `${WEBHOOKS}/${subscription_id}${action}`, body, other };
  };

export const webhookChanges: Record<string, (at: Floor) => Promise<Change>> = {
  "post /api/admin/webhooks": async (at) => {
    const body = await newWebhook(narrow(at));
    return { by: at.by, body, other: { ...body, display_name: "Other" } };
  },
  "patch /api/admin/webhooks/:subscription_id": on(
    "",
    { status: "paused", rate_limit_per_second: 5 },
    { status: "paused" },
  ),
  "delete /api/admin/webhooks/:subscription_id": on(""),
  "post /api/admin/webhooks/:subscription_id/rotate-secret": on("/rotate-secret"),
  "post /api/admin/webhooks/:subscription_id/test": on("/test"),
  "post /api/admin/webhooks/:subscription_id/replay/:delivery_id": async (at) => {
    const { by } = at;
    const { subscription_id } = await subscribe(by, narrow(at));
    const id = await delivery(subscription_id, { status: "dlq" });
    const path = `${WEBHOOKS}/${subscription_id}/replay/${id}`;
    return { by, path, body: {}, other: { again: true } };
  },
  "post /api/admin/webhooks/:subscription_id/attempt-now": async (at) => {
    const { by } = at;
    const { subscription_id } = await subscribe(by, narrow(at));
    const delivery_id = await waiting(subscription_id);
    const path = `${WEBHOOKS}/${subscription_id}/attempt-now`;
    return { by, path, body: { delivery_id }, other: {} };
  },
  "post /api/admin/webhooks/:subscription_id/replay-batch": async (at) => {
    const { by } = at;
    const { subscription_id } = await subscribe(by, narrow(at));
    const event_id = await numberedEvent();
    await delivery(subscription_id, { status: "dlq", event_id });
    const path = `${WEBHOOKS}/${subscription_id}/replay-batch`;
    return { by, path, body: {}, other: { filter: { status: "failed" } } };
  },
};
