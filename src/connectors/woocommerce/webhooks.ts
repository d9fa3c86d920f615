import { z } from "zod";
import { alone, type Named } from "../alone.js";
import { type ReceivedWebhook, type SourceRecord, WebhookRefused } from "../connector.js";
import { documentIn, isSigned } from "../signed.js";
import type { WooConfig } from "./config.js";
import { Id, nameOf, Order, read, waiting } from "./documents.js";
import { deletedItem, productRecords } from "./items.js";
import { deletedOrder, orderRecord } from "./orders.js";

const ORDER = /^order\.(created|updated|restored)$/;
const PRODUCT = /^product\.(created|updated|restored)$/;

/**
 * The records of a webhook. Where the document is not complete, the record is left to the next sync, and its version is
 * not noted: an order with refunds does not say for which lines, a product does not have its variations.
 */
export function receive(config: WooConfig, webhook: ReceivedWebhook): SourceRecord[] {
  if (isPing(webhook)) return [];
  checkSignature(config, webhook);
  const topic = webhook.headers["x-wc-webhook-topic"] ?? "";
  const document = () => documentIn(webhook.body, "The body of the webhook is no document");
  const read = (resource: Named["resource"], translate: typeof orderRecords) => {
    const one = document();
    return alone(one, nameOf(resource)(one), () => translate(config, one));
  };
  if (ORDER.test(topic)) return read("sales_orders", orderRecords);
  if (PRODUCT.test(topic)) return read("items", productRecords);
  if (topic === "order.deleted") return [deletedOrder(idOf(document()))];
  if (topic === "product.deleted") return [deletedItem(idOf(document()))];
  return [];
}

function orderRecords(config: WooConfig, document: unknown): SourceRecord[] {
  const { status, refunds } = read(Order, document, "an order");
  return (status === "processing" || waiting.includes(status)) && refunds.length > 0
    ? []
    : [orderRecord(document, config)];
}

/** The form that WooCommerce sends when a webhook is created: with the webhook's id, without a signature. */
export const isPing = ({ headers, body }: ReceivedWebhook) =>
  headers["x-wc-webhook-topic"] === undefined && /^webhook_id=\d{1,20}$/.test(body.subarray(0, 40).toString());

function checkSignature({ webhook_secret }: WooConfig, { headers, body }: ReceivedWebhook): void {
  if (webhook_secret === undefined) throw new WebhookRefused("webhook_secret is not set");
  if (!isSigned(webhook_secret, headers["x-wc-webhook-signature"], body))
    throw new WebhookRefused("X-WC-Webhook-Signature is missing or wrong");
}

const idOf = (document: unknown) => read(z.object({ id: Id }), document, "a deleted record").id;
