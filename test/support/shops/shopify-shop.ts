import { createHmac, randomUUID } from "node:crypto";
import {
  type Line,
  LOCATION,
  type NewLine,
  newId,
  orderDocument,
  Refused,
  type ShopOrder,
  timeOf,
} from "./shopify-orders.js";
import type { Document } from "./shopify-paging.js";

interface ShopProduct {
  id: number;
  updated: number;
  document: Document;
}

export interface NewVariant {
  sku: string | null;
  title?: string;
  barcode?: string | null;
  weight?: number;
  weight_unit?: string;
}

/** What a shop has and what happens in it; each change tells its new document. */
export class Shop {
  readonly token = `shpat_${randomUUID().replaceAll("-", "")}`;
  readonly secret = `shpss_${randomUUID().replaceAll("-", "")}`;
  /** The shop's clock, in ms; each change is this many seconds after the one before. */
  clock = Date.UTC(2026, 4, 6, 12);
  secondsPerChange = 1;
  /** Of the next order. */
  nextNumber = 1_001;
  readonly products: ShopProduct[] = [];
  readonly orders: ShopOrder[] = [];

  #tick(): number {
    this.clock += this.secondsPerChange * 1_000;
    return this.clock;
  }

  addProduct(variants: NewVariant[], fields: Document = {}): Document {
    const [id, updated] = [newId(), this.#tick()];
    const document = {
      ...{ id, title: `Product ${id}`, body_html: "<p>Fine</p>", vendor: "Acme", product_type: "", status: "active" },
      ...{ handle: `product-${id}`, tags: "", created_at: timeOf(updated), ...fields },
      variants: variants.map((variant, i) => ({
        ...{ id: newId(), product_id: id, title: "Default Title", price: "199.00", position: i + 1 },
        ...{ barcode: null, weight: 0, weight_unit: "lb", grams: 0, requires_shipping: true, ...variant },
        updated_at: timeOf(updated),
      })),
      images: [],
    };
    this.products.push({ id, updated, document });
    return this.product(id);
  }

  /** Fields of products and orders, by their id, that are not as Shopify documents them. */
  readonly wrong = new Map<number, Document>();

  product(id: number): Document {
    const { document, updated } = found(this.products, id);
    const variants = (document.variants as Document[]).slice(0, 100);
    return structuredClone({ ...document, variants, updated_at: timeOf(updated), ...this.wrong.get(id) });
  }

  /** All of its variants, of which the REST API tells no more than the first hundred. */
  allVariants(id: number): Document[] {
    return (this.products.find((product) => product.id === id)?.document.variants ?? []) as Document[];
  }

  changeProduct(id: number, change: (document: Document) => void): Document {
    const product = found(this.products, id);
    change(product.document);
    product.updated = this.#tick();
    return this.product(id);
  }

  /** A paid order, unless told otherwise. */
  addOrder(lines: NewLine[], fields: Document = {}): Document {
    const [id, updated] = [newId(), this.#tick()];
    const number = this.nextNumber++;
    const order: ShopOrder = {
      ...{ id, updated },
      fields: {
        ...{ name: `#${number}`, order_number: number, created_at: timeOf(updated), processed_at: timeOf(updated) },
        ...{ cancelled_at: null, cancel_reason: null, closed_at: null, financial_status: "paid", test: false },
        ...{ currency: "USD", total_price: "598.94", current_total_price: "598.94", note: null, source_name: "web" },
        ...{ email: "bob.norman@mail.example.com", phone: "+557734881234", refunds: [], ...fields },
      },
      lines: lines.map((line) => ({
        ...{ id: newId(), removed: 0, requires_shipping: true, location_id: LOCATION, fulfillment_service: "manual" },
        ...line,
      })),
      fulfillments: [],
    };
    this.orders.push(order);
    return this.order(id);
  }

  order(id: number): Document {
    return structuredClone({ ...orderDocument(found(this.orders, id)), ...this.wrong.get(id) });
  }

  changeOrder(id: number, change: (order: ShopOrder) => void): Document {
    const order = found(this.orders, id);
    change(order);
    order.updated = this.#tick();
    return this.order(id);
  }

  cancelOrder(id: number): Document {
    return this.changeOrder(id, (order) => {
      const at = timeOf(this.clock + this.secondsPerChange * 1_000);
      Object.assign(order.fields, { cancelled_at: at, cancel_reason: "customer", financial_status: "refunded" });
      for (const line of order.lines) line.removed = line.quantity;
    });
  }

  /** Takes units of a line out of the order, with their money. */
  refund(id: number, lineIndex: number, quantity: number): Document {
    return this.changeOrder(id, ({ lines, fields }) => {
      (lines[lineIndex] as Line).removed += quantity;
      const left = lines.some((line) => line.removed < line.quantity);
      fields.financial_status = left ? "partially_refunded" : "refunded";
    });
  }

  /** Somebody fulfils units in the shop's admin. */
  fulfilByHand(id: number, lineIndex: number, quantity: number): Document {
    return this.changeOrder(id, ({ lines, fulfillments }) => {
      const { id: line, location_id } = lines[lineIndex] as Line;
      fulfillments.push({
        ...{ id: newId(), status: "success", location_id, tracking_company: null, tracking_number: null },
        ...{ lines: [{ id: line, quantity }], notified: false },
      });
    });
  }

  /** Somebody puts what is open at a location on hold, or releases it. */
  hold(id: number, on = true, location_id = LOCATION): Document {
    return this.changeOrder(id, (order) => {
      order.waiting = new Map(on ? [[location_id, "on_hold"]] : []);
    });
  }

  /** A webhook as the shop sends it. */
  webhook(topic: string, document: unknown, { secret = this.secret } = {}) {
    const body = typeof document === "string" ? document : JSON.stringify(document);
    const headers = {
      "content-type": "application/json",
      "x-shopify-topic": topic,
      "x-shopify-hmac-sha256": createHmac("sha256", secret).update(body).digest("base64"),
      "x-shopify-shop-domain": "johns-apparel.myshopify.com",
      "x-shopify-api-version": "2025-10",
      "x-shopify-webhook-id": randomUUID(),
      "x-shopify-triggered-at": new Date(this.clock).toISOString(),
    };
    return { headers, body };
  }

  /** Sends a webhook to an address; gives the answer. */
  async send(to: string, topic: string, document: unknown, more: Record<string, string> = {}) {
    const { headers, body } = this.webhook(topic, document);
    const response = await fetch(to, { method: "POST", body, headers: { ...headers, ...more } });
    return { status: response.status, body: JSON.parse(await response.text()) };
  }
}

export function found<R extends { id: number }>(all: R[], id: number): R {
  const one = all.find((record) => record.id === id);
  if (!one) throw new Refused(404, "Not Found");
  return one;
}
