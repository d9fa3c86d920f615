import { createHash, createHmac } from "node:crypto";
import { configure } from "safe-stable-stringify";
import { type Connecting, openLines, resolveChecked } from "./connections.js";
import { type ErrorKind, Failure } from "./error-kinds.js";
import { type Answer, exchange, failureOf, failureOfStatus, noAnswer, unlessAborted, withinTime } from "./exchange.js";

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
  const lines = openLines(options);

  async function attempt({ url, headers, body }: Delivery, answer: Answer, signal: AbortSignal): Promise<void> {
    const { origin, protocol, hostname, pathname, search, username, password } = new URL(url);
    if (protocol !== "https:" && !(options.allowHttp && protocol === "http:"))
      throw new Failure("ssrf_rejected", `${protocol} is not allowed`);
    const addresses = await unlessAborted(resolveChecked(hostname, options), signal);
    const request = {
      method: "POST",
      path: pathname + search,
      headers: username || password ? { ...headers, ...basic(username, password) } : headers,
      body,
    };
    const limits = {
      ...{ signal, readTimeoutMs: options.readTimeoutMs, most: () => MAX_BYTES },
      tooLong: (_status: number, announced?: number) =>
        announced === undefined ? undefined : new Failure("5xx", `The answer announces ${announced} bytes`),
    };
    let line = lines.take(origin, addresses);
    try {
      await exchange(line.client, request, answer, limits);
    } catch (error) {
      // The partner may have closed a kept connection while the request was being sent.
      const stale = !line.fresh && answer.status === null;
      if (!stale || failureOf(error).kind !== "connection") throw error;
      line = lines.open(origin, addresses);
      await exchange(line.client, request, answer, limits);
    }
    lines.giveBack(line);
  }

  return {
    send: async (delivery) => {
      const began = performance.now();
      const answer = noAnswer();
      const failure = await withinTime(options.totalTimeoutMs, delivery.signal, (signal) =>
        attempt(delivery, answer, signal),
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
}

/**
 * The headers of one attempt: those of docs/interface.md, Webhooks, keyed with the text of the newest secret, and those
 * of Standard Webhooks (standardwebhooks.com), keyed with the bytes that each secret stands for.
 */
export function headersOf(signing: Signing): Record<string, string> {
  const { body, eventId, eventType, messageId, timestamp, secrets } = signing;
  const [newest] = secrets;
  if (newest?.generation !== 1) throw new Error("no secret of generation 1");
  const own = hmac(newest.secret, `${timestamp}.`, body);
  const standard = secrets.map(({ secret }) => hmac(bytesOf(secret), `${messageId}.${timestamp}.`, body));
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
    "webhook-signature": standard.map((signature) => `v1,${signature.toString("base64")}`).join(" "),
  };
}

const hmac = (key: string | Buffer, prefix: string, body: Buffer) =>
  createHmac("sha256", key).update(prefix).update(body).digest();

const bytesOf = (secret: string) => Buffer.from(secret.replace(/^whsec_/, ""), "base64");
