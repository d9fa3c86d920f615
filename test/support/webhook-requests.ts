import type { Change, Floor } from "./requests.js";
import {
  delivery,
  newWebhook,
  numberedEvent,
  subscribe,
  WEBHOOKS,
} from "./webhooks.js";

/** How what is done to webhooks is asked twice. */

/** A request for a subscription that somebody just made, and another one. */
const on =
  (action: string, body: object = {}, other: object = { again: true }) =>
  async ({ by }: Floor): Promise<Change> => {
    const { subscription_id } = await subscribe(by);
    return { by, path: `${WEBHOOKS}/${subscription_id}${action}`, body, other };
  };

export const webhookChanges: Record<string, (at: Floor) => Promise<Change>> = {
  "post /api/admin/webhooks": async ({ by }) => {
    const body = await newWebhook();
    return { by, body, other: { ...body, display_name: "Other" } };
  },
  "patch /api/admin/webhooks/:subscription_id": on(
    "",
    { status: "paused", rate_limit_per_second: 5 },
    { status: "paused" },
  ),
  "delete /api/admin/webhooks/:subscription_id": on(""),
  "post /api/admin/webhooks/:subscription_id/rotate-secret":
    on("/rotate-secret"),
  "post /api/admin/webhooks/:subscription_id/replay/:delivery_id": async ({
    by,
  }) => {
    const { subscription_id } = await subscribe(by);
    const id = await delivery(subscription_id, { status: "dlq" });
    const path = `${WEBHOOKS}/${subscription_id}/replay/${id}`;
    return { by, path, body: {}, other: { again: true } };
  },
  "post /api/admin/webhooks/:subscription_id/replay-batch": async ({ by }) => {
    const { subscription_id } = await subscribe(by);
    const event_id = await numberedEvent();
    await delivery(subscription_id, { status: "dlq", event_id });
    const path = `${WEBHOOKS}/${subscription_id}/replay-batch`;
    return { by, path, body: {}, other: { filter: { status: "failed" } } };
  },
};
