import { alone, type Named } from "../alone.js";
import { type ReceivedWebhook, type SourceRecord, WebhookRefused } from "../connector.js";
import { documentIn, isSigned } from "../signed.js";
import type { ShopifyConfig } from "./config.js";
import { nameOf } from "./documents.js";
import { itemRecords } from "./items.js";
import { isTest, needsFulfillmentOrders, orderRecord } from "./orders.js";

/**
 * Topics whose body is the whole product or order. Others have only ids or a part: `products/delete` and
 * `orders/delete` name no variants and have no version, and with `orders/edited` or `refunds/create` comes an
 * `orders/updated`.
 */
const products = ["products/create", "products/update"];
const orders = ["create", "updated", "paid", "cancelled", "fulfilled", "partially_fulfilled"].map(
  (what) => `orders/${what}`,
);

/** Verifies a webhook, then reads it. Only the body is signed, so of the headers only the topic is used. */
export function receive(config: ShopifyConfig, { headers, body }: ReceivedWebhook): SourceRecord[] {
  const { webhook_secret } = config;
  if (!webhook_secret || !isSigned(webhook_secret, headers["x-shopify-hmac-sha256"], body))
    throw new WebhookRefused("The signature of the webhook is not the shop's");
  // Shopify's admin can send test orders.
  if (headers["x-shopify-test"] === "true") return [];
  const topic = headers["x-shopify-topic"] ?? "";
  const read = (resource: Named["resource"], translate: (document: Record<string, unknown>) => SourceRecord[]) => {
    const document = documentIn(body, "Shopify sent a webhook that is no document");
    return alone(document, nameOf(resource)(document), translate);
  };
  if (products.includes(topic)) return read("items", itemRecords);
  if (orders.includes(topic)) return read("sales_orders", (document) => orderRecords(config, document));
  return [];
}

function orderRecords(config: ShopifyConfig, document: Record<string, unknown>): SourceRecord[] {
  if (isTest(document)) return [];
  return [{ ...orderRecord(document, config), ...(needsFulfillmentOrders(document) && { incomplete: true }) }];
}
