import type { z } from "zod";
import type { DataRow } from "../../platform/db/client.js";
import { bool, int } from "../../platform/db/columns.js";
import { db, eachRow } from "../../platform/db/db.js";
import type { Selection } from "./selection.js";
import { STREAM, Stream } from "./stream.js";

/** The last event that readers may read, and whether an event waits too long for its number. */
export const Horizon = Stream.extend({ event_id: int, late: bool });
export type Horizon = z.infer<typeof Horizon>;

/**
 * The newest event that was numbered at least two seconds ago. All events before it are visible, as numbers have no
 * gaps and are given one batch after the other; so readers read up to it, whatever the times of the events.
 */
export async function horizon(): Promise<Horizon> {
  const found = await db.row(
    Horizon,
    `select coalesce(max(event_id), 0) as event_id,
            exists (select from integration_events
                    where event_id is null and created_at < now() - interval '1 second') as late, ${STREAM}
     from integration_events where event_id is not null and visible_at <= now() - interval '2 seconds'`,
  );
  return found as Horizon;
}

/** Events as JSON, separated by commas, with a character for each byte, and the id of the last one. */
export interface Events {
  bytes: string;
  last: number;
}

/**
 * The next events of a selection, in order, up to `last`; fewer than `limit` only when there are no more.
 * The time does not depend on the number of events: mostly the page is found among the next `2 * limit` events of any
 * kind. Otherwise ever longer ranges are read through the index on warehouse, type and id.
 */
export async function eventsAfter(
  after: number,
  { event_id: last, begins_after, survived_to, retired_to }: Horizon,
  limit: number,
  { warehouseIds, eventTypes }: Selection,
): Promise<Events> {
  const found: Events = { bytes: "", last: after };
  let missing = limit;
  // Reading a megabyte of texts and encoding them again would be most of the work.
  const take = ({ byteFields: [events, last, count] }: DataRow) => {
    found.bytes += found.bytes === "" ? events : `,${events}`;
    found.last = Number(last);
    missing -= Number(count);
  };
  const read = (statement: string, from: number, to: number) =>
    eachRow(take, statement, { from, to, warehouseIds, eventTypes, missing });
  let width = 2 * limit;
  // A new epoch skips event ids.
  const start = Math.max(after >= survived_to ? Math.max(after, begins_after) : after, retired_to);
  let from = Math.min(start + width, last);
  if (from > start) await read(NEAR, start, from);
  while (missing > 0 && from < last) {
    width *= 8;
    const to = Math.min(from + width, last);
    await read(FAR, from, to);
    from = to;
  }
  return found;
}

/** Some events in each row: a row for each takes longer to read, and one row for all delays the first byte. */
const pieces = (events: string) => `
  select string_agg(envelope, ',' order by event_id) as text, max(event_id) as last, count(*) as count
  from ${events} group by event_id / 64 order by event_id / 64`;

/** The events of a selection in a short range. */
const NEAR = pieces(`
  (select event_id, envelope
   from (select * from integration_events where event_id > :from and event_id <= :to
         order by event_id limit :to - :from) e
   where warehouse_id = any(:warehouseIds) and event_type = any(:eventTypes) order by event_id limit :missing) page`);

/** The first events of a selection in a long range: the first of each type and warehouse, and of those the first. */
const FAR = pieces(`
  (select run.event_id
   from unnest(:warehouseIds::int[]) w(warehouse_id), unnest(:eventTypes::text[]) t(event_type),
        lateral (select event_id from integration_events i
                 where i.warehouse_id = w.warehouse_id and i.event_type = t.event_type
                   and i.event_id > :from and i.event_id <= :to
                 order by i.event_id limit :missing) run
   order by run.event_id limit :missing) page
  join integration_events e using (event_id)`);
