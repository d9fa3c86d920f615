import { createHmac, randomInt } from "node:crypto";
import type { ReceivedWebhook } from "../../../src/connectors/connector.js";
import { openShop, type Reply, type Shop, type ShopRequest } from "../connectors.js";
import { collection, type Doc, failure, type Listing } from "./woocommerce-lists.js";

/**
 * A shop with WooCommerce, as its REST API v3 is documented: Basic auth, lists with `modified_after`, pages and their
 * headers, variations, refunds, notes, settings, signed webhooks, and the extension Shipment Tracking where it has it.
 * `answerNext` of the server makes it answer with an error, broken JSON, or slowly.
 */

export interface WooShop extends Shop, Listing {
  /** What the connector has to be configured with. */
  config: Record<string, string>;
  products: Doc[];
  /** By the id of their product. */
  variations: Map<number, Doc[]>;
  orders: Doc[];
  /** By the id of their order, as are notes and trackings. */
  refunds: Map<number, Doc[]>;
  notes: Map<number, Doc[]>;
  trackings: Map<number, Record<string, string>[]>;
  /** What the extension Shipment Tracking lists; null for a shop without it. */
  carriers: string[] | null;
  settings: { weight_unit: string; dimension_unit: string };
  /** The shop's time, which moves on by a second with each change; answers are a minute later. */
  clock: number;
  /** Where the server takes the header Authorization away, before WordPress sees it. */
  takesHeaderAway: boolean;
  /** How much later than the newest change it answers, by its header `Date`. */
  answersAfterMs: number;

  product(fields?: object): Doc;
  variation(product: Doc, fields?: object): Doc;
  order(fields?: object): Doc;
  line(product: Doc, quantity: number, variation?: Doc): Doc;
  /** Refunds units of lines, or money alone. */
  refund(order: Doc, units: Map<Doc, number>): void;
  /** Changes a product, variation or order, and its time. */
  change(document: Doc, fields: object): Doc;
  /** A delivery of this topic, signed. */
  webhook(topic: string, document: object, secret?: string): ReceivedWebhook;
  /** What is sent when a webhook is made. */
  ping(): ReceivedWebhook;
}

const KEY = "ck_2b4c6d8e";
const SECRET = "cs_97531fed";
const WEBHOOK_SECRET = "whs_woo-secret";

let ids = randomInt(1_000, 1_000_000);

export async function openWooShop(): Promise<WooShop> {
  const server = await openShop(() => ({}));
  const shop: WooShop = Object.assign(server, {
    config: { shop_url: server.url, consumer_key: KEY, consumer_secret: SECRET, webhook_secret: WEBHOOK_SECRET },
    products: [],
    variations: new Map(),
    orders: [],
    refunds: new Map(),
    notes: new Map(),
    trackings: new Map(),
    carriers: null,
    settings: { weight_unit: "kg", dimension_unit: "cm" },
    clock: Date.parse("2026-03-02T08:00:00Z"),
    answersAfterMs: 60_000,
    takesHeaderAway: false,
    lies: {},
    afterList: undefined,
    product: (fields = {}) => {
      const product = made(shop, { ...newProduct, ...fields });
      shop.products.push(product);
      return product;
    },
    variation: (product, fields = {}) => {
      const variation = made(shop, { ...newVariation, ...fields });
      shop.variations.set(product.id, [...(shop.variations.get(product.id) ?? []), variation]);
      // Saving a variation saves its product.
      shop.change(product, {});
      return variation;
    },
    order: (fields = {}) => {
      const order = made(shop, { ...newOrder(), ...fields });
      order.number ??= String(order.id);
      shop.orders.push(order);
      return order;
    },
    line: (product, quantity, variation) => ({
      ...{ id: ++ids, name: product.name, product_id: product.id, variation_id: variation?.id ?? 0, quantity },
      ...{ subtotal: "6.00", subtotal_tax: "0.45", total: "6.00", total_tax: "0.45", taxes: [], meta_data: [] },
      ...{ sku: variation?.sku || product.sku, price: 3, parent_name: variation ? product.name : null },
    }),
    refund: (order, units) => {
      const line_items = [...units].map(([line, quantity]) => ({
        ...{ ...line, id: ++ids, quantity: -quantity },
        meta_data: [{ id: ++ids, key: "_refunded_item_id", value: String(line.id) }],
      }));
      const refund = { id: ++ids, amount: "3.00", reason: "", refunded_payment: false, meta_data: [], line_items };
      shop.refunds.set(order.id, [...(shop.refunds.get(order.id) ?? []), refund]);
      shop.change(order, { refunds: [...order.refunds, { id: refund.id, reason: "", total: "-3.00" }] });
    },
    change: (document, fields) => Object.assign(document, fields, stamp(shop)),
    webhook: (topic, document, secret = WEBHOOK_SECRET) => {
      const body = Buffer.from(JSON.stringify(inheriting(shop, document as Doc)));
      const [resource = "", event = ""] = topic.split(".");
      const headers = {
        "content-type": "application/json",
        "x-wc-webhook-source": `${shop.url}/`,
        "x-wc-webhook-topic": topic,
        "x-wc-webhook-resource": resource,
        "x-wc-webhook-event": event,
        "x-wc-webhook-signature": createHmac("sha256", secret).update(body).digest("base64"),
        "x-wc-webhook-id": "142",
        "x-wc-webhook-delivery-id": String(++ids),
      };
      return { headers, body };
    },
    ping: () => ({
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: Buffer.from("webhook_id=142"),
    }),
  } satisfies Omit<WooShop, keyof Shop>);
  shop.usual = (request) => answer(shop, request);
  return shop;
}

const made = (shop: WooShop, fields: object): Doc => {
  const { date_modified, date_modified_gmt } = stamp(shop);
  const created = { date_created: date_modified, date_created_gmt: date_modified_gmt };
  return { id: ++ids, ...created, date_modified, date_modified_gmt, ...fields } as Doc;
};

/** The site's own time is three hours behind GMT. */
function stamp(shop: WooShop) {
  shop.clock += 1_000;
  const at = (ms: number) => new Date(ms).toISOString().slice(0, 19);
  return { date_modified: at(shop.clock - 3 * 3_600_000), date_modified_gmt: at(shop.clock) };
}

const measures = { weight: "", dimensions: { length: "", width: "", height: "" } };
const newProduct = {
  ...{ name: "Mug", type: "simple", status: "publish", sku: "", global_unique_id: "", virtual: false },
  ...{ downloadable: false, price: "3.00", manage_stock: false, stock_quantity: null, parent_id: 0, ...measures },
  ...{ description: "<p>A mug</p>", attributes: [], variations: [], meta_data: [] },
};
const newVariation = {
  ...{ status: "publish", sku: "", global_unique_id: "", virtual: false, downloadable: false, ...measures },
  ...{ price: "9.00", attributes: [{ id: 6, name: "Color", option: "Black" }], meta_data: [] },
};
const address = {
  ...{ first_name: "John", last_name: "Doe", company: "", address_1: "969 Market", address_2: "" },
  ...{ city: "San Francisco", state: "CA", postcode: "94103", country: "US", phone: "" },
};
const newOrder = () => ({
  ...{ parent_id: 0, status: "processing", currency: "USD", created_via: "checkout", version: "10.4.0" },
  ...{ shipping_total: "10.00", shipping_tax: "0.80", total: "29.35", total_tax: "1.35", customer_note: "" },
  ...{ date_completed: null, date_completed_gmt: null, meta_data: [] },
  billing: { ...address, email: "john.doe@example.com", phone: "(555) 555-5555" },
  shipping: { ...address },
  line_items: [],
  shipping_lines: [{ id: 317, method_title: "Flat Rate", method_id: "flat_rate", total: "10.00", meta_data: [] }],
  ...{ fee_lines: [], coupon_lines: [], refunds: [] },
});

function answer(shop: WooShop, request: ShopRequest): Reply {
  const { headers = {}, ...reply } = routed(shop, request) as Exclude<Reply, (...args: never[]) => void>;
  const now = new Date(shop.clock + shop.answersAfterMs + (shop.lies.clockSkewMs ?? 0)).toUTCString();
  return { headers: { "content-type": "application/json; charset=UTF-8", date: now, ...headers }, ...reply };
}

function routed(shop: WooShop, { method, path, headers, body }: ShopRequest): Reply {
  const { pathname, searchParams } = new URL(path, shop.url);
  const [, namespace, route = ""] = /^\/wp-json\/(wc\/v3|wc-shipment-tracking\/v3)\/(.*)$/.exec(pathname) ?? [];
  const basic = `Basic ${Buffer.from(`${KEY}:${SECRET}`).toString("base64")}`;
  const [key, secret] = ["consumer_key", "consumer_secret"].map((name) => searchParams.get(name));
  const isKnown = (!shop.takesHeaderAway && headers.authorization === basic) || (key === KEY && secret === SECRET);
  if (route !== "shipment-trackings/providers" && !isKnown)
    return failure(401, "woocommerce_rest_cannot_view", "Sorry, you cannot list resources.");
  const sent = () => JSON.parse(body);
  const list = (documents: Doc[]) => collection(shop, documents, searchParams, pathname);
  const parts = route.split("/");
  const [what, id = 0, below] = [parts[0], Number(parts[1]), parts[2]];
  if (namespace === "wc-shipment-tracking/v3") return tracking(shop, method, parts, sent);
  if (route === "settings/products") return { body: settings(shop) };
  if (route === "products") return list(shop.products);
  if (route === "orders") return list(shop.orders);
  if (what === "products") {
    const product = shop.products.find((one) => one.id === id);
    if (!product) return failure(404, "woocommerce_rest_product_invalid_id", "Invalid ID.");
    const variations = () => (shop.variations.get(id) ?? []).map((one) => inheriting(shop, one));
    return below === "variations" ? list(variations()) : { body: product };
  }
  const order = shop.orders.find((one) => one.id === id);
  if (what !== "orders") return failure(404, "rest_no_route", "No route was found matching the URL and request method");
  if (!order) return failure(404, "woocommerce_rest_shop_order_invalid_id", "Invalid ID.");
  if (below === "refunds") return list(shop.refunds.get(id) ?? []);
  if (below === "notes") return method === "POST" ? { status: 201, body: note(shop, id, sent()) } : notesOf(shop, id);
  return { body: method === "PUT" ? changed(shop, order, sent()) : order };
}

/** What the API says of a variation: the SKU and GTIN of its product where it has none of its own. */
function inheriting(shop: WooShop, document: Doc): Doc {
  const [productId] = [...shop.variations].find(([, all]) => all.some(({ id }) => id === document.id)) ?? [];
  const product = shop.products.find(({ id }) => id === productId);
  const of = (field: string) => document[field] || product?.[field];
  return product ? { ...document, sku: of("sku"), global_unique_id: of("global_unique_id") } : document;
}

const notesOf = (shop: WooShop, id: number): Reply => ({ body: (shop.notes.get(id) ?? []).toReversed() });

function note(shop: WooShop, orderId: number, { note, customer_note = false }: Doc): Doc {
  const made = { id: ++ids, author: "system", note, customer_note };
  shop.notes.set(orderId, [...(shop.notes.get(orderId) ?? []), made]);
  return made;
}

/** An order that is completed keeps the time of it, whatever follows. */
function changed(shop: WooShop, order: Doc, { status, meta_data = [] }: Doc): Doc {
  const kept = order.meta_data.filter((one: Doc) => !meta_data.some((other: Doc) => other.key === one.key));
  shop.change(order, { status: status ?? order.status, meta_data: [...kept, ...meta_data] });
  if (status === "completed") order.date_completed_gmt = order.date_modified_gmt;
  return order;
}

const settings = ({ settings: { weight_unit, dimension_unit } }: WooShop) => [
  { id: "woocommerce_shop_page_id", value: "5", type: "select" },
  { id: "woocommerce_weight_unit", value: weight_unit, type: "select" },
  { id: "woocommerce_dimension_unit", value: dimension_unit, type: "select" },
];

function tracking(shop: WooShop, method: string, parts: string[], sent: () => Record<string, string>): Reply {
  if (!shop.carriers) return failure(404, "rest_no_route", "No route was found matching the URL and request method");
  if (parts[0] === "shipment-trackings")
    return {
      body: { "United States": Object.fromEntries(shop.carriers.map((name) => [name, "https://example.com/%1$s"])) },
    };
  const id = Number(parts[1]);
  const present = shop.trackings.get(id) ?? [];
  const item = method === "POST" ? { tracking_id: String(++ids), ...sent() } : undefined;
  if (item) present.push(item);
  shop.trackings.set(id, method === "DELETE" ? present.filter((one) => one.tracking_id !== parts[3]) : present);
  return item ? { status: 201, body: item } : { body: present };
}
