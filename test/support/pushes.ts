import assert from "node:assert/strict";
import { randomInt, randomUUID } from "node:crypto";
import { writeSourceRecord } from "../../activities/connectors/records.js";
import { putSourceSystems } from "../../activities/inbound/source-systems.js";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { type Connector, type ShippedLine, sourceSystemOf } from "../../src/connectors/connector.js";
import { pushWorkflowId } from "../../src/connectors/pushes/push.js";
import type { FulfillmentPush } from "../../src/connectors/pushes/shapes.js";
import { connectorOf } from "../../src/connectors/registry.js";
import { runPushes } from "../../workers/outbound.js";
import { openShop, type Shop, type ShopRequest, storeConfig } from "./connectors.js";
import { db } from "./db.js";
import { item } from "./fixtures.js";
import { runAgeing } from "./polling.js";
import { loadTestConnectors } from "./push-rows.js";
import { pack } from "./split-orders.js";
import { shippingStation } from "./station.js";
import { until } from "./until.js";

/** Shops that are told of shipments, and their orders. */

export const PUSHES = "/api/admin/connector-pushes";
export const TOKEN = "shop-token-of-the-tests";

/** For services whose connectors reach the shop on this machine, and wait next to nothing. */
const pushEnv = {
  SERVICE_ALLOW_INTERNAL_CONNECTORS: "true",
  CONNECTOR_BACKOFF_MS: "1",
  CONNECTOR_RETRY_DELAY_MS: "50",
};

/** What a shop was told of a shipment. */
interface Fulfilment {
  id: string;
  order_id: string;
  tracking: string[];
  carrier: string;
  service_level: string | null;
  so_number: string;
  version?: number;
  lines: ShippedLine[];
  part: boolean;
  complete: boolean;
  cancelled: boolean;
}

interface Running {
  stop: () => Promise<void>;
}

interface FulfilmentShop extends Shop {
  fulfilments: Fulfilment[];
  /** Of an order, by its id in the shop. */
  of(order_id: string): Fulfilment[];
}

/** The server of the connector `test-shop`: it keeps what it is told, and forgets nothing. */
async function openFulfilmentShop(): Promise<FulfilmentShop> {
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

/** An order of a shop of one item, as its connector writes both. */
async function orderOf(name: string, warehouse_id: number, quantity: number) {
  const goods = await item();
  const order_id = `${++lastId}`;
  const so_number = `SHOP-${order_id}`;
  await putSourceSystems([{ source_system: sourceSystemOf(name, warehouse_id), kind: "connector" }]);
  await writeSourceRecord(connectorOf(name) as Connector, warehouse_id, {
    ...{ resource: "items", external_id: `item-${order_id}`, external_version: "1", payload: {} },
    values: { sku: goods.sku, item_name: goods.sku },
  });
  const record = {
    ...{ resource: "sales_orders" as const, external_id: order_id, external_version: "1" },
    values: { so_number, customer_name: "Ann", warehouse_id },
    lines: [{ item: `item-${order_id}`, sku: goods.sku, values: { quantity_ordered: quantity, line_number: 1 } }],
    payload: { version: 1 },
  };
  await writeSourceRecord(connectorOf(name) as Connector, warehouse_id, record);
  const made = await db.row<{ so_id: number }>("select so_id from sales_orders where so_number = $1", [so_number]);
  return { so_id: made?.so_id as number, so_number, order_id, goods };
}

/** The pushes of an order, in their order. */
export const pushesOf = (so_id: number) =>
  db.rows<FulfillmentPush>("select * from fulfillment_pushes where so_id = $1 order by push_id", [so_id]);

/** A service with a station and a shop, which is told of shipments, for a file of tests; and what such tests do. */
export function pushingShop() {
  const at = shippingStation(pushEnv);
  let shop: FulfilmentShop;
  let ageing: Running;
  let pushing: Running[] = [];
  before(async () => {
    await loadTestConnectors();
    ageing = runAgeing();
  });
  beforeEach(async () => {
    shop = await openFulfilmentShop();
    await login();
    startPushing();
  });
  afterEach(async () => {
    await stopPushing();
    await shop.close();
    await db.run("delete from connector_circuits");
    await db.run("delete from connector_credentials");
  });
  after(() => ageing.stop());

  const login = () => storeConfig("test-shop", at.here, { base_url: shop.url, token: TOKEN }, at.service.config);
  /** Two workers, each of which takes up pushes. */
  function startPushing(dispatcherEnabled = true) {
    const options = { ...at.service.config, dispatcherEnabled };
    pushing = [1, 2].map(() => runPushes(temporalClient(), options, 100));
  }
  const stopPushing = () => Promise.all(pushing.map((one) => one.stop()));

  const ordered = (quantity: number, name = "test-shop") => orderOf(name, at.here, quantity);
  const packed = async (name?: string) => {
    const order = await ordered(2, name);
    await pack(at.service.admin, at.here, order, order.goods);
    return order;
  };
  const shipped = async (name?: string) => {
    const order = await packed(name);
    assert.equal((await at.ship(order.so_number)).status, 200);
    return order;
  };
  /** Waits until the pushes of an order stand like this: `ship pushed`. */
  const reached = (so_id: number, ...wanted: string[]) =>
    until(async () => {
      const pushes = await pushesOf(so_id);
      return pushes.map(({ kind, status }) => `${kind} ${status}`).join() === wanted.join();
    }, 30_000);
  const newest = async (so_id: number) => (await pushesOf(so_id)).at(-1) as FulfillmentPush;
  const workflowOf = ({ push_id }: FulfillmentPush) => temporalClient().workflow.getHandle(pushWorkflowId(push_id));
  /** Has the shop answer nothing before the answer is called, from the first request of this method on. */
  function held(method: string): () => void {
    const { usual } = shop;
    let answer = () => {};
    const until = new Promise<void>((resolve) => {
      answer = resolve;
    });
    shop.usual = async (request) => {
      if (request.method === method) await until;
      return usual(request);
    };
    return answer;
  }

  return {
    ...{ at, login, startPushing, stopPushing, ordered, packed, shipped, reached, newest, workflowOf, held },
    get shop() {
      return shop;
    },
  };
}
