import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type NetworkAnswer = (req: IncomingMessage, res: ServerResponse) => void;

export interface SentRequest {
  method?: string | undefined;
  url?: string | undefined;
  key?: string;
  body: string;
}

export const json = (status: number, body: object, headers: Record<string, string> = {}): NetworkAnswer => {
  return (_req, res) => {
    res.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };
};
const ok = json(200, { id: 7 });
/** Ends the connection without a word. */
export const drop: NetworkAnswer = (req) => void req.socket.destroy();

/** A server that gives each request the next of the `answers`, then `ok`, and keeps what was asked in `requests`. */
export function badNetwork() {
  const network = { answers: [] as NetworkAnswer[], requests: [] as SentRequest[], url: "" };
  const server = createServer(async (req, res) => {
    let body = "";
    for await (const piece of req) body += piece;
    const key = req.headers["idempotency-key"] as string | undefined;
    network.requests.push({ method: req.method, url: req.url, body, ...(key && { key }) });
    (network.answers.shift() ?? ok)(req, res);
  });
  before(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    network.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    network.answers = [];
    network.requests = [];
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return network;
}
