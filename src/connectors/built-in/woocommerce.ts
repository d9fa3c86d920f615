import { eachAlone, failsAlone, goneAs404 } from "../alone.js";
import { defineConnector, SourceError, type SourceRecord } from "../connector.js";
import { ask, countOf, type WooSource } from "../woocommerce/api.js";
import { pageOf } from "../woocommerce/changes.js";
import { WooConfig } from "../woocommerce/config.js";
import { type Document, nameOf } from "../woocommerce/documents.js";
import { pushFulfillment, voidFulfillment } from "../woocommerce/fulfilment.js";
import { itemRecords } from "../woocommerce/items.js";
import { unitsLeft } from "../woocommerce/lines.js";
import { orderRecord } from "../woocommerce/orders.js";
import { checkUnits } from "../woocommerce/units.js";
import { isPing, receive } from "../woocommerce/webhooks.js";

/** The statuses of orders that concern the warehouse; extensions add others, with meanings of their own. */
const statuses = "processing,on-hold,pending,completed,cancelled,refunded,failed,trash";

/**
 * A shop with WooCommerce, by its REST API v3 (developer.woocommerce.com/docs/apis/rest-api/v3): products with their
 * variations, orders with refunds and notes, settings, and webhooks. docs/connectors-woocommerce.md says what is
 * synced.
 */
export default defineConnector({
  name: "woocommerce",
  versions: "iso_timestamp",
  config: WooConfig,

  syncItems: async (source, from) => {
    if (from.cursor === null) await checkUnits(source);
    // A product with variations takes a request of its own, and may become a hundred records.
    const page = await pageOf(source, { path: "wc/v3/products", size: 50 }, from);
    return { ...page, records: await eachAlone(page.records, nameOf("items"), (one) => itemRecords(source, one)) };
  },

  syncOrders: async (source, from) => {
    const list = { path: "wc/v3/orders", query: { status: statuses }, size: 50 };
    const page = await pageOf(source, list, from);
    return { ...page, records: await orderRecords(source, page.records) };
  },

  readAgain: async (source, resource, id) => {
    const path = `wc/v3/${resource === "items" ? "products" : "orders"}/${encodeURIComponent(id)}`;
    const document = (await ask(source, path).catch(goneAs404))?.json() as Document | undefined;
    if (!document) return [];
    return resource === "items"
      ? eachAlone([document], nameOf("items"), (one) => itemRecords(source, one))
      : orderRecords(source, [document]);
  },

  pushFulfillment,
  voidFulfillment,
  receive,
  isPing,
  orderPage: ({ shop_url }, id) =>
    `${shop_url.replace(/\/+$/, "")}/wp-admin/post.php?post=${encodeURIComponent(id)}&action=edit`,

  testConnection: async (source) => {
    await checkUnits(source);
    const [products, orders] = [await total(source, "products"), await total(source, "orders")];
    return `Connected: ${products} products and ${orders} orders`;
  },
});

/** Data of all orders of a page is requested at once; where that fails, for each order by itself. */
async function orderRecords(source: WooSource, documents: Document[]): Promise<SourceRecord[]> {
  const together = await unitsLeft(source, documents).catch((error: unknown) => {
    if (!failsAlone(error)) throw error;
    return undefined;
  });
  return eachAlone(documents, nameOf("sales_orders"), async (order) => [
    orderRecord(order, source.config, together ?? (await unitsLeft(source, [order]))),
  ]);
}

/** The number of orders: proves that the key may read them, which the API's index does not. */
async function total(source: WooSource, what: "products" | "orders"): Promise<number> {
  const count = countOf(await ask(source, `wc/v3/${what}`, { query: { per_page: "1" } }), "x-wp-total");
  if (count === undefined) throw new SourceError("The answer has no X-WP-Total: this is not WooCommerce's REST API");
  return count;
}
