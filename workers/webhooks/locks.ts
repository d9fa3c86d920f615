import { setMaxListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { inTurn } from "../../src/in-turn.js";
import { log } from "../../src/log.js";
import { SENDER_LOCK } from "../../src/webhooks/senders.js";

const PING_EVERY_MS = 5_000;
const ANSWER_WITHIN_MS = 5_000;
const AGAIN_AFTER_MS = 200;

/**
 * Who sends for a subscription holds its lock, over all workers: a session lock of Postgres, which is gone with its connection. All
 * locks of a worker are held by one connection; when that is lost, whoever works under them is told to stop.
 */
export interface Locks {
  /** Waits for the lock, works under it and gives it back. `lost` says that it is not held any more. */
  under<T>(
    subscriptionId: string,
    stop: AbortSignal,
    work: (lost: AbortSignal) => Promise<T>,
  ): Promise<T>;
  close(): Promise<void>;
}

interface Session {
  client: pg.Client;
  lost: AbortController;
  ping: NodeJS.Timeout;
}

export function openLocks(url: string): Locks {
  let session: Promise<Session> | undefined;
  /** A session may take its own lock again, so within this process the senders of a subscription wait for each other. */
  const oneByOne = inTurn<string>();

  async function connect(): Promise<Session> {
    const client = new pg.Client({
      connectionString: url,
      application_name: "warehouse webhook locks",
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      keepAlive: true,
      // The server too must find out soon that this end is gone, or its locks would stay.
      options:
        "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=2",
    });
    const lost = new AbortController();
    setMaxListeners(0, lost.signal);
    const lose = (err?: Error) => {
      if (lost.signal.aborted) return;
      session = undefined;
      clearInterval(ping);
      lost.abort(err ?? new Error("connection ended"));
      client.end().catch(() => {});
      if (err) log.warn({ err }, "webhook locks lost");
    };
    const ping = setInterval(
      () => void client.query("select 1").catch(lose),
      PING_EVERY_MS,
    );
    client.on("error", lose);
    client.on("end", () => lose());
    try {
      await client.connect();
    } catch (error) {
      lose();
      throw error;
    }
    return { client, lost, ping };
  }

  function opened(): Promise<Session> {
    if (!session) {
      const opening = connect();
      session = opening;
      opening.catch(() => {
        if (session === opening) session = undefined;
      });
    }
    return session;
  }

  async function locked<T>(
    subscriptionId: string,
    stop: AbortSignal,
    work: (lost: AbortSignal) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      stop.throwIfAborted();
      const { client, lost } = await opened();
      const { rows } = await client.query(
        `select pg_try_advisory_lock(${SENDER_LOCK}) as got`,
        [subscriptionId],
      );
      if (rows[0].got) {
        try {
          return await work(lost.signal);
        } finally {
          if (!lost.signal.aborted)
            await client
              .query(`select pg_advisory_unlock(${SENDER_LOCK})`, [
                subscriptionId,
              ])
              .catch(() => client.end());
        }
      }
      await pause(AGAIN_AFTER_MS);
    }
  }

  return {
    under: (subscriptionId, stop, work) =>
      oneByOne(subscriptionId, () => locked(subscriptionId, stop, work)),
    async close() {
      const closing = await session?.catch(() => undefined);
      await closing?.client.end();
    },
  };
}
