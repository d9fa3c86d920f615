/** Numbers that one look goes through, from the next event on: between two epochs of the stream there are none. */
const WINDOW = 5_000;

/**
 * SQL: the next events that readers may see (two seconds old), after which the progress in this table stands: those
 * above `after`, up to `upto`, of all up to `horizon`. No row where there are none. The row of the progress is locked,
 * one worker at a time.
 */
export const nextEvents = (progress: "fulfillment_push_progress" | "notification_progress"): string => `
    select p.event_id as after, h.event_id as horizon,
           least(h.event_id, ${WINDOW} - 1 + (select event_id from integration_events where event_id > p.event_id
                                              order by event_id limit 1)) as upto
    from (select event_id from ${progress} for update skip locked) p,
         (select event_id from integration_events
          where event_id is not null and visible_at <= now() - interval '2 seconds'
          order by event_id desc limit 1) h
    where h.event_id > p.event_id`;
