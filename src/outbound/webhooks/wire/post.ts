import type { Client } from "undici";
import { Failure } from "./failure.js";

/** No more of an answer is read. */
const MAX_BYTES = 64 * 1024;

export interface Request {
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** The answer, as far as it was received. */
export interface Answer {
  status: number | null;
  body: Buffer[];
}

export interface Limits {
  /** The longest wait for the first and for the next bytes of the answer. */
  readTimeoutMs: number;
  /** Ends it at once. */
  signal: AbortSignal;
}

/**
 * Posts over one connection and fills in the answer; resolves at its end, or at the maximum of bytes. Rejects when the
 * connection breaks, when the answer announces more than the maximum, and at a timeout; the connection is then closed.
 */
export function post(
  client: Client,
  { path, headers, body }: Request,
  answer: Answer,
  { readTimeoutMs, signal }: Limits,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let left = MAX_BYTES;
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

    client.dispatch(
      { method: "POST", path, headers, body },
      {
        onRequestStart: () => {
          clearTimeout(readTimer);
          readTimer = setTimeout(() => {
            const begun = answer.status === null ? "No answer" : "No more of the answer";
            fail(new Failure("timeout", `${begun} for ${readTimeoutMs} ms`));
          }, readTimeoutMs);
        },
        onResponseStart: (_controller, status, { "content-length": length }) => {
          if (status < 200) return; // The final status follows.
          readTimer?.refresh();
          answer.status = status;
          if (Number(length) > MAX_BYTES) fail(new Failure("5xx", `The answer announces ${length} bytes`));
        },
        onResponseData: (_controller, chunk) => {
          readTimer?.refresh();
          answer.body.push(chunk.subarray(0, left));
          left -= chunk.length;
          if (left > 0) return;
          end();
          void client.destroy();
        },
        onResponseEnd: end,
        onResponseError: (_controller, error) => fail(error),
      },
    );
  });
}
