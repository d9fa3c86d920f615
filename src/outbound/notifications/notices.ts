import { z } from "zod";
import { arrayOf, bool, int, text } from "../../platform/db/columns.js";
/** What people may be told of. Types and constants only: workflows import them. */

/** Events that are told to the destinations of their warehouse. */
export const eventNotices = [
  "backorder.opened",
  "backorder.fulfillable",
  "backorder.cancelled",
  "stock.expiring",
  "inspection.due",
  "recall.opened",
] as const;

/** The state of webhooks, which are of no warehouse: told to every destination that asks for it. */
export const dispatcherNotices = [
  "dispatcher.ceiling_near",
  "dispatcher.delivery_stalled",
  "dispatcher.dlq_growth",
  "dispatcher.subscription_lagging",
  "dispatcher.subscription_paused",
] as const;

export const notices = [...eventNotices, ...dispatcherNotices] as const;
export type Notice = (typeof notices)[number];

/** Each in words, and the page of the panel that shows more. */
export const told: Record<Notice, { title: string; page: string }> = {
  "backorder.opened": { title: "Backorder opened", page: "backorders" },
  "backorder.fulfillable": { title: "Backorder can be shipped", page: "backorders" },
  "backorder.cancelled": { title: "Backorder cancelled", page: "backorders" },
  "stock.expiring": { title: "Stock is near its last day", page: "expiring" },
  "inspection.due": { title: "Goods wait for an inspection", page: "inspections" },
  "recall.opened": { title: "Recall opened", page: "recalls" },
  "dispatcher.ceiling_near": { title: "Webhook will soon be paused", page: "webhooks" },
  "dispatcher.delivery_stalled": { title: "Webhook delivery is stalled", page: "webhooks" },
  "dispatcher.dlq_growth": { title: "Webhook loses events", page: "webhooks" },
  "dispatcher.subscription_lagging": { title: "Webhook is far behind", page: "webhooks" },
  "dispatcher.subscription_paused": { title: "Webhook was paused", page: "webhooks" },
};

/** What a message tells: fields of the event, or of the webhook. */
export const Facts = z.looseObject({
  backorder_so_number: text.optional(),
  parent_so_number: text.nullable().optional(),
  days_waiting: int.optional(),
  cancellation_reason: text.optional(),
  items: arrayOf(z.strictObject({ sku: text, qty: int })).optional(),
  sku: text.optional(),
  lot_number: text.nullable().optional(),
  bin_code: text.optional(),
  expiry_date: text.optional(),
  quantity_on_hand: int.optional(),
  quantity_open: int.optional(),
  lots: arrayOf(z.looseObject({ sku: text, lot_number: text })).optional(),
  serials: arrayOf(z.looseObject({ sku: text, serial_number: text })).optional(),
  reason: text.optional(),
  due_at: text.nullable().optional(),
  is_overdue: bool.optional(),
  display_name: text.optional(),
  pause_reason: text.optional(),
  dead_letters: int.optional(),
  events_behind: int.optional(),
  failing_since: text.optional(),
  waiting: int.optional(),
  given_up: int.optional(),
  pending_ceiling: int.optional(),
  dlq_ceiling: int.optional(),
});
export type Facts = z.infer<typeof Facts>;
