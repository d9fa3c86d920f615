import type { Filter } from "../outbound/webhooks/filter.js";
import type { WebhookSubscription } from "../outbound/webhooks/shapes.js";
import { NotInLink } from "./problems.js";
import type { NewPartnerWebhook, OpenLink, PartnerWebhook } from "./shapes.js";

/**
 * The events that a partner asks for, all of its link where it names none; refuses what is neither of the link nor of
 * the partner's sandbox.
 */
export function filterWithin(
  link: Pick<OpenLink, "warehouse_ids" | "event_types" | "sandbox_warehouse_id">,
  asked: Pick<NewPartnerWebhook, "warehouse_ids" | "event_types">,
): Filter {
  const { warehouse_ids = link.warehouse_ids, event_types = link.event_types } = asked;
  const beyond = {
    warehouse_ids: warehouse_ids.filter((id) => id !== link.sandbox_warehouse_id && !link.warehouse_ids.includes(id)),
    event_types: event_types.filter((type) => !link.event_types.includes(type)),
  };
  const isNone = warehouse_ids.length === 0 || event_types.length === 0;
  if (isNone || beyond.warehouse_ids.length > 0 || beyond.event_types.length > 0)
    throw NotInLink(
      {},
      { ...beyond, detail: isNone ? "The link lets its partner make no webhooks" : "Not of the link" },
    );
  return { warehouse_ids, event_types };
}

/** Without what is the warehouse's own business. */
export const forPartner = ({
  connector_id: _,
  contact_webhook_id: __,
  ...webhook
}: WebhookSubscription): PartnerWebhook => webhook;
