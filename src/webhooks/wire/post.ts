import type { Client } from "undici";
import { Failure } from "./failure.js";

/** An answer is read to here. */
const MOST_BYTES = 64 * 1024;

export interface Request {
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** As much of an answer as came. */
export interface Answer {
  status: number | null;
  body: Buffer[];
}

export interface Limits {
  /** Longest wait for the answer to begin, and then for more of it. */
  readTimeoutMs: number;
  /** Ends it at once. */
  signal: AbortSignal;
}

/**
 * Posts over one connection and fills in the answer; done when it ended, or is as long as it may be. Throws when it breaks off, when it
 * announces more than we read, and when a limit is reached; then the connection is gone.
 */
export function post(
  client: Client,
  { path, headers, body }: Request,
  answer: Answer,
  { readTimeoutMs, signal }: Limits,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let left = MOST_BYTES;
    let patience: NodeJS.Timeout | undefined;

    const leave = () => {
      clearTimeout(patience);
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
          clearTimeout(patience);
          patience = setTimeout(() => {
            const begun =
              answer.status === null ? "No answer" : "No more of the answer";
            fail(new Failure("timeout", `${begun} for ${readTimeoutMs} ms`));
          }, readTimeoutMs);
        },
        onResponseStart: (
          _controller,
          status,
          { "content-length": length },
        ) => {
          if (status < 200) return; // More will follow.
          patience?.refresh();
          answer.status = status;
          if (Number(length) > MOST_BYTES)
            fail(new Failure("5xx", `The answer announces ${length} bytes`));
        },
        onResponseData: (_controller, chunk) => {
          patience?.refresh();
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
