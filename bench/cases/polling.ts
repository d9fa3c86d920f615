import { NUMBERING_LOCK } from "../../activities/outbound/sequencer.js";
import { eventsAfter, horizon } from "../../src/outbound/polling/queries.js";
import { int } from "../../src/platform/db/columns.js";
import { db, transaction } from "../../src/platform/db/db.js";
import { eventTypes } from "../../src/platform/events/catalog.js";
import { type Case, call, scattered, times } from "../case.js";
import { WAREHOUSE } from "../data.js";
import type { BenchService } from "../service.js";

/** Where the stored ones of each service end. */
const stored = new Map<BenchService, number>();

/** Stores what happened long ago, of all types, here and in 39 warehouses more. */
async function store(service: BenchService): Promise<number> {
  const last = await transaction(async (tx) => {
    await tx.run("select pg_advisory_xact_lock($1)", [NUMBERING_LOCK]);
    await tx.run(
      `insert into integration_events (event_id, event_type, event_timestamp, aggregate_type, aggregate_external_id,
        entity_type,
                                       entity_id, warehouse_id, source_txn_id, envelope, visible_at)
       select e.event_id, e.event_type, e.event_timestamp, e.aggregate_type, e.aggregate_external_id, e.entity_type,
              e.entity_id, e.warehouse_id, e.source_txn_id,
              event_envelope(e, e.event_id, json_build_object(
                'sales_order_external_id', id, 'completed_by_user_external_id', id, 'completed_at', e.event_timestamp,
                'lines', json_build_array(json_build_object(
                  'item_external_id', id, 'quantity_picked', 2, 'lot_number', null, 'serial_number', null)))::text,
                (select current_epoch())),
              e.event_timestamp
       from sequencer_state, generate_series(1, $1::int) n, lateral (select md5(n::text)::uuid as id) ids,
            jsonb_populate_record(null::integration_events, jsonb_build_object(
              'event_id', last_no + n, 'event_type', ($3::text[])[1 + n % cardinality($3::text[])], 'event_version', 1,
              'event_timestamp', now() - interval '1 day', 'aggregate_type', 'sales_order', 'aggregate_external_id', id,
              'entity_type', 'sales_order', 'entity_id', n, 'source_txn_id', id,
              'warehouse_id', case when n % 5 < 3 then $2::int else 2 + n % 39 end)) e
       where name = 'events'`,
      [service.size.events, WAREHOUSE, eventTypes],
    );
    return tx.row(
      { last_no: int },
      "update sequencer_state set last_no = last_no + $1 where name = 'events' returning last_no",
      [service.size.events],
    );
  });
  await db.run("vacuum analyze integration_events");
  return last?.last_no as number;
}

/** Pages of what a partner of one warehouse may see, from all over the past. */
const pages = (limit: number, works: number): Case => ({
  name: `events page ${limit}`,
  works,
  prepare: async (service, count) => {
    const last = stored.get(service) ?? (await store(service));
    stored.set(service, last);
    const selection = { warehouseIds: [WAREHOUSE], eventTypes };
    return times(count, (i) => {
      const after = scattered(i * 101, last - 2 * limit);
      const line = `GET /api/v1/events?after=${after}&limit=${limit}` as const;
      return call(service.shop, line, undefined, async () => eventsAfter(after, await horizon(), limit, selection));
    });
  },
});

export const eventsPage = pages(500, 1_000);
export const largeEventsPage = pages(2_000, 300);
