import { type Listening, openListener } from "../../src/platform/db/listener.js";
import { log } from "../../src/platform/log.js";
import { type LiveEvent, liveEvents, newestEvent } from "../../src/system/live.js";

/** A client that is told of events as they happen. */
export interface Watcher {
  /** Authenticates the client again, and reads what it may see; throws for a session that has ended. */
  current(): Promise<void>;
  /** Called once: all events after this one will be told. */
  begin(newest: number): void;
  /** New events, in order. */
  tell(events: LiveEvent[]): void;
  /** Too many events to tell one by one: the client reads everything again, and gets the events after this one. */
  startAnew(newest: number): void;
  end(): void;
}

/** The most events that are told one by one. */
const MOST_TOLD = 1_000;

/** The events of this process: it listens once, for all clients. */
let listening: Listening | undefined;
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
  listening = openListener(databaseUrl, {
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
  await listening?.close();
  await advancing;
}

function advance(target: () => Promise<number>): void {
  advancing = advancing
    .then(async () => tellUpTo(await target()))
    .catch((err) => log.warn({ err }, "new events not told"));
}

async function tellUpTo(upto: number): Promise<void> {
  const before = newest;
  // A restored database begins with a lower number.
  if (upto === before) return;
  const isGap = upto < before || upto - before > MOST_TOLD;
  const events = isGap || watchers.size === 0 ? [] : await liveEvents(before, upto, MOST_TOLD);
  newest = upto;
  isKnown();
  if (!isGap && events.length === 0) return;
  await Promise.all([...watchers].map((watcher) => tellOne(watcher, isGap ? undefined : events, upto)));
}

/**
 * Tells a client that is still authorised: rights are those of this moment, from the same cache as for every request.
 */
async function tellOne(watcher: Watcher, events: LiveEvent[] | undefined, upto: number): Promise<void> {
  try {
    await watcher.current();
  } catch {
    return watcher.end();
  }
  if (!watchers.has(watcher)) return;
  if (events) watcher.tell(events);
  else watcher.startAnew(upto);
}

const places = new Map<number, number>();

/** Takes one of the places of a user; the returned function frees it. Undefined where none is left. */
export function takePlace(userId: number, most: number): (() => void) | undefined {
  const taken = places.get(userId) ?? 0;
  if (taken >= most) return undefined;
  places.set(userId, taken + 1);
  return () => {
    const left = (places.get(userId) ?? 1) - 1;
    if (left > 0) places.set(userId, left);
    else places.delete(userId);
  };
}

/**
 * Tells of all events from now on, and before that of those since the one that the client had last. Returns a function
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
