import { bodyOf, headersOf, openWire, type Wire, type WireOptions } from "../../src/outbound/wire/send.js";
import type { Envelope } from "../../src/platform/events/envelope.js";
import { patient } from "./machine-speed.js";

export const SECRET = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
export const OLD_SECRET = `whsec_${Buffer.alloc(32, 2).toString("base64")}`;

export const nowInSeconds = () => Math.floor(Date.now() / 1_000);

export const envelope = (changed: Partial<Envelope> = {}): Envelope => ({
  event_id: 7,
  event_type: "ship.confirmed",
  event_version: 1,
  event_timestamp: "2026-05-06T12:00:00.123456+00:00",
  aggregate_type: "sales_order",
  aggregate_id: "0b9b4a0e-6d3c-4a0f-9f1e-0d6c1f1f2a3b",
  warehouse_id: 1,
  source_txn_id: "5a0c7c1e-3b1a-4f5e-8d2b-7c6d5e4f3a2b",
  data: { tracking_number: "1Z", lines: [{ sku: "MUG", quantity: 2 }] },
  ...changed,
});

/** An event as it goes out: its bytes and headers. */
export function signed(event = envelope(), secrets = [SECRET], timestamp = nowInSeconds(), signingKeys: string[] = []) {
  const body = bodyOf(event);
  const headers = headersOf({
    body,
    eventId: event.event_id,
    eventType: event.event_type,
    messageId: `evt_s_${event.event_id}`,
    timestamp,
    secrets: secrets.map((secret, i) => ({ generation: i === 0 ? 1 : 2, secret })),
    signingKeys,
  });
  return { body, headers };
}

/** With little patience: between bytes, and in all. */
export const READ_TIMEOUT_MS = patient(300);
export const TOTAL_TIMEOUT_MS = patient(600);

/** A wire to this machine. */
export const localWire = (options: Partial<WireOptions> = {}): Wire =>
  openWire({
    connectTimeoutMs: READ_TIMEOUT_MS,
    readTimeoutMs: READ_TIMEOUT_MS,
    totalTimeoutMs: TOTAL_TIMEOUT_MS,
    allowHttp: true,
    allowInternal: true,
    ...options,
  });
