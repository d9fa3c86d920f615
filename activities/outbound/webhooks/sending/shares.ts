import { setTimeout as pause } from "node:timers/promises";
import { log } from "../../../../src/log.js";
import { HEAD_ATTEMPT } from "../../../../src/outbound/webhooks/queries.js";
import { SENDING_WORKER, senderLock } from "../../../../src/outbound/webhooks/senders.js";
import type { Changes } from "./changes.js";
import type { Held, Locks } from "./locks.js";

/** How soon the subscriptions of a worker that died or started are taken or given up. */
const LOOK_EVERY_MS = 2_000;
const AFTER_FAILURE_MS = 1_000;

/** Sends for a subscription whose lock is held. The function that it gives is called once the lock is released. */
type Send = (held: Held, stop: AbortSignal) => Promise<(() => Promise<void>) | undefined>;

/**
 * Shares the active subscriptions out equally among the workers. Each worker takes free ones as long as it has fewer
 * than its share, and gives up those above it. A subscription whose next delivery waits for a retry stays free: the
 * retry needs its lock.
 */
export function keepShare(locks: Locks, changes: Changes, send: Send): { stop(): Promise<void> } {
  const mine = new Map<string, { giveUp: AbortController; done: Promise<void> }>();
  let stopping = false;
  let news = false;
  let wake = () => {};
  const lookSoon = () => {
    news = true;
    wake();
  };

  async function look(): Promise<void> {
    const [found] = await locks.query<Survey>(SURVEY);
    const { workers, active, free } = found as Survey;
    const share = Math.ceil(active / workers);
    const kept = [...mine.values()].filter(({ giveUp }) => !giveUp.signal.aborted);
    for (const { giveUp } of kept.slice(share)) giveUp.abort();
    const more = Math.max(0, share - mine.size);
    for (const held of await locks.take(free.slice(0, more))) begin(held);
  }

  function begin(held: Held): void {
    const giveUp = new AbortController();
    mine.set(held.subscriptionId, { giveUp, done: work(held, giveUp.signal) });
  }

  async function work(held: Held, stop: AbortSignal): Promise<void> {
    let after: (() => Promise<void>) | undefined;
    try {
      after = await send(held, stop);
    } catch (err) {
      if (!held.lost.aborted) log.warn({ err, subscription_id: held.subscriptionId }, "webhook sender failed");
      await pause(AFTER_FAILURE_MS, undefined, { signal: stop }).catch(() => {});
    }
    await held.release();
    mine.delete(held.subscriptionId);
    lookSoon();
    await after?.();
  }

  const giveAllUp = () => {
    for (const { giveUp } of mine.values()) giveUp.abort();
  };

  const unlisten = changes.onAny(lookSoon);
  const looking = (async () => {
    while (!stopping) {
      news = false;
      try {
        await look();
      } catch (err) {
        log.warn({ err }, "webhook subscriptions not shared out, trying again");
      }
      if (news || stopping) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LOOK_EVERY_MS);
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
      unlisten();
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
  active: number;
  /** Subscriptions that no worker sends for, in random order, so that workers seldom try the same ones. */
  free: string[];
}

const SURVEY = `
  with locks as materialized (
    select classid, objid, objsubid from pg_locks
    where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())
  ), active as (select * from webhook_subscriptions where status = 'active')
  select (select count(*)::int from locks where objsubid = 2 and classid = ${SENDING_WORKER}) as workers,
         (select count(*)::int from active) as active,
         (select coalesce(json_agg(subscription_id order by random()), '[]') from active s
          where ${senderLock("subscription_id")}
            not in (select classid::bigint << 32 | objid::bigint from locks where objsubid = 1)
            and coalesce(${HEAD_ATTEMPT}, 1) = 1) as free`;
