import { openChannel } from "../../src/channel.js";
import { db } from "../../src/db.js";
import { log } from "../../src/log.js";
import type { Filter } from "../../src/webhooks/filter.js";

/** Spec 6.3, rule 5: two seconds after an event is visible. It is heard of later than that, so this is never too early. */
const DUE_AFTER_MS = 2_000;
/** So many of the newest events are known by what filters ask for; who is further behind reads them from the table. */
const MOST_KNOWN = 20_000;

interface Known {
  event_id: number;
  event_type: string;
  warehouse_id: number;
  aggregate_id: string;
}

/**
 * What a worker knows of new events, once for all its subscriptions, so that a subscription which they do not concern asks nothing.
 */
export interface EventFeed {
  /** The newest event whose time has come. */
  readonly due: number;
  /** Whether one of the events after this one, up to the newest due one, may be wanted. */
  hasFor(filter: Filter, after: number): boolean;
  /** Wakes the listener whenever more events are due; gives how to stop that. */
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
      // What was there before, or comes in masses, is read from the table by whoever wants it.
      if (due === 0 || upto - due > MOST_KNOWN) forget(upto);
      else known.push(...(await headersBetween(due, upto)));
      if (known.length > MOST_KNOWN) {
        known = known.slice(-MOST_KNOWN);
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

  async function poll(): Promise<void> {
    const state = await db.row<{ last_no: number }>(
      "select last_no from sequencer_state where name = 'events'",
    );
    hear(state?.last_no ?? 0);
  }
  const polling = () =>
    void poll().catch((err) => log.warn({ err }, "events not polled"));
  const channel = openChannel(databaseUrl, "integration_events_visible", {
    connected: polling,
    heard: (eventId) => hear(Number(eventId)),
    lost: () => {},
  });
  const poller = setInterval(polling, pollEveryMs);

  return {
    get due() {
      return due;
    },
    hasFor(filter, after) {
      if (after >= due) return false;
      if (after < knownAfter) return true;
      const first =
        known.findLastIndex(({ event_id }) => event_id <= after) + 1;
      for (let i = first; i < known.length; i++)
        if (wants(filter, known[i] as Known)) return true;
      return false;
    },
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
  db.rows<Known>(
    `select event_id, event_type, warehouse_id, aggregate_external_id as aggregate_id
     from integration_events where event_id > $1 and event_id <= $2 order by event_id`,
    [after, upto],
  );

function wants(filter: Filter, event: Known): boolean {
  const { event_types, warehouse_ids, aggregate_external_id_allowlist } =
    filter;
  return (
    (event_types?.includes(event.event_type) ?? true) &&
    (warehouse_ids?.includes(event.warehouse_id) ?? true) &&
    (aggregate_external_id_allowlist?.includes(event.aggregate_id) ?? true)
  );
}
