import type { ConsumerGroup, NotificationWebhook } from "../../../../client/src/index.js";

export type EventType = NonNullable<ConsumerGroup["subscription"]["event_types"]>[number];
export type Notice = NotificationWebhook["event_filter"][number];

const events: Record<EventType, true> = {
  "receipt.completed": true,
  "receipt.cancelled": true,
  "purchaseorderedit.completed": true,
  "pick.confirmed": true,
  "pack.confirmed": true,
  "ship.confirmed": true,
  "ship.voided": true,
  "salesorderedit.completed": true,
  "return.received": true,
  "backorder.opened": true,
  "backorder.fulfillable": true,
  "backorder.cancelled": true,
  "inventoryadjusted.completed": true,
  "cycle_count.adjusted": true,
  "inventorytransfer.completed": true,
};
const notices: Record<Notice, true> = {
  "backorder.opened": true,
  "backorder.fulfillable": true,
  "backorder.cancelled": true,
  "dispatcher.delivery_stalled": true,
  "dispatcher.dlq_growth": true,
  "dispatcher.subscription_lagging": true,
  "dispatcher.subscription_paused": true,
};

/** What can be asked for: complete, or this does not compile. */
export const eventTypes = Object.keys(events);
export const noticeTypes = Object.keys(notices);
