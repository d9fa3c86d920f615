import { db, transaction } from "../src/db.js";

/** One batch; a second one follows at once when it was full. */
const BATCH = 1_000;
/** The advisory lock that makes numbering a one-at-a-time job, whoever does it. */
const SEQUENCER_LOCK = 7_301;

/**
 * Gives `event_id` to committed events, in batches (design rule 7): dense, and a reader that has seen n never later finds
 * one below n, because numbers are given after commit, under one lock. Returns how many were numbered.
 */
function sequenceEvents(): Promise<number> {
  return transaction(async (tx) => {
    await tx.run("select pg_advisory_xact_lock($1)", [SEQUENCER_LOCK]);
    return tx.run(
      `with waiting as (
         select outbox_id, row_number() over (order by outbox_id) as place
         from (select outbox_id from integration_events where event_id is null order by outbox_id limit $1) w
       )
       update integration_events e
       set event_id = (select coalesce(max(event_id), 0) from integration_events) + waiting.place,
           visible_at = clock_timestamp()
       from waiting where e.outbox_id = waiting.outbox_id`,
      [BATCH],
    );
  });
}

/** Numbers all that is waiting, then tells listeners once; nothing is said when there was nothing. */
export async function sequenceAll(): Promise<number> {
  let total = 0;
  for (let n = BATCH; n === BATCH; total += n) n = await sequenceEvents();
  if (total > 0)
    await db.run("select pg_notify('integration_events_visible', '')");
  return total;
}
