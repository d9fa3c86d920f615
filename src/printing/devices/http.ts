import { type Address, clientTo } from "../../outbound/wire/connections.js";
import { Failure } from "../../outbound/wire/error-kinds.js";
import { exchange, noAnswer, withinTime } from "../../outbound/wire/exchange.js";
import type { DeviceLimits } from "./device.js";

/** Answers of printers and of their services are short. */
const MOST_BYTES = 1024 * 1024;

/** A server, by its URL and the addresses that were checked. */
export interface Server {
  url: URL;
  addresses: Address[];
  limits: DeviceLimits;
}

export interface Asked {
  method: "GET" | "POST";
  path: string;
  headers: Record<string, string>;
  body?: Buffer | string;
}

/** Makes one request over a connection of its own; redirects are not followed. */
export async function ask(
  { url, addresses, limits: { connectMs, answerMs } }: Server,
  request: Asked,
  signal: AbortSignal,
): Promise<{ status: number; body: Buffer }> {
  const client = clientTo(url.origin, addresses, { connectTimeoutMs: connectMs });
  const answer = noAnswer();
  try {
    await withinTime(connectMs + answerMs, signal, (inner) =>
      exchange(client, request, answer, {
        ...{ signal: inner, readTimeoutMs: answerMs, most: () => MOST_BYTES },
        tooLong: () => new Failure("5xx", `The answer has more than ${MOST_BYTES} bytes`),
      }),
    );
  } finally {
    void client.destroy();
  }
  return { status: answer.status as number, body: Buffer.concat(answer.body) };
}
