import { once } from "node:events";
import { createServer, IncomingMessage, type Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Express } from "express";

/** Requests that still run when the server stops have this long to finish. */
const FINISH_WITHIN_MS = 10_000;

/** Listens; port 0 takes a free one. A port that is taken rejects with EADDRINUSE. */
export async function listen(app: Express, host: string, port: number): Promise<Server> {
  const server = createServer(classesOf(app), app);
  // Longer than the idle time of common proxies, so that the proxy is the one that closes.
  server.keepAliveTimeout = 75_000;
  server.listen(port, host);
  await once(server, "listening");
  return server;
}

/**
 * Express sets the prototypes of its app on every request and response, and V8 is slow with objects whose prototype was
 * changed: that takes four times as long as all the rest of the framework. Objects of these classes have the prototypes
 * that Express sets from the start.
 */
function classesOf(app: Express) {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  app.request = Object.setPrototypeOf(Request.prototype, app.request);
  app.response = Object.setPrototypeOf(Response.prototype, app.response);
  return { IncomingMessage: Request, ServerResponse: Response };
}

export const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** Takes no more requests, lets those that run finish (bounded), and closes. */
export async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeIdleConnections();
  const late = setTimeout(() => server.closeAllConnections(), FINISH_WITHIN_MS);
  await closed;
  clearTimeout(late);
}
