import { randomInt } from "node:crypto";
import { once } from "node:events";
import http, { type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import type { SourceOptions } from "../../activities/connectors/source.js";
import { type EncryptionKeys, seal } from "../../src/auth/sealed.js";
import { loadConnectors } from "../../src/connectors/registry.js";
import { credentialOwner } from "../../src/connectors/stored-config.js";
import type { Config } from "../../src/platform/config/config.js";
import { db } from "./db.js";

/** What tests of connectors need: warehouses, stored credentials, and the server of a shop. */

export const CONNECTORS = "/api/admin/connectors";

/** Makes the connectors of tests known to this process. */
export const loadTestConnectors = () => loadConnectors(new URL("./test-connectors/", import.meta.url));

let last = randomInt(1_000_000, 2_000_000_000);

/** A warehouse with an id that no other test file has: the ids of sync workflows carry it. */
export async function connectorWarehouse(): Promise<number> {
  const warehouse_id = ++last;
  await db.run("insert into warehouses (warehouse_id, warehouse_code, warehouse_name) values ($1::int, $2, $2)", [
    warehouse_id,
    `C${warehouse_id}`,
  ]);
  return warehouse_id;
}

/** Farther than a test file makes warehouses. */
const FAR = 100_000;

/**
 * Makes further warehouses of this service begin at a number that no other test file has, also of this process: ids of
 * workflows carry it, and all files share one Temporal server.
 */
export async function countWarehousesApart(): Promise<void> {
  const first = last + FAR;
  last += 2 * FAR;
  await db.run("select setval(pg_get_serial_sequence('warehouses', 'warehouse_id'), $1)", [first]);
}

/** Stores the configuration of a connector for a warehouse, past the route. */
export async function storeConfig(
  connector: string,
  warehouse_id: number,
  config: Record<string, string>,
  keys: EncryptionKeys,
): Promise<void> {
  for (const [key, value] of Object.entries(config))
    await db.run(
      `insert into connector_credentials (connector_name, warehouse_id, credential_key, encrypted_value)
       values ($1, $2, $3, $4)
       on conflict (connector_name, warehouse_id, credential_key) do update
         set encrypted_value = excluded.encrypted_value`,
      [connector, warehouse_id, key, seal(value, credentialOwner(connector, warehouse_id, key), keys)],
    );
}

/** Reaches servers of this machine, and waits next to nothing between attempts. */
export const localOptions = (config: Config<"api">, changed: Partial<SourceOptions> = {}): SourceOptions => ({
  ...config,
  allowInternalConnectors: true,
  connectorBackoffMs: 1,
  ...changed,
});

/** A request that a shop got. */
export interface ShopRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The port of the client: the same for all requests over one connection. */
  from: number | undefined;
}

/** An answer: by default status 200; a body that is no text is sent as JSON. Or whatever the function does. */
export type Reply =
  | { status?: number; headers?: Record<string, string>; body?: unknown }
  | ((response: ServerResponse) => void);

export interface Shop {
  url: string;
  port: number;
  requests: ShopRequest[];
  /** Answers the next requests with these, one each; after them what is `usual`. */
  answerNext(...replies: Reply[]): void;
  usual: (request: ShopRequest) => Reply | Promise<Reply>;
  /** How many connections are open. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** Opens the server of a shop on this machine; it answers 200 with an empty object. */
export async function openShop(usual: Shop["usual"] = () => ({ body: {} })): Promise<Shop> {
  const next: Reply[] = [];
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", url: path = "", headers, socket } = request;
    const received = { method, path, headers, body: Buffer.concat(chunks).toString(), from: socket.remotePort };
    shop.requests.push(received);
    give(response, next.shift() ?? (await shop.usual(received)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const shop: Shop = {
    url: `http://127.0.0.1:${port}`,
    port,
    requests: [],
    answerNext: (...replies) => void next.push(...replies),
    usual,
    connections: promisify(server.getConnections.bind(server)),
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return shop;
}

function give(response: ServerResponse, reply: Reply): void {
  if (typeof reply === "function") {
    reply(response);
    return;
  }
  const { status = 200, headers = {}, body = "" } = reply;
  response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
}
