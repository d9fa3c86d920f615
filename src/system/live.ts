import { z } from "zod";
import type { PageKey } from "../auth/rights.js";
import { int } from "../platform/db/columns.js";
import { db } from "../platform/db/db.js";

/** The events that signed-in users are told of as they happen: that a record changed, and which, but not how. */
export const LiveEvent = z.strictObject({
  event_id: z.int(),
  event_type: z.string(),
  aggregate_type: z.string(),
  /** The external id of the record; null for a user who may not see such records. */
  aggregate_id: z.uuid().nullable(),
  warehouse_id: z.int(),
});
export type LiveEvent = z.infer<typeof LiveEvent>;

/** The pages that show records of a type: a user of any of them may know which record changed. */
const pagesOf: Record<string, PageKey[]> = {
  purchase_order: ["purchase-orders", "receiving", "putaway"],
  sales_order: ["sales-orders", "backorders", "fraud", "picking-tickets", "picking-batches"],
  inventory: ["inventory", "adjustments"],
  cycle_count: ["cycle-counts", "count-approvals"],
  transfer: ["transfer-orders", "inter-warehouse-transfers"],
};

/** The rights of a user that decide which events are told. */
export interface Reader {
  role: string;
  warehouse_ids: number[];
  page_keys: string[];
}

/** The events that the user may know of: those of own warehouses, with the record only where a page was granted. */
export function eventsFor({ role, warehouse_ids, page_keys }: Reader, events: LiveEvent[]): LiveEvent[] {
  if (role === "ADMIN") return events;
  const mayName = (type: string) => pagesOf[type]?.some((page) => page_keys.includes(page));
  return events
    .filter(({ warehouse_id }) => warehouse_ids.includes(warehouse_id))
    .map((event) => (mayName(event.aggregate_type) ? event : { ...event, aggregate_id: null }));
}

/** The events after one up to another, at most `limit`; none of sandboxes, which pages show in no list of their own. */
export const liveEvents = (after: number, upto: number, limit: number): Promise<LiveEvent[]> =>
  db.rows(
    LiveEvent,
    `select event_id, event_type, aggregate_type, aggregate_external_id as aggregate_id, warehouse_id
     from integration_events where event_id > $1 and event_id <= $2
       and warehouse_id not in (select s.warehouse_id from sandboxes s) order by event_id limit $3`,
    [after, upto, limit],
  );

/** The number of the newest event. */
export async function newestEvent(): Promise<number> {
  const state = await db.row({ last_no: int }, "select last_no from sequencer_state where name = 'events'");
  return state?.last_no ?? 0;
}
