import { type EventType, events, type Payload } from "./catalog.js";

/**
 * An event as an activity emits it. The aggregate type of the envelope follows from the event type (docs/interface.md,
 * Events).
 */
export type DomainEvent = {
  [T in EventType]: {
    type: T;
    /** External id of the aggregate: an order, item, count or transfer. */
    aggregateId: string;
    /** The row that it is about, such as `item_receipt` 17. */
    entity: string;
    entityId: number;
    warehouseId: number;
    data: Payload<T>;
  };
}[EventType];

/** What every event about a sales order says of it. */
export const ofSalesOrder = (order: { so_id: number; external_id: string; warehouse_id: number }) => ({
  aggregateId: order.external_id,
  entity: "sales_order",
  entityId: order.so_id,
  warehouseId: order.warehouse_id,
});

let validating = false;

/** Whether every event is validated before it is written (SERVICE_VALIDATE_EVENT_SCHEMAS). */
export function validateEvents(on: boolean): void {
  validating = on;
}

/** The event as the outbox stores it; the sequencer gives it its `event_id` (docs/house.md). */
export function outboxRow(event: DomainEvent) {
  if (validating) events[event.type].payload.parse(event.data);
  return { version: 1, aggregate: events[event.type].aggregate, ...event };
}
