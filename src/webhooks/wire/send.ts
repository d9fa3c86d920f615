import { createHash } from "node:crypto";
import type { ErrorKind } from "../error-kinds.js";
import { resolveChecked } from "./addresses.js";
import type { Connecting } from "./connect.js";
import { Failure, failureOf, failureOfStatus } from "./failure.js";
import { openLines } from "./lines.js";
import { type Answer, post } from "./post.js";
import { unlessAborted, withinTime } from "./time.js";

export interface WireOptions extends Connecting {
  /** The most that may pass without a byte of the answer. */
  readTimeoutMs: number;
  /** The most that one attempt may take, all in all. */
  totalTimeoutMs: number;
  allowHttp: boolean;
  allowInternal: boolean;
  /** Instead of those of this machine. */
  nameServers?: string[];
}

export interface Delivery {
  url: string;
  headers: Record<string, string>;
  /** Sent as it is. */
  body: Buffer;
  /** Ends the attempt at once. */
  signal?: AbortSignal;
}

/** What became of an attempt; what the partner answered is not kept. */
export interface Outcome {
  ok: boolean;
  http_status: number | null;
  error_kind: ErrorKind | null;
  error_detail: string | null;
  response_time_ms: number;
  /** SHA-256 of the answer's body, as far as it was read, in hexadecimal. */
  response_body_hash: string | null;
}

export interface Wire {
  /** Makes one attempt; never throws. */
  send(delivery: Delivery): Promise<Outcome>;
  /** Ends the connections that are kept open. */
  close(): void;
}

const LONGEST_DETAIL = 512;

/** What webhooks go out by (spec 6.3, rules 2 and 6 to 8). Connections are kept open for a while. */
export function openWire(options: WireOptions): Wire {
  const lines = openLines(options);

  async function attempt(
    { url, headers, body }: Delivery,
    answer: Answer,
    signal: AbortSignal,
  ): Promise<void> {
    const { origin, protocol, hostname, pathname, search, username, password } =
      new URL(url);
    if (protocol !== "https:" && !(options.allowHttp && protocol === "http:"))
      throw new Failure("ssrf_rejected", `${protocol} is not allowed`);
    const addresses = await unlessAborted(
      resolveChecked(hostname, options),
      signal,
    );
    const request = {
      path: pathname + search,
      headers:
        username || password
          ? { ...headers, ...basic(username, password) }
          : headers,
      body,
    };
    const limits = { signal, readTimeoutMs: options.readTimeoutMs };
    let line = lines.take(origin, addresses);
    try {
      await post(line.client, request, answer, limits);
    } catch (error) {
      // What was kept open may have been closed at the other end while the request was on its way.
      const stale = !line.fresh && answer.status === null;
      if (!stale || failureOf(error).kind !== "connection") throw error;
      line = lines.open(origin, addresses);
      await post(line.client, request, answer, limits);
    }
    lines.giveBack(line);
  }

  return {
    send: async (delivery) => {
      const began = performance.now();
      const answer: Answer = { status: null, body: [] };
      const failure = await withinTime(
        options.totalTimeoutMs,
        delivery.signal,
        (signal) => attempt(delivery, answer, signal),
      ).catch(failureOf);
      const problem = failure ?? failureOfStatus(answer.status as number);
      return {
        ok: !problem,
        http_status: answer.status,
        error_kind: problem?.kind ?? null,
        error_detail: problem?.detail.slice(0, LONGEST_DETAIL) ?? null,
        response_time_ms: Math.round(performance.now() - began),
        response_body_hash: failure ? null : hashOf(answer.body),
      };
    },
    close: lines.close,
  };
}

const basic = (username: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(
    `${decodeURIComponent(username)}:${decodeURIComponent(password)}`,
  ).toString("base64")}`,
});

const hashOf = (chunks: Buffer[]) => {
  const hash = createHash("sha256");
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex");
};
