import { type Channel, openListener } from "../../src/db/listener.js";
import { log } from "../../src/log.js";
import { type LiveEvent, liveEvents, newestEvent } from "../../src/outbound/events/live.js";

/** Somebody who is told of events as they happen. */
export interface Watcher {
  userId: number;
  /** Called once: all events after this one will be told. */
  begin(newest: number): void;
  /** New events, in order. */
  tell(events: LiveEvent[]): void;
  /** Too many events to tell one by one: everything is to be read again, and events after this one follow. */
  startAnew(newest: number): void;
  end(): void;
}

/** More events than these are not told one by one. */
const MOST_TOLD = 1_000;

/** The events of this process: it listens once, for all who watch. */
let channel: Channel | undefined;
let newest = 0;
/** Resolves when the newest event is known: the first time that the database is reached. */
let known: Promise<void>;
let isKnown: () => void;
let advancing: Promise<void> = Promise.resolve();
const watchers = new Set<Watcher>();

/** More often than proxies give up on a silent connection. */
let beatEveryMs: number;
export const beatEvery = () => beatEveryMs;

export function openLive(databaseUrl: string, beatMs = 20_000): void {
  beatEveryMs = beatMs;
  newest = -1;
  known = new Promise((resolve) => {
    isKnown = resolve;
  });
  channel = openListener(databaseUrl, {
    integration_events_visible: {
      connected: () => advance(newestEvent),
      notified: (eventId) => advance(async () => Number(eventId)),
      lost: () => {},
    },
  });
}

/** Ends all streams, so that the server can stop. */
export async function closeLive(): Promise<void> {
  for (const watcher of watchers) watcher.end();
  watchers.clear();
  await channel?.close();
  await advancing;
}

function advance(target: () => Promise<number>): void {
  advancing = advancing
    .then(async () => tellUpTo(await target()))
    .catch((err) => log.warn({ err }, "new events not told"));
}

async function tellUpTo(upto: number): Promise<void> {
  const before = newest;
  // A restored database begins at an earlier number.
  if (upto === before) return;
  const isGap = upto < before || upto - before > MOST_TOLD;
  const events = isGap || watchers.size === 0 ? [] : await liveEvents(before, upto, MOST_TOLD);
  newest = upto;
  isKnown();
  for (const watcher of watchers) {
    if (isGap) watcher.startAnew(upto);
    else watcher.tell(events);
  }
}

export const watchersOf = (userId: number): number =>
  [...watchers].filter((watcher) => watcher.userId === userId).length;

/**
 * Tells of all events from now on; before that, of those since the one that the watcher heard last. Gives a function
 * that ends this.
 */
export async function watch(watcher: Watcher, after?: number): Promise<() => void> {
  await known;
  let heard = after ?? newest;
  while (heard !== newest) {
    const upto = newest;
    const isGap = heard > upto || upto - heard > MOST_TOLD;
    if (isGap) watcher.startAnew(upto);
    else watcher.tell(await liveEvents(heard, upto, MOST_TOLD));
    heard = upto;
  }
  watcher.begin(newest);
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
