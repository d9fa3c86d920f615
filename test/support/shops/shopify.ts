import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { cancellable, fulfilled, type NewFulfillment } from "./shopify-fulfillments.js";
import { type GraphqlRequest, ShopifyGraphql } from "./shopify-graphql.js";
import { fulfillmentDocument, fulfillmentOrders, Refused } from "./shopify-orders.js";
import { type Document, type Lies, pageOf, shown } from "./shopify-paging.js";
import { found, Shop } from "./shopify-shop.js";

/** What becomes of a request: a status, no JSON, no answer, a broken connection, one broken after the work, delay. */
export type Fault = number | "broken" | "stall" | "reset" | "lost" | { afterMs: number };

/** A request that the shop got. */
export interface Asked {
  method: string;
  /** Below `/admin/api/<version>/`. */
  path: string;
  query: Record<string, string>;
  body: unknown;
}

interface Given {
  status?: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** A shop at Shopify: what is in it, its Admin REST API as it is documented, and the webhooks that it sends. */
export class ShopifyShop extends Shop {
  /** The most records of a page; Shopify's own limit is 250. */
  pageSize = 250;
  /** Calls that the API takes at once, and each second; Shopify's own figures are 40 and 2. */
  bucket = { size: 40, perSecond: 1_000, retryAfter: "2.0" };
  readonly graphql = new ShopifyGraphql();
  readonly lies: Lies = { repeats: false, leavesOut: new Set() };
  readonly asked: Asked[] = [];
  url = "";
  #faults: Fault[] = [];
  #faultOf: (asked: Asked) => Fault | undefined = () => undefined;
  #level = 0;
  #leaked = performance.now();
  #server = http.createServer((request, response) => void this.#serve(request, response));

  static async open(): Promise<ShopifyShop> {
    const shop = new ShopifyShop();
    shop.#server.listen(0, "127.0.0.1");
    await once(shop.#server, "listening");
    shop.url = `http://127.0.0.1:${(shop.#server.address() as AddressInfo).port}`;
    return shop;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  /** What the connector has to be told. */
  get config() {
    return { shop_url: this.url, access_token: this.token, webhook_secret: this.secret };
  }

  /** The next requests fail like this, one each. */
  failNext(...faults: Fault[]): void {
    this.#faults.push(...faults);
  }

  /** Every request for which this gives a fault fails, until it is set again. */
  failWhere(faultOf: (asked: Asked) => Fault | undefined): void {
    this.#faultOf = faultOf;
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { pathname, searchParams } = new URL(request.url ?? "", this.url);
    const text = Buffer.concat(chunks).toString();
    const asked: Asked = {
      method: request.method ?? "",
      path: pathname.replace(/^\/admin\/api\/\d{4}-\d\d\//, ""),
      query: Object.fromEntries(searchParams),
      body: text && JSON.parse(text),
    };
    this.asked.push(asked);
    const fault = this.#faults.shift() ?? this.#faultOf(asked);
    if (fault === "stall") return;
    if (fault === "reset") return void response.socket?.resetAndDestroy();
    if (fault === "broken") return void response.writeHead(200).end('{"orders":[{"id":1,');
    if (typeof fault === "number") return void response.writeHead(fault).end(JSON.stringify({ errors: "Unavailable" }));
    if (typeof fault === "object") await pause(fault.afterMs);
    const { status = 200, body, headers } = this.#answer(asked, request.headers["x-shopify-access-token"]);
    if (fault === "lost") return void response.socket?.resetAndDestroy();
    response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
    response.end(JSON.stringify(body));
  }

  #answer(asked: Asked, token: unknown): Given {
    const headers: Record<string, string> = {};
    try {
      if (token !== this.token)
        throw new Refused(401, "[API] Invalid API key or access token (unrecognized login or wrong password)");
      headers["x-shopify-shop-api-call-limit"] = this.#take();
      const given = this.#give(asked);
      return { ...given, headers: { ...headers, ...given.headers } };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { status: error.status, body: { errors: error.errors }, headers: { ...headers, ...error.headers } };
    }
  }

  /** A call into the leaky bucket; how full it is. */
  #take(): string {
    const { size, perSecond, retryAfter } = this.bucket;
    const now = performance.now();
    this.#level = Math.max(0, this.#level - ((now - this.#leaked) / 1_000) * perSecond);
    this.#leaked = now;
    if (this.#level + 1 > size)
      throw new Refused(429, `Exceeded ${perSecond} calls per second for api client.`, { "retry-after": retryAfter });
    this.#level++;
    return `${Math.ceil(this.#level)}/${size}`;
  }

  #give({ method, path, query, body }: Asked): Given {
    const [, orderId, what] = /^orders\/(\d+)\/(\w+)\.json$/.exec(path) ?? [];
    const [, cancelled] = /^fulfillments\/(\d+)\/cancel\.json$/.exec(path) ?? [];
    const order = () => found(this.orders, Number(orderId));
    const [, list, id] = /^(products|orders)\/(\d+)\.json$/.exec(path) ?? [];
    if (method === "GET" && list === "products") return { body: { product: this.product(Number(id)) } };
    if (method === "GET" && list === "orders") return { body: { order: this.order(Number(id)) } };
    switch (`${method} ${what ?? (cancelled ? "cancel" : path)}`) {
      case "GET shop.json":
        return { body: { shop: { id: 1, name: "John's Apparel", myshopify_domain: "johns-apparel.myshopify.com" } } };
      case "GET products.json":
        return this.#list("products", this.products, ({ id }) => this.product(id), query);
      case "POST graphql.json":
        return { body: this.graphql.answer(this, body as GraphqlRequest) };
      case "GET orders.json":
        return this.#list("orders", this.orders, ({ id }) => this.order(id), query);
      case "GET fulfillment_orders":
        return { body: { fulfillment_orders: fulfillmentOrders(order()) } };
      case "GET fulfillments":
        return { body: { fulfillments: order().fulfillments.map((one) => fulfillmentDocument(order(), one)) } };
      case "POST fulfillments.json": {
        const { order, made } = fulfilled(this.orders, (body as { fulfillment: NewFulfillment }).fulfillment);
        this.changeOrder(order.id, ({ fulfillments }) => void fulfillments.push(made));
        return { status: 201, body: { fulfillment: fulfillmentDocument(order, made) } };
      }
      case "POST cancel": {
        const { order, one } = cancellable(this.orders, Number(cancelled));
        this.changeOrder(order.id, () => Object.assign(one, { status: "cancelled" }));
        return { body: { fulfillment: fulfillmentDocument(order, one) } };
      }
    }
    throw new Refused(404, "Not Found");
  }

  #list<R extends { id: number; updated: number }>(
    name: string,
    all: R[],
    document: (record: R) => Document,
    query: Record<string, string>,
  ): Given {
    const { records, next } = pageOf(all, query, { most: this.pageSize, lies: this.lies });
    const url = next && `${this.url}/admin/api/2025-10/${name}.json?${new URLSearchParams(next)}`;
    return {
      body: { [name]: records.map((record) => shown(document(record), query.fields)) },
      ...(url && { headers: { link: `<${url}>; rel="next"` } }),
    };
  }
}
