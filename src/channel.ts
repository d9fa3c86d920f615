import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { log } from "./log.js";

/** What hears a channel of NOTIFY. Between `lost` and `connected` something may have been said that nobody heard. */
export interface Hearer {
  heard(payload: string): void;
  connected(): void;
  lost(): void;
}

const AGAIN_AFTER_MS = 500;
/** A network can go away without a word: a connection that gives no answer in this time is lost. */
const ASK_EVERY_MS = 5_000;
const ANSWER_WITHIN_MS = 5_000;

/** A channel that is being listened to. */
export interface Channel {
  close(): Promise<void>;
}

/** Listens over a connection of its own, which is made again whenever it is lost, until it is closed. */
export function openChannel(
  url: string,
  channel: string,
  hearer: Hearer,
): Channel {
  const closing = new AbortController();
  const { signal } = closing;
  const keepListening = async () => {
    while (!signal.aborted) {
      const client = new pg.Client({
        connectionString: url,
        application_name: `warehouse ${channel}`,
        connectionTimeoutMillis: ANSWER_WITHIN_MS,
        query_timeout: ANSWER_WITHIN_MS,
      });
      try {
        await listen(client, channel, hearer, signal);
      } catch (err) {
        hearer.lost();
        if (!signal.aborted) log.warn({ err, channel }, "channel lost");
      }
      await client.end().catch(() => {});
      await pause(AGAIN_AFTER_MS, undefined, { signal }).catch(() => {});
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

/** Ends only with an error: the connection's, or because it is to be closed. */
async function listen(
  client: pg.Client,
  channel: string,
  hearer: Hearer,
  closing: AbortSignal,
): Promise<never> {
  const lost = new AbortController();
  client.on("error", (error) => lost.abort(error));
  client.on("end", () => lost.abort());
  client.on("notification", ({ payload }) => hearer.heard(payload ?? ""));
  const signal = AbortSignal.any([closing, lost.signal]);
  await client.connect();
  await client.query(`listen ${channel}`);
  hearer.connected();
  for (;;) {
    await pause(ASK_EVERY_MS, undefined, { signal });
    await client.query("select 1");
  }
}
