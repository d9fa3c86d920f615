import type { AggregateType } from "./catalog.js";

/** An event as partners get it, polled or delivered (spec 2.5). */
export interface Envelope<Data = Record<string, unknown>> {
  /** Dense, in the order of commits; the only key to tell events apart by. */
  event_id: number;
  event_type: string;
  event_version: number;
  event_timestamp: string;
  aggregate_type: AggregateType;
  /** External id of the owning entity. */
  aggregate_id: string;
  warehouse_id: number;
  source_txn_id: string;
  data: Data;
}

const HEAD = `e.event_id, e.event_type, e.event_version, e.event_timestamp, e.aggregate_type,
  e.aggregate_external_id as aggregate_id, e.warehouse_id, e.source_txn_id`;
/** The columns of `integration_events e` that make an envelope. */
export const ENVELOPE = `${HEAD}, e.payload as data`;

/** The same for who only passes events on: their data stays the text that it is, which takes half the time. */
export const ENVELOPE_AS_TEXT = `${HEAD}, e.payload::text as data`;
export const jsonOf = (e: Envelope<string>): string =>
  `{"event_id":${e.event_id},"event_type":"${e.event_type}","event_version":${e.event_version},` +
  `"event_timestamp":"${e.event_timestamp}","aggregate_type":"${e.aggregate_type}","aggregate_id":"${e.aggregate_id}",` +
  `"warehouse_id":${e.warehouse_id},"source_txn_id":"${e.source_txn_id}","data":${e.data}}`;
