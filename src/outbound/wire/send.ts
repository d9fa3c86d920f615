import { createHash, createHmac } from "node:crypto";
import { configure } from "safe-stable-stringify";
import { type OAuthClient, openAccessTokens } from "./access-tokens.js";
import { waitAskedFor } from "./asked-wait.js";
import type { ClientTls } from "./client-tls.js";
import { type Connecting, openLines, resolveChecked } from "./connections.js";
import { type ErrorKind, Failure } from "./error-kinds.js";
import { type Answer, exchange, failureOf, failureOfStatus, noAnswer, unlessAborted, withinTime } from "./exchange.js";
import { signedWith } from "./signing-keys.js";

export interface WireOptions extends Connecting {
  /** The longest wait for bytes of the answer. */
  readTimeoutMs: number;
  /** The longest that one attempt may take. */
  totalTimeoutMs: number;
  allowHttp: boolean;
  allowInternal: boolean;
  /** In the place of those of this machine. */
  nameServers?: string[];
}

export interface Delivery {
  url: string;
  headers: Record<string, string>;
  /** Sent as it is. */
  body: Buffer;
  /** Ends the attempt at once. */
  signal?: AbortSignal;
  /** What the partner's server wants to see when a connection is opened. */
  tls?: ClientTls | undefined;
  /** Where the partner gives access tokens, if it wants one. */
  oauth?: OAuthClient | undefined;
}

/** The result of an attempt; of the partner's answer only a hash is kept. */
export interface Outcome {
  ok: boolean;
  http_status: number | null;
  error_kind: ErrorKind | null;
  error_detail: string | null;
  response_time_ms: number;
  /** SHA-256 of the answer's body, as far as it was read, in hexadecimal. */
  response_body_hash: string | null;
  /** How long the partner asks us to wait, where it does (`Retry-After`). */
  retry_after_ms?: number;
}

export interface Wire {
  /** Makes one attempt; never throws. */
  send(delivery: Delivery): Promise<Outcome>;
  /** Closes the connections that are kept open. */
  close(): void;
}

/** Of the detail of a failure. */
export const LONGEST_DETAIL = 512;
/** No more of an answer is read. */
const MAX_BYTES = 64 * 1024;

/** Sends webhooks (docs/interface.md, Webhooks), over keep-alive connections. */
export function openWire(options: WireOptions): Wire {
  const lines = openLines();

  async function exchangeOver(
    { url, headers, body, tls }: Delivery,
    answer: Answer,
    signal: AbortSignal,
  ): Promise<void> {
    const { origin, protocol, hostname, pathname, search, username, password } = new URL(url);
    if (protocol !== "https:" && !(options.allowHttp && protocol === "http:"))
      throw new Failure("ssrf_rejected", `${protocol} is not allowed`);
    const addresses = await unlessAborted(resolveChecked(hostname, options), signal);
    const request = {
      method: "POST",
      path: pathname + search,
      headers: username || password ? { ...basic(username, password), ...headers } : headers,
      body,
    };
    const limits = {
      ...{ signal, readTimeoutMs: options.readTimeoutMs, most: () => MAX_BYTES },
      tooLong: (_status: number, announced?: number) =>
        announced === undefined ? undefined : new Failure("5xx", `The answer announces ${announced} bytes`),
    };
    const connecting = { ...options, tls };
    let line = lines.take(origin, addresses, connecting);
    try {
      await exchange(line.client, request, answer, limits);
    } catch (error) {
      // The partner may have closed a kept connection while the request was being sent.
      const stale = !line.fresh && answer.status === null;
      if (!stale || failureOf(error).kind !== "connection") throw error;
      line = lines.open(origin, addresses, connecting);
      await exchange(line.client, request, answer, limits);
    }
    lines.giveBack(line);
  }

  /** A token is asked for within the time of the attempt that wants it, but others may wait for it, too. */
  const tokens = openAccessTokens(async (url, headers, body, tls) => {
    const answer = noAnswer();
    await withinTime(options.totalTimeoutMs, undefined, (signal) =>
      exchangeOver({ url, headers, body, tls }, answer, signal),
    );
    return answer;
  });

  /** Where a token is refused, once more with a new one. */
  async function attempt(delivery: Delivery, answer: Answer, signal: AbortSignal): Promise<void> {
    const { oauth, tls, headers } = delivery;
    if (!oauth) return exchangeOver(delivery, answer, signal);
    for (const isLast of [false, true]) {
      const token = await tokens.of(oauth, tls, signal);
      const authorized = { ...headers, Authorization: `Bearer ${token}` };
      await exchangeOver({ ...delivery, headers: authorized }, Object.assign(answer, noAnswer()), signal);
      if (answer.status !== 401 || isLast) return;
      await tokens.refused(oauth, token);
    }
  }

  return {
    send: async (delivery) => {
      const began = performance.now();
      const answer = noAnswer();
      const failure = await withinTime(options.totalTimeoutMs, delivery.signal, (signal) =>
        attempt(delivery, answer, signal),
      ).catch(failureOf);
      const problem = failure ?? failureOfStatus(answer.status as number);
      const retry_after_ms = waitAskedFor(answer.headers["retry-after"]);
      return {
        ok: !problem,
        http_status: answer.status,
        error_kind: problem?.kind ?? null,
        error_detail: problem?.detail.slice(0, LONGEST_DETAIL) ?? null,
        response_time_ms: Math.round(performance.now() - began),
        response_body_hash: failure ? null : hashOf(answer.body),
        ...(problem && retry_after_ms !== null && { retry_after_ms }),
      };
    },
    close: lines.close,
  };
}

const basic = (username: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString(
    "base64",
  )}`,
});

const hashOf = (chunks: Buffer[]) => {
  const hash = createHash("sha256");
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex");
};

const stringify = configure({ deterministic: true });

/** The bytes that are signed and sent: compact JSON, keys sorted at every level, in UTF-8. */
export const bodyOf = (content: object): Buffer => Buffer.from(stringify(content) as string, "utf8");

/** The input of the headers of one attempt. */
export interface Signing {
  body: Buffer;
  /** Of the event, or of the message where that is no event. */
  eventId: number | string;
  eventType: string;
  /** The same for every attempt and replay of one event to one subscription. */
  messageId: string;
  /** The time of this attempt, in seconds. */
  timestamp: number;
  /** The valid ones, generation 1 first. */
  secrets: { generation: 1 | 2; secret: string }[];
  /** The secret keys of the asymmetric scheme, where the partner wants that too; the newest first. */
  signingKeys?: string[];
}

/**
 * The headers of one attempt: those of docs/interface.md, Webhooks, keyed with the text of the newest secret, and those
 * of Standard Webhooks (standardwebhooks.com), keyed with the bytes that each secret stands for, and signed with each
 * signing key.
 */
export function headersOf(signing: Signing): Record<string, string> {
  const { body, eventId, eventType, messageId, timestamp, secrets, signingKeys = [] } = signing;
  const [newest] = secrets;
  if (newest?.generation !== 1) throw new Error("no secret of generation 1");
  const own = hmac(newest.secret, `${timestamp}.`, body);
  const prefix = `${messageId}.${timestamp}.`;
  const standard = [
    ...secrets.map(({ secret }) => `v1,${hmac(bytesOf(secret), prefix, body).toString("base64")}`),
    ...signingKeys.map(
      (key) => `v1a,${signedWith(key, Buffer.concat([Buffer.from(prefix), body])).toString("base64")}`,
    ),
  ];
  return {
    "Content-Type": "application/json",
    "User-Agent": "warehouse-webhooks/1",
    "X-Service-Signature": `sha256=${own.toString("hex")}`,
    "X-Service-Signature-Generation": "1",
    "X-Service-Delivery-Id": `${eventId}:${timestamp}`,
    "X-Service-Event-Type": eventType,
    "X-Service-Timestamp": `${timestamp}`,
    "webhook-id": messageId,
    "webhook-timestamp": `${timestamp}`,
    "webhook-signature": standard.join(" "),
  };
}

const hmac = (key: string | Buffer, prefix: string, body: Buffer) =>
  createHmac("sha256", key).update(prefix).update(body).digest();

const bytesOf = (secret: string) => Buffer.from(secret.replace(/^whsec_/, ""), "base64");
