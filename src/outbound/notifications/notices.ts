import { z } from "zod";
import { arrayOf, int, text } from "../../platform/db/columns.js";
/** What people may be told of. Types and constants only: workflows import them. */

/** Events that are told to the destinations of their warehouse. */
export const eventNotices = ["backorder.opened", "backorder.fulfillable", "backorder.cancelled"] as const;

/** The state of webhooks, which are of no warehouse: told to every destination that asks for it. */
export const dispatcherNotices = [
  "dispatcher.delivery_stalled",
  "dispatcher.dlq_growth",
  "dispatcher.subscription_lagging",
  "dispatcher.subscription_paused",
] as const;

export const notices = [...eventNotices, ...dispatcherNotices] as const;
export type Notice = (typeof notices)[number];

/** Each in words. */
export const titles: Record<Notice, string> = {
  "backorder.opened": "Backorder opened",
  "backorder.fulfillable": "Backorder can be shipped",
  "backorder.cancelled": "Backorder cancelled",
  "dispatcher.delivery_stalled": "Webhook delivery is stalled",
  "dispatcher.dlq_growth": "Webhook loses events",
  "dispatcher.subscription_lagging": "Webhook is far behind",
  "dispatcher.subscription_paused": "Webhook was paused",
};

/** What a message tells: fields of the event, or of the webhook. */
export const Facts = z.looseObject({
  backorder_so_number: text.optional(),
  parent_so_number: text.nullable().optional(),
  days_waiting: int.optional(),
  cancellation_reason: text.optional(),
  items: arrayOf(z.strictObject({ sku: text, qty: int })).optional(),
  display_name: text.optional(),
  pause_reason: text.optional(),
  dead_letters: int.optional(),
  events_behind: int.optional(),
  failing_since: text.optional(),
});
export type Facts = z.infer<typeof Facts>;
