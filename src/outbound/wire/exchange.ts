import type { IncomingHttpHeaders } from "node:http";
import type { Client } from "undici";
import { Failure } from "./failure.js";

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
