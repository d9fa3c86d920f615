import type { IncomingHttpHeaders } from "node:http";
import { DestinationRefused, openLines, resolveChecked } from "../../outbound/wire/connections.js";
import { exchange, noAnswer, unlessAborted, withinTime } from "../../outbound/wire/exchange.js";
import { SourceError, SourceMisconfigured, type SourceRequest } from "../connector.js";

/** The most bytes of an answer that are read. */
const MAX_BYTES = 32 * 1024 * 1024;
/** The most bytes that are read of an answer that only gives a reason for a failure. */
const MAX_REASON = 64 * 1024;

/**
 * How long a connection is kept for the next request, which is most often made at once. Servers wait longer before they
 * close one: a request that meets its end fails, and is not repeated here, as it may have had its effect.
 */
const KEEP_MS = 1_000;
const lines = openLines();

/** The destination of a request is not on the public internet; nothing was sent. */
export class DestinationBlocked extends SourceMisconfigured {
  override name = "DestinationBlocked";
}

export interface Asking {
  /** Allows http:// and every address. */
  allowInternal: boolean;
  timeoutMs: number;
  /** Aborts it at once. */
  signal: AbortSignal | undefined;
  /** Used instead of this machine's name servers. */
  nameServers?: string[] | undefined;
}

/** The answer of the source, with any status. */
export interface Asked {
  status: number;
  headers: Record<string, string>;
  bytes: Buffer;
}

/**
 * Makes one request, without following redirects. Throws `SourceError` for a request that is not sent, or an answer
 * that is too large; any other error is a failure of the network, or the reason of the signal.
 */
export async function ask(request: SourceRequest, { timeoutMs, signal: outer, ...options }: Asking): Promise<Asked> {
  const { origin, protocol, hostname, pathname, search } = urlOf(request.url);
  if (protocol !== "https:" && !(options.allowInternal && protocol === "http:"))
    throw new SourceMisconfigured(`${protocol} is not allowed, only https:`);
  const toSend = { path: pathname + search, ...messageOf(request) };
  return withinTime(timeoutMs, outer, async (signal) => {
    const addresses = await unlessAborted(resolveChecked(hostname, options), signal).catch(blocked);
    // To the addresses that were checked for this request, and to no others.
    const line = lines.take(origin, addresses, { connectTimeoutMs: timeoutMs, keepMs: KEEP_MS });
    const answer = noAnswer();
    try {
      await exchange(line.client, toSend, answer, { signal, most, tooLong });
    } catch (error) {
      void line.client.destroy();
      throw unsendable(error as NodeJS.ErrnoException);
    }
    lines.giveBack(line);
    return { status: answer.status as number, headers: flat(answer.headers), bytes: Buffer.concat(answer.body) };
  });
}

const isSuccess = (status: number) => status < 300;
const most = (status: number) => (isSuccess(status) ? MAX_BYTES : MAX_REASON);
const tooLong = (status: number) =>
  isSuccess(status) ? new SourceError(`The answer has more than ${MAX_BYTES / 1024 / 1024} MB`) : undefined;

function urlOf(url: string): URL {
  if (!URL.canParse(url)) throw new SourceMisconfigured("The URL of a request is not valid");
  return new URL(url);
}

function messageOf({ method, headers, body }: SourceRequest) {
  const sendsJson = body !== undefined;
  return {
    method: method ?? (sendsJson ? "POST" : "GET"),
    headers: {
      accept: "application/json",
      // So that the limit on bytes is that of the bytes that are read.
      "accept-encoding": "identity",
      "user-agent": "warehouse-execution-service",
      ...(sendsJson && { "content-type": "application/json" }),
      ...lowerCase(headers ?? {}),
    },
    ...(sendsJson && { body: JSON.stringify(body) }),
  };
}

const lowerCase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function blocked(error: unknown): never {
  throw error instanceof DestinationRefused ? new DestinationBlocked(error.message) : error;
}

const unsendable = (error: NodeJS.ErrnoException): Error =>
  error.code === "UND_ERR_INVALID_ARG"
    ? new SourceMisconfigured("The request has characters that HTTP does not allow")
    : error;

const flat = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(", ")]));
