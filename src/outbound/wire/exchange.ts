import type { IncomingHttpHeaders } from "node:http";
import type { Client } from "undici";
import { DestinationRefused } from "./connections.js";
import { type ErrorKind, Failure } from "./error-kinds.js";

export interface Request {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Buffer | string;
}

/** The answer, as far as it was received. */
export interface Answer {
  status: number | null;
  headers: IncomingHttpHeaders;
  body: Buffer[];
}

export const noAnswer = (): Answer => ({ status: null, headers: {}, body: [] });

export interface Limits {
  /** The longest wait for the first and for the next bytes of the answer. */
  readTimeoutMs?: number;
  /** Ends it at once. */
  signal: AbortSignal;
  /** No more bytes of an answer with this status are read. */
  most(status: number): number;
  /**
   * Why an answer that announces more, or has more, is none; undefined where its beginning will do.
   * @param announced How many bytes it says that it has; undefined once there are more.
   */
  tooLong(status: number, announced?: number): Error | undefined;
}

/**
 * Makes a request over one connection and fills in the answer; resolves at its end, or at the maximum of bytes. Rejects
 * when the connection breaks, when the answer is too long, and at a timeout; the connection is then closed.
 */
export function exchange(
  client: Client,
  request: Request,
  answer: Answer,
  { readTimeoutMs, signal, most, tooLong }: Limits,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let left = 0;
    let readTimer: NodeJS.Timeout | undefined;

    const leave = () => {
      clearTimeout(readTimer);
      signal.removeEventListener("abort", giveUp);
    };
    const end = () => {
      leave();
      resolve();
    };
    const fail = (error: Error) => {
      leave();
      void client.destroy();
      reject(error);
    };
    const giveUp = () => fail(signal.reason);
    if (signal.aborted) return giveUp();
    signal.addEventListener("abort", giveUp);

    client.dispatch(request, {
      onRequestStart: () => {
        clearTimeout(readTimer);
        if (readTimeoutMs === undefined) return;
        readTimer = setTimeout(() => {
          const begun = answer.status === null ? "No answer" : "No more of the answer";
          fail(new Failure("timeout", `${begun} for ${readTimeoutMs} ms`));
        }, readTimeoutMs);
      },
      onResponseStart: (_controller, status, headers) => {
        if (status < 200) return; // The final status follows.
        readTimer?.refresh();
        Object.assign(answer, { status, headers });
        left = most(status);
        const announced = Number(headers["content-length"]);
        const refused = announced > left && tooLong(status, announced);
        if (refused) fail(refused);
      },
      onResponseData: (_controller, chunk) => {
        readTimer?.refresh();
        answer.body.push(chunk.subarray(0, Math.max(0, left)));
        left -= chunk.length;
        if (left > 0) return;
        const refused = tooLong(answer.status as number);
        if (refused && left === 0) return;
        if (refused) return fail(refused);
        end();
        void client.destroy();
      },
      onResponseEnd: end,
      onResponseError: (_controller, error) => fail(error),
    });
  });
}

/** Runs something with a signal that is aborted after the timeout, or with the outer signal. */
export async function withinTime<T>(
  totalTimeoutMs: number,
  outer: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const inner = new AbortController();
  const stop = () => inner.abort(new Failure("unknown", "The sender was stopped"));
  const timer = setTimeout(() => {
    inner.abort(new Failure("timeout", `Not done within ${totalTimeoutMs} ms`));
  }, totalTimeoutMs);
  outer?.addEventListener("abort", stop);
  if (outer?.aborted) stop();
  try {
    return await run(inner.signal);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", stop);
  }
}

/** Makes a promise abortable: rejects with the reason of the signal. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
  });
}

type Meaning = [codes: RegExp, kind: ErrorKind, words: string];

/** The kinds of errors of sockets, resolver and HTTP client. */
const meanings: Meaning[] = [
  [/^ETIMEDOUT$/, "timeout", "No connection in time"],
  [/^(ERR_TLS|ERR_SSL|EPROTO)/, "tls", "TLS failed"],
  [/^(ENOTFOUND|ENODATA|ESERVFAIL|EREFUSED|ETIMEOUT|EAI_|EBAD)/, "connection", "The host name was not resolved"],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/, "connection", "No connection"],
  [
    /^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/,
    "connection",
    "The connection broke off",
  ],
  [/^(HPE_|HTTPParserError|UND_ERR_HEADERS_OVERFLOW)/, "unknown", "The answer is not HTTP that we understand"],
];

const other: Meaning = [/./, "unknown", "The attempt failed"];

/** The failure that an error of an attempt stands for. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof DestinationRefused) return new Failure("ssrf_rejected", error.message);
  const { code, name } = error as NodeJS.ErrnoException;
  const what = code ?? name;
  const [, kind, words] = meanings.find(([codes]) => codes.test(what)) ?? other;
  return new Failure(kind, `${words} (${what})`);
}

/** The failure that a status stands for; undefined for success. */
export function failureOfStatus(status: number): Failure | undefined {
  const kinds = { 3: "redirected", 4: "4xx", 5: "5xx" } as const;
  const hundred = Math.floor(status / 100);
  if (hundred === 2) return undefined;
  const kind = kinds[hundred as keyof typeof kinds] ?? "unknown";
  return new Failure(kind, `HTTP status ${status}`);
}
