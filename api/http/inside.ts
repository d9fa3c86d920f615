import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { duplexPair } from "node:stream";
import type { Application, Request } from "express";
import type { SessionUser } from "../../src/auth/queries.js";
import type { Through } from "../../src/platform/actor.js";

/**
 * Requests that the service makes of itself, within the process: they take the way of all others (authentication,
 * rights, limits, validation, log), over a connection that nobody else can open.
 */
export interface InsideCall {
  /** Who calls, where that is known; else the request's own credential says it. */
  user?: SessionUser;
  through: Through;
  /** Its key is kept for good: however late it is tried again, it has run. */
  keepsKey?: boolean;
  /** Ends before the route runs: only whether the caller may call it, with this request. */
  onlyChecks?: boolean;
}

export interface InsideRequest {
  method: string;
  path: string;
  headers?: Record<string, string | undefined>;
  body?: unknown;
  /** The address of who caused it, for limits and log. */
  address?: string | undefined;
  /** Ends it when the one who caused it leaves. */
  signal?: AbortSignal;
}

export interface InsideAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

type CallInside = (call: InsideCall, request: InsideRequest) => Promise<InsideAnswer>;

/** By their connections. */
const calls = new WeakMap<object, InsideCall>();
const callers = new WeakMap<Application, CallInside>();

/** What a request is part of, if the service itself makes it. */
export const insideCallOf = ({ socket }: Request): InsideCall | undefined => calls.get(socket);

/** The function that makes requests of this app. */
export function insideOf(app: Application): CallInside {
  const known = callers.get(app);
  if (known) return known;
  // It listens nowhere: connections are handed to it.
  const server = createServer(app);
  const make: CallInside = async (call, { method, path, headers = {}, body, address, signal }) => {
    const [ours, theirs] = duplexPair();
    calls.set(theirs, call);
    server.emit("connection", Object.assign(theirs, { remoteAddress: address }));
    const text = body === undefined ? undefined : JSON.stringify(body);
    const given = Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== undefined);
    const asked = request({
      ...{ createConnection: () => ours as never, method: method.toUpperCase(), path },
      headers: {
        ...Object.fromEntries(given),
        connection: "close",
        ...(text !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
      },
      ...(signal && { signal }),
    });
    // What fails before the answer rejects `once`; later there is nobody to tell.
    asked.on("error", () => {});
    asked.end(text);
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    return {
      status: answer.statusCode ?? 500,
      headers: answer.headers,
      text: Buffer.concat(chunks).toString(),
    };
  };
  callers.set(app, make);
  return make;
}
