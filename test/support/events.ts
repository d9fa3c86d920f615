import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type EventType, events, payloadSchema } from "../../src/platform/events/catalog.js";
import type { DomainEvent } from "../../src/platform/events/outbox.js";
import { db } from "./db.js";
import { validator } from "./json-schema.js";

const names = Object.keys(events) as EventType[];
const validators = new Map(names.map((type) => [type, validator(payloadSchema(type))]));

interface EventRow {
  event_type: EventType;
  event_version: number;
  aggregate_type: string;
  payload: unknown;
}

/** What is wrong with a payload, held against the published schema of its type. */
export function payloadFits(type: string, payload: unknown): unknown[] {
  const valid = validators.get(type as EventType) ?? assert.fail(`${type} is not in the catalog`);
  return valid(payload) ? [] : (valid.errors ?? []);
}

/** Holds every event of the service against the published schema of its type; there must be some. */
export async function assertEventsMatchSchemas(): Promise<void> {
  const rows = await db.rows<EventRow>(
    `select event_type, event_version, aggregate_type, event_data(integration_events) as payload
      from integration_events`,
  );
  assert.ok(rows.length > 0, "no event was emitted");
  for (const { event_type, event_version, aggregate_type, payload } of rows) {
    assert.deepEqual(payloadFits(event_type, payload), [], event_type);
    assert.deepEqual(namedByIdAlone(payload), [], event_type);
    assert.deepEqual([event_version, aggregate_type], [1, events[event_type].aggregate]);
  }
}

/** The number of an order, by the name of its id. */
const numbers: Record<string, string> = {
  ...{ sales_order_external_id: "so_number", so_external_id: "so_number" },
  ...{ purchase_order_external_id: "po_number", po_external_id: "po_number" },
  backorder_so_external_id: "backorder_so_number",
};

/** Orders without their number in a payload, and lines without the SKU of their item. */
function namedByIdAlone(payload: unknown, isLine = false): string[] {
  if (Array.isArray(payload)) return payload.flatMap((line) => namedByIdAlone(line, true));
  if (payload === null || typeof payload !== "object") return [];
  const fields = payload as Record<string, unknown>;
  return Object.entries(fields).flatMap(([name, value]) => {
    const beside = name === "item_external_id" && isLine ? "sku" : numbers[name];
    const missing = beside && typeof fields[beside] !== "string" ? [beside] : [];
    return [...missing, ...namedByIdAlone(value)];
  });
}

/** An adjustment of a warehouse that nothing caused, the n-th. */
export const adjusted = (warehouseId: number, n: number, aggregateId: string = randomUUID()): DomainEvent => ({
  type: "inventoryadjusted.completed",
  aggregateId,
  entity: "inventory_adjustment",
  entityId: n,
  warehouseId,
  data: {
    adjustment_external_id: randomUUID(),
    item_external_id: randomUUID(),
    bin_external_id: randomUUID(),
    quantity_delta: n,
    reason_code: "CORRECTION",
    applied_by_user_external_id: null,
    applied_at: new Date().toISOString(),
  },
});
