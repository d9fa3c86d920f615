import { setMaxListeners } from "node:events";
import type pg from "pg";
import { LOCKS_CONNECTION, SENDING_WORKER } from "../../../src/outbound/sending.js";
import { keyedMutex } from "../../../src/platform/concurrency/keyed-mutex.js";
import { Client } from "../../../src/platform/db/client.js";
import { log } from "../../../src/platform/log.js";

const ANSWER_WITHIN_MS = 5_000;

/**
 * One sender for each thing that is sent for, over all workers: it holds an advisory lock, which Postgres releases with
 * the connection. All locks of a worker are held by one connection; when that is lost, the work
 * under them is aborted. It also holds a lock of its own, by which the workers are counted.
 */
export interface Locks {
  /**
   * Takes those of the locks that are free. The key of each is the hash of its name, src/outbound/sending.ts.
   */
  take(names: string[]): Promise<Held[]>;
  /** Asks over the connection of the locks; when that does not answer, it is lost. */
  query<R extends pg.QueryResultRow>(text: string): Promise<R[]>;
  /** This worker takes no locks any more and does not count. */
  leave(): Promise<void>;
  close(): Promise<void>;
}

export interface Held {
  name: string;
  /** Aborted when the lock is lost. */
  lost: AbortSignal;
  release(): Promise<void>;
}

interface Session {
  client: pg.Client;
  lost: AbortSignal;
  query: <R extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<R[]>;
}

export function openLocks(url: string): Locks {
  let session: Promise<Session> | undefined;
  /** A session can take its own lock again, so this process remembers what it holds, until it is released. */
  const mine = new Set<string>();
  let left = false;

  async function connect(): Promise<Session> {
    const client = new Client({
      connectionString: url,
      application_name: LOCKS_CONNECTION,
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      keepAlive: true,
    });
    const lost = new AbortController();
    setMaxListeners(0, lost.signal);
    const onLost = (err?: Error) => {
      if (lost.signal.aborted) return;
      session = undefined;
      lost.abort(err ?? new Error("connection ended"));
      client.end().catch(() => {});
      if (err) log.warn({ err }, "locks of senders lost");
    };
    client.on("error", onLost);
    client.on("end", () => onLost());
    // A client takes one query at a time.
    const oneByOne = keyedMutex<pg.Client>();
    const query: Session["query"] = async (text, values) => {
      try {
        return (await oneByOne(client, () => client.query(text, values))).rows;
      } catch (error) {
        onLost(error as Error);
        throw error;
      }
    };
    try {
      await client.connect();
    } catch (error) {
      onLost();
      throw error;
    }
    // So that the server soon notices a lost connection and releases its locks.
    await query("set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 2");
    await query(`select pg_advisory_lock(${SENDING_WORKER}, pg_backend_pid())`);
    return { client, lost: lost.signal, query };
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

  const held = (name: string, { lost, query }: Session): Held => ({
    name,
    lost,
    async release() {
      // An error loses the session, and the lock with it.
      if (!lost.aborted) await query("select pg_advisory_unlock(hashtextextended($1, 0))", [name]).catch(() => {});
      mine.delete(name);
    },
  });

  return {
    async take(names) {
      const wanted = names.filter((name) => !mine.has(name));
      if (wanted.length === 0) return [];
      for (const name of wanted) mine.add(name);
      const taken = new Set<string>();
      try {
        const opened = await openSession();
        const rows = await opened.query<{ name: string; locked: boolean }>(
          "select name, pg_try_advisory_lock(hashtextextended(name, 0)) as locked from unnest($1::text[]) name",
          [wanted],
        );
        for (const { name, locked } of rows) if (locked) taken.add(name);
        return [...taken].map((name) => held(name, opened));
      } finally {
        for (const name of wanted) if (!taken.has(name)) mine.delete(name);
      }
    },
    query: async (text) => (await openSession()).query(text),
    async leave() {
      if (left) return;
      left = true;
      const opened = await session?.catch(() => undefined);
      await opened?.query(`select pg_advisory_unlock(${SENDING_WORKER}, pg_backend_pid())`).catch(() => {});
    },
    async close() {
      const closing = await session?.catch(() => undefined);
      await closing?.client.end();
    },
  };
}
