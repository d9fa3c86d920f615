import { db } from "../db.js";
import type { Selection } from "./selection.js";

/** How far readers may read, and whether an event waits for its number longer than it should. */
export interface Horizon {
  event_id: number;
  late: boolean;
}

/**
 * The newest event that was numbered two seconds ago. All before it are there, for numbers are dense and given one batch after
 * the other; so it, and not the time of each event, is what readers go up to.
 */
export async function horizon(): Promise<Horizon> {
  const found = await db.row<Horizon>(
    `select coalesce(max(event_id), 0) as event_id,
            exists (select from integration_events
                    where event_id is null and created_at < now() - interval '1 second') as late
     from integration_events where event_id is not null and visible_at <= now() - interval '2 seconds'`,
  );
  return found as Horizon;
}

/** Events as the JSON that partners get, with commas between, and the last one's number. */
export interface Events {
  text: string;
  last: number;
}

/**
 * The events of a selection that come next after a place, in order, up to the last one that may be read; fewer than `limit` only
 * when that is all. As quick among millions of events: of most selections a page stands among the next events, whatever they are.
 * Where it does not, longer and longer stretches are read through the index, where each type of each warehouse is a run of its own.
 */
export async function eventsAfter(
  after: number,
  last: number,
  limit: number,
  { warehouseIds, eventTypes }: Selection,
): Promise<Events> {
  const found: Piece[] = [];
  let missing = limit;
  const read = async (statement: string, from: number, to: number) => {
    const selection = [warehouseIds, eventTypes, missing];
    const pieces = await db.rows<Piece>(statement, [from, to, ...selection]);
    found.push(...pieces);
    for (const { count } of pieces) missing -= count;
  };
  let width = 2 * limit;
  let from = Math.min(after + width, last);
  if (from > after) await read(NEAR, after, from);
  while (missing > 0 && from < last) {
    width *= 8;
    const to = Math.min(from + width, last);
    await read(FAR, from, to);
    from = to;
  }
  return {
    text: found.map(({ text }) => text).join(),
    last: found.at(-1)?.last ?? after,
  };
}

interface Piece extends Events {
  count: number;
}

/** Some at a time: a row for each costs the reader more, and of one row for all nothing is read while it is put together. */
const pieces = (events: string) => `
  select string_agg(envelope, ',' order by event_id) as text, max(event_id) as last, count(*) as count
  from ${events} group by event_id / 64 order by event_id / 64`;

/** Of a short stretch, what the selection wants. */
const NEAR = pieces(`
  (select event_id, envelope
   from (select * from integration_events where event_id > $1 and event_id <= $2 order by event_id limit $2 - $1) e
   where warehouse_id = any($3) and event_type = any($4) order by event_id limit $5) page`);

/** Of a long stretch, the first events: of each run no more than are wanted, and of those the first. */
const FAR = pieces(`
  (select run.event_id
   from unnest($3::int[]) w(warehouse_id), unnest($4::text[]) t(event_type),
        lateral (select event_id from integration_events i
                 where i.warehouse_id = w.warehouse_id and i.event_type = t.event_type
                   and i.event_id > $1 and i.event_id <= $2
                 order by i.event_id limit $5) run
   order by run.event_id limit $5) page
  join integration_events e using (event_id)`);
