/** The most event ids that one run processes, counted from the next event on, because a new epoch skips ids. */
const WINDOW = 5_000;

/**
 * SQL for one row, or none if there is nothing new: `after` is the last event that was processed, `horizon` the newest
 * one that readers may see (two seconds old), `upto` the last one of this run. Locks the progress row, so that one
 * worker at a time processes events.
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
