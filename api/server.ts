import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Requests that still run when the server stops get this long. */
const FINISH_WITHIN_MS = 10_000;

/** Listens; port 0 takes a free one. A port that is taken rejects with EADDRINUSE. */
export async function listen(
  app: RequestListener,
  host: string,
  port: number,
): Promise<Server> {
  const server = createServer(app);
  // Longer than the idle time of common proxies, so that the proxy is the one that closes.
  server.keepAliveTimeout = 75_000;
  server.listen(port, host);
  await once(server, "listening");
  return server;
}

export const portOf = (server: Server) =>
  (server.address() as AddressInfo).port;

/** Takes no more requests, lets those that run finish (bounded), and closes. */
export async function close(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeIdleConnections();
  const late = setTimeout(() => server.closeAllConnections(), FINISH_WITHIN_MS);
  await closed;
  clearTimeout(late);
}
