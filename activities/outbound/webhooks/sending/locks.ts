import { setMaxListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { keyedMutex } from "../../../../src/concurrency/keyed-mutex.js";
import { log } from "../../../../src/log.js";
import { SENDER_LOCK } from "../../../../src/outbound/webhooks/senders.js";

const PING_EVERY_MS = 5_000;
const ANSWER_WITHIN_MS = 5_000;
const RETRY_AFTER_MS = 200;

/**
 * One sender for each subscription, over all workers: it holds an advisory lock, which Postgres releases with the
 * connection. All locks of a worker are held by one connection; when that is lost, the work under them is aborted.
 */
export interface Locks {
  /** Waits for the lock, runs `work` and releases the lock. `lost` is aborted when the lock is lost. */
  under<T>(subscriptionId: string, stop: AbortSignal, work: (lost: AbortSignal) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface Session {
  client: pg.Client;
  lost: AbortController;
  ping: NodeJS.Timeout;
}

export function openLocks(url: string): Locks {
  let session: Promise<Session> | undefined;
  /** A session can take its own lock again, so the senders of a subscription in this process need a mutex too. */
  const mutex = keyedMutex<string>();

  async function connect(): Promise<Session> {
    const client = new pg.Client({
      connectionString: url,
      application_name: "warehouse webhook locks",
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      keepAlive: true,
      // So that the server soon notices a lost connection and releases its locks.
      options: "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=2",
    });
    const lost = new AbortController();
    setMaxListeners(0, lost.signal);
    const onLost = (err?: Error) => {
      if (lost.signal.aborted) return;
      session = undefined;
      clearInterval(ping);
      lost.abort(err ?? new Error("connection ended"));
      client.end().catch(() => {});
      if (err) log.warn({ err }, "webhook locks lost");
    };
    const ping = setInterval(() => void client.query("select 1").catch(onLost), PING_EVERY_MS);
    client.on("error", onLost);
    client.on("end", () => onLost());
    try {
      await client.connect();
    } catch (error) {
      onLost();
      throw error;
    }
    return { client, lost, ping };
  }

  function openSession(): Promise<Session> {
    if (!session) {
      const opening = connect();
      session = opening;
      opening.catch(() => {
        if (session === opening) session = undefined;
      });
    }
    return session;
  }

  async function withLock<T>(
    subscriptionId: string,
    stop: AbortSignal,
    work: (lost: AbortSignal) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      stop.throwIfAborted();
      const { client, lost } = await openSession();
      const { rows } = await client.query(`select pg_try_advisory_lock(${SENDER_LOCK}) as locked`, [subscriptionId]);
      if (rows[0].locked) {
        try {
          return await work(lost.signal);
        } finally {
          if (!lost.signal.aborted)
            await client.query(`select pg_advisory_unlock(${SENDER_LOCK})`, [subscriptionId]).catch(() => client.end());
        }
      }
      await pause(RETRY_AFTER_MS);
    }
  }

  return {
    under: (subscriptionId, stop, work) => mutex(subscriptionId, () => withLock(subscriptionId, stop, work)),
    async close() {
      const closing = await session?.catch(() => undefined);
      await closing?.client.end();
    },
  };
}
