import { setTimeout as pause } from "node:timers/promises";
import type { Retry } from "../../../src/outbound/retry.js";
import { lockKey, lockName, type Owned, SENDING_WORKER } from "../../../src/outbound/sending.js";
import { log } from "../../../src/platform/log.js";
import type { Changes, Ends } from "./changes.js";
import type { Held, Locks } from "./locks.js";

/** How often a worker compares what it holds with its share, to take over from one that died or give to a new one. */
const LOOK_EVERY_MS = 2_000;
const AFTER_FAILURE_MS = 1_000;

/** What is shared out: webhook subscriptions, channels, or notification destinations. */
export interface Shared {
  /** A single one, for the log. */
  what: string;
  /** SQL of the active ones: their `id`, and whether it is `free` to be sent for, by whoever holds its lock. */
  active: string;
  /** The kind of their locks. */
  kind: Owned;
  /** Says when to look for active ones at once. */
  changes?: Changes;
  /** How often it looks for them anyway. */
  lookEveryMs?: number;
  /** What is done before each look. */
  prepare?(): Promise<void>;
  /** Sends for one whose lock is held. What it gives is a retry to be started once the lock is released. */
  send(id: string, ends: Ends): Promise<Retry | undefined>;
}

/**
 * Shares what is active and free out equally among the workers. Each worker takes free ones as long as it has fewer
 * than its share, and gives up those above it.
 */
export function keepShare(
  { what, active, kind, changes, lookEveryMs = LOOK_EVERY_MS, prepare, send }: Shared,
  locks: Locks,
  startRetry: (retry: Retry) => Promise<void>,
): { stop(): Promise<void> } {
  const survey = surveyOf(active, kind);
  const mine = new Map<string, { giveUp: AbortController; done: Promise<void> }>();
  let stopping = false;
  let news = false;
  let wake = () => {};
  const lookSoon = () => {
    news = true;
    wake();
  };

  async function look(): Promise<void> {
    const [found] = await locks.query<Survey>(survey);
    const { workers, total, free } = found as Survey;
    const share = Math.ceil(total / workers);
    const kept = [...mine.values()].filter(({ giveUp }) => !giveUp.signal.aborted);
    for (const { giveUp } of kept.slice(share)) giveUp.abort();
    const more = Math.max(0, share - mine.size);
    const names = new Map(free.slice(0, more).map((id) => [lockName(kind, id), id]));
    for (const held of await locks.take([...names.keys()])) begin(names.get(held.name) as string, held);
  }

  function begin(id: string, held: Held): void {
    const giveUp = new AbortController();
    mine.set(id, { giveUp, done: work(id, held, giveUp.signal) });
  }

  async function work(id: string, held: Held, stop: AbortSignal): Promise<void> {
    let retry: Retry | undefined;
    try {
      retry = await send(id, { stop, lost: held.lost });
    } catch (err) {
      if (!held.lost.aborted) log.warn({ err, id }, `sender of a ${what} failed`);
      await pause(AFTER_FAILURE_MS, undefined, { signal: stop }).catch(() => {});
    }
    await held.release();
    mine.delete(id);
    lookSoon();
    if (retry) await startRetry(retry);
  }

  const giveAllUp = () => {
    for (const { giveUp } of mine.values()) giveUp.abort();
  };

  const unlisten = changes?.onAny(lookSoon);
  const looking = (async () => {
    while (!stopping) {
      news = false;
      try {
        await prepare?.();
        await look();
      } catch (err) {
        log.warn({ err }, `${what}s not shared out, trying again`);
      }
      if (news || stopping) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, lookEveryMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  })();

  return {
    /** Ends all senders after their current delivery. */
    async stop() {
      unlisten?.();
      stopping = true;
      giveAllUp();
      wake();
      await looking;
      // It may have taken some more meanwhile.
      giveAllUp();
      await locks.leave();
      await Promise.all([...mine.values()].map(({ done }) => done));
    },
  };
}

interface Survey {
  workers: number;
  /** Those that somebody can send for, now or already. */
  total: number;
  /** Those that no worker sends for, in random order, so that workers seldom try the same ones. */
  free: string[];
}

const surveyOf = (active: string, kind: Owned) => `
  with locks as materialized (
    select classid, objid, objsubid from pg_locks
    where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())
  ), active as (${active})
  select (select count(*)::int from locks where objsubid = 2 and classid = ${SENDING_WORKER}) as workers,
         (select count(*)::int from active where free) as total,
         (select coalesce(json_agg(id order by random()), '[]') from active
          where free and ${lockKey(kind, "id")}
            not in (select classid::bigint << 32 | objid::bigint from locks where objsubid = 1)) as free`;
