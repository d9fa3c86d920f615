import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { log } from "../log.js";
import { Client } from "./client.js";

/** Callbacks for the notifications of a Postgres channel. Those between `lost` and `connected` are missed. */
export interface Listener {
  notified(payload: string): void;
  connected(): void;
  lost(): void;
}

const RECONNECT_AFTER_MS = 500;
/** A network may fail silently: a connection that does not answer a ping in time is lost. */
const PING_EVERY_MS = 5_000;
const ANSWER_WITHIN_MS = 5_000;

/** A connection that listens. */
export interface Listening {
  close(): Promise<void>;
}

/**
 * Listens over a connection of its own, for each listener to the channel that is its key, and reconnects whenever the
 * connection is lost, until it is closed.
 */
export function openListener(url: string, listeners: Record<string, Listener>): Listening {
  const channels = Object.keys(listeners).join();
  const closing = new AbortController();
  const { signal } = closing;
  const keepListening = async () => {
    while (!signal.aborted) {
      const client = new Client({
        connectionString: url,
        application_name: `warehouse ${channels}`,
        connectionTimeoutMillis: ANSWER_WITHIN_MS,
        query_timeout: ANSWER_WITHIN_MS,
      });
      try {
        await listen(client, listeners, signal);
      } catch (err) {
        for (const listener of Object.values(listeners)) listener.lost();
        if (!signal.aborted) log.warn({ err, channels }, "channel lost");
      }
      await client.end().catch(() => {});
      await pause(RECONNECT_AFTER_MS, undefined, { signal }).catch(() => {});
    }
  };
  const listening = keepListening();
  return {
    close: async () => {
      closing.abort();
      await listening;
    },
  };
}

/** Ends only with an error: of the connection, or because it is being closed. */
async function listen(client: pg.Client, listeners: Record<string, Listener>, closing: AbortSignal): Promise<never> {
  const lost = new AbortController();
  client.on("error", (error) => lost.abort(error));
  client.on("end", () => lost.abort());
  client.on("notification", ({ channel, payload }) => listeners[channel]?.notified(payload ?? ""));
  const signal = AbortSignal.any([closing, lost.signal]);
  await client.connect();
  await client.query(
    Object.keys(listeners)
      .map((channel) => `listen ${channel}`)
      .join("; "),
  );
  for (const listener of Object.values(listeners)) listener.connected();
  for (;;) {
    await pause(PING_EVERY_MS, undefined, { signal });
    await client.query("select 1");
  }
}
