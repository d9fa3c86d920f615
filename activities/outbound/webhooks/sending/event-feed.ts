import type { z } from "zod";
import { type Filter, Selectable, selects } from "../../../../src/outbound/webhooks/filter.js";
import { int } from "../../../../src/platform/db/columns.js";
import { db } from "../../../../src/platform/db/db.js";
import { openListener } from "../../../../src/platform/db/listener.js";
import { log } from "../../../../src/platform/log.js";

/**
 * Spec 6.3, rule 5: two seconds after an event became visible. The notification comes after that, so the timer is never
 * too early.
 */
const DUE_AFTER_MS = 2_000;
/** The newest events that are kept in memory; senders that are further behind read the table. */
const MAX_KNOWN = 20_000;

const Known = Selectable.extend({ event_id: int });
type Known = z.infer<typeof Known>;

/**
 * The newest events, in memory, shared by all subscriptions of a worker: a subscription whose filter selects none of
 * them costs no query.
 */
export interface EventFeed {
  /** The newest event that may be sent. */
  readonly due: number;
  /** Whether the filter may select one of the events after `after`, up to `due`. */
  hasFor(filter: Filter, after: number): boolean;
  /** How many it selects of them, up to `most`; those that are not known count as many. */
  countFor(filter: Filter, after: number, most: number): number;
  /** Calls the listener whenever more events are due; gives a function that ends this. */
  onDue(listener: () => void): () => void;
  close(): Promise<void>;
}

export function openFeed(databaseUrl: string, pollEveryMs: number): EventFeed {
  let heard = 0;
  let due = 0;
  let known: Known[] = [];
  let knownAfter = 0;
  const listeners = new Set<() => void>();
  const timers = new Set<NodeJS.Timeout>();
  let advancing: Promise<void> = Promise.resolve();

  function hear(eventId: number): void {
    if (!(eventId > heard)) return;
    heard = eventId;
    const timer = setTimeout(() => {
      timers.delete(timer);
      advancing = advancing.then(() => advance(eventId));
    }, DUE_AFTER_MS);
    timers.add(timer);
  }

  async function advance(upto: number): Promise<void> {
    try {
      // Events from before the start, very many at once, and those that nobody waits for are not kept: senders read the
      // table.
      if (due === 0 || upto - due > MAX_KNOWN || listeners.size === 0) forget(upto);
      else known.push(...(await headersBetween(due, upto)));
      if (known.length > MAX_KNOWN) {
        known = known.slice(-MAX_KNOWN);
        knownAfter = (known[0] as Known).event_id - 1;
      }
    } catch (err) {
      log.warn({ err }, "new events not read");
      forget(upto);
    }
    due = upto;
    for (const listener of listeners) listener();
  }

  function forget(upto: number): void {
    known = [];
    knownAfter = upto;
  }

  function countFor(filter: Filter, after: number, most: number): number {
    if (after >= due) return 0;
    if (after < knownAfter) return most;
    let count = 0;
    const first = known.findLastIndex(({ event_id }) => event_id <= after) + 1;
    for (let i = first; i < known.length && count < most; i++) if (selects(filter, known[i] as Known)) count++;
    return count;
  }

  async function poll(): Promise<void> {
    const state = await db.row({ last_no: int }, "select last_no from sequencer_state where name = 'events'");
    hear(state?.last_no ?? 0);
  }
  const polling = () => void poll().catch((err) => log.warn({ err }, "events not polled"));
  const channel = openListener(databaseUrl, {
    integration_events_visible: { connected: polling, notified: (eventId) => hear(Number(eventId)), lost: () => {} },
  });
  const poller = setInterval(polling, pollEveryMs);

  return {
    get due() {
      return due;
    },
    hasFor: (filter, after) => countFor(filter, after, 1) > 0,
    countFor,
    onDue(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      clearInterval(poller);
      for (const timer of timers) clearTimeout(timer);
      await channel.close();
      await advancing;
    },
  };
}

const headersBetween = (after: number, upto: number) =>
  db.rows(
    Known,
    `select event_id, event_type, warehouse_id, aggregate_external_id as aggregate_id
     from integration_events where event_id > $1 and event_id <= $2 order by event_id`,
    [after, upto],
  );
