import type { AggregateType } from "./catalog.js";

/** An event as partners get it, polled or delivered (spec 2.5). */
export interface Envelope {
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
  data: Record<string, unknown>;
}
