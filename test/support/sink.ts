import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { TLSSocket } from "node:tls";
import { verifyWebhook } from "../../examples/verify-webhook.js";
import { until } from "./until.js";

/** A request as it came. */
export interface Received {
  /** When it was here whole, by `Date.now()`. */
  at: number;
  path: string;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  /** Of X-Service-Delivery-Id. */
  event_id: number;
  /** Whether it came with a certificate that the server believes. */
  authorized: boolean;
}

/** What a sink answers: a status, nothing at all, a broken connection, that it has moved, or when to come again. */
export type Answer = number | "stall" | "reset" | { redirect: string } | { status: number; retryAfter: string };

/** A partner's server in a test: it keeps what it gets, in the order in which it came. */
export interface Sink {
  url: string;
  received: Received[];
  /** Answers the next requests with these, one each; after them what is `usual`. */
  answerNext(...answers: Answer[]): void;
  usual: Answer | ((request: Received) => Answer);
  /** Whether the example for partners lets the request in. */
  verifies(request: Received, ...secrets: string[]): boolean;
  /** Breaks all connections and takes no more. */
  stop(): Promise<void>;
  /** Listens again, at the same address. */
  start(): Promise<void>;
  /** Connections that were ever opened. */
  connections: number;
  /** The most requests that were there at a time. */
  mostAtOnce: number;
}

/** Opens a sink on this machine, which answers 200; with key and certificate by HTTPS. */
export async function openSink(tls?: https.ServerOptions): Promise<Sink> {
  const script: Answer[] = [];
  const server = tls ? https.createServer(tls) : http.createServer();
  let port = 0;

  const start = async () => {
    // Somebody else may have been given its port while it was away.
    await until(async () => {
      server.listen(port, "127.0.0.1");
      return once(server, "listening").then(
        () => true,
        () => false,
      );
    }, 60_000);
    port = (server.address() as AddressInfo).port;
  };
  const stop = async () => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };

  server.on("connection", () => sink.connections++);
  let present = 0;
  server.on("request", (request, response) => {
    sink.mostAtOnce = Math.max(sink.mostAtOnce, ++present);
    response.on("close", () => present--);
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const { headers, url: path = "" } = request;
      const received = {
        at: Date.now(),
        path,
        headers,
        body: Buffer.concat(chunks),
        event_id: Number.parseInt(`${headers["x-service-delivery-id"]}`, 10),
        authorized: request.socket instanceof TLSSocket && request.socket.authorized,
      };
      sink.received.push(received);
      const { usual } = sink;
      give(response, script.shift() ?? (typeof usual === "function" ? usual(received) : usual));
    });
  });
  await start();

  const sink: Sink = {
    url: `${tls ? "https" : "http"}://127.0.0.1:${port}`,
    received: [],
    answerNext: (...answers) => void script.push(...answers),
    usual: 200,
    verifies: ({ headers, body, at }, ...secrets) => verifyWebhook(headers, body, secrets, at / 1_000),
    stop,
    start,
    connections: 0,
    mostAtOnce: 0,
  };
  return sink;
}

function give(response: http.ServerResponse, answer: Answer): void {
  if (answer === "stall") return;
  if (answer === "reset") response.socket?.resetAndDestroy();
  else if (typeof answer === "number") response.writeHead(answer).end();
  else if ("status" in answer) response.writeHead(answer.status, { "retry-after": answer.retryAfter }).end();
  else response.writeHead(302, { location: answer.redirect }).end();
}
