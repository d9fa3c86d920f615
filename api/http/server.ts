import { once } from "node:events";
import { createServer, IncomingMessage, type Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Express } from "express";

/** Requests that still run when the server stops have this long to finish. */
const FINISH_WITHIN_MS = 10_000;

/** The longest that the head of a request may take to arrive. */
const HEADERS_WITHIN_MS = 20_000;
/** How often requests are checked that take too long to arrive: they get a 408, and their connection ends. */
const CHECKED_EVERY_MS = 5_000;

/**
 * Listens, at `::` by both families, or by IPv4 alone where there is no other; port 0 takes a free one. A port that is
 * taken rejects with EADDRINUSE.
 */
export async function listen(app: Express, host: string, port: number, requestTimeoutS = 60): Promise<Server> {
  const requestTimeout = requestTimeoutS * 1_000;
  const server = createServer(
    {
      ...{ ...classesOf(app), requestTimeout, headersTimeout: Math.min(requestTimeout, HEADERS_WITHIN_MS) },
      connectionsCheckingInterval: Math.min(requestTimeout, CHECKED_EVERY_MS),
    },
    app,
  );
  // Longer than the idle timeout of common proxies, so that these close idle connections first.
  server.keepAliveTimeout = 75_000;
  if (host === "::") server.listen(port);
  else server.listen(port, host);
  await once(server, "listening");
  return server;
}

/**
 * Express changes the prototype of every request and response, which makes them slow in V8: it costs four times as much
 * as the rest of the framework. Objects of these classes have the prototypes of the app from the start.
 */
function classesOf(app: Express) {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  app.request = Object.setPrototypeOf(Request.prototype, app.request);
  app.response = Object.setPrototypeOf(Response.prototype, app.response);
  return { IncomingMessage: Request, ServerResponse: Response };
}

export const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** Accepts no more requests and closes when the running ones have finished, or their time is up. */
export async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeIdleConnections();
  const late = setTimeout(() => server.closeAllConnections(), FINISH_WITHIN_MS);
  await closed;
  clearTimeout(late);
}
