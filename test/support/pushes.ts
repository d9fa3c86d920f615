import { randomInt, randomUUID } from "node:crypto";
import { writeSourceRecord } from "../../activities/connectors/records.js";
import { putSourceSystems } from "../../activities/inbound/source-systems.js";
import { type Connector, sourceSystemOf } from "../../src/connectors/connector.js";
import type { FulfillmentPush } from "../../src/connectors/pushes/shapes.js";
import { connectorOf, loadConnectors } from "../../src/connectors/registry.js";
import { db } from "../../src/db/db.js";
import type { Caller } from "./caller.js";
import { openShop, type Shop, type ShopRequest } from "./connectors.js";
import { item } from "./fixtures.js";
import { walked } from "./walk.js";

/** Shops that are told of shipments, and their orders. */

export const PUSHES = "/api/admin/connector-pushes";
export const TOKEN = "shop-token-of-the-tests";

/** For services whose connectors reach the shop on this machine, and wait next to nothing. */
export const pushEnv = {
  SERVICE_ALLOW_INTERNAL_CONNECTORS: "true",
  CONNECTOR_BACKOFF_MS: "1",
  CONNECTOR_RETRY_DELAY_MS: "50",
};

export const loadTestConnectors = () => loadConnectors(new URL("./push-connectors/", import.meta.url));

/** What a shop was told of a shipment. */
interface Fulfilment {
  id: string;
  order_id: string;
  tracking: string[];
  carrier: string;
  service_level: string | null;
  so_number: string;
  version?: number;
  cancelled: boolean;
}

export interface FulfilmentShop extends Shop {
  fulfilments: Fulfilment[];
  /** Of an order, by its id in the shop. */
  of(order_id: string): Fulfilment[];
}

/** The server of the connector `test-shop`: it keeps what it is told, and forgets nothing. */
export async function openFulfilmentShop(): Promise<FulfilmentShop> {
  const fulfilments: Fulfilment[] = [];
  const of = (order_id: string) => fulfilments.filter((one) => one.order_id === order_id);
  const answer = ({ method, path, headers, body }: ShopRequest) => {
    const [, , order_id = "", , id] = path.split("/");
    if (headers.authorization !== `Bearer ${TOKEN}`) return { status: 401, body: { error: "who are you?" } };
    if (method === "GET") return { body: of(order_id) };
    if (id) {
      const found = fulfilments.find((one) => one.id === id);
      if (!found) return { status: 404 };
      found.cancelled = true;
      return { body: found };
    }
    const made = { ...JSON.parse(body), id: randomUUID(), order_id, cancelled: false };
    fulfilments.push(made);
    return { status: 201, body: made };
  };
  return Object.assign(await openShop(answer), { fulfilments, of });
}

/** The ids of order and items in the shop; each file has its own database. */
let lastId = randomInt(1_000_000);

/** An order of a shop, as its connector writes it, picked and packed. */
export async function packedOrderOf(name: string, by: Caller, warehouse_id: number, quantity = 2) {
  const goods = await item();
  const order_id = `${++lastId}`;
  const so_number = `SHOP-${order_id}`;
  await putSourceSystems([{ source_system: sourceSystemOf(name, warehouse_id), kind: "connector" }]);
  const record = {
    ...{ resource: "sales_orders" as const, external_id: order_id, external_version: "1" },
    values: { so_number, customer_name: "Ann", warehouse_id },
    lines: [{ item: `item-${order_id}`, sku: goods.sku, values: { quantity_ordered: quantity, line_number: 1 } }],
    payload: { version: 1 },
  };
  await writeSourceRecord(connectorOf(name) as Connector, warehouse_id, record);
  const made = await db.row<{ so_id: number }>("select so_id from sales_orders where so_number = $1", [so_number]);
  const order = { so_id: made?.so_id as number, so_number, order_id };
  await walked(by, warehouse_id, order, [{ item: goods, quantity }]);
  await by.ok("POST", "/api/packing/verify", { so_id: order.so_id, scanned_barcode: goods.sku, quantity });
  await by.ok("POST", "/api/packing/complete", { so_id: order.so_id });
  return order;
}

/** The pushes of an order, in their order. */
export const pushesOf = (so_id: number) =>
  db.rows<FulfillmentPush>("select * from fulfillment_pushes where so_id = $1 order by push_id", [so_id]);
