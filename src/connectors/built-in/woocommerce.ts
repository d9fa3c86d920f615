import { defineConnector, SourceError } from "../connector.js";
import { ask, countOf, type WooSource } from "../woocommerce/api.js";
import { WooConfig } from "../woocommerce/config.js";
import { pushFulfillment, voidFulfillment } from "../woocommerce/fulfilment.js";
import { itemRecords } from "../woocommerce/items.js";
import { unitsLeft } from "../woocommerce/lines.js";
import { orderRecord } from "../woocommerce/orders.js";
import { checkUnits } from "../woocommerce/units.js";
import { pageOf } from "../woocommerce/walk.js";
import { receive } from "../woocommerce/webhooks.js";

/** Those that orders which concern the warehouse can be in; extensions add others, which mean what they like. */
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
    // A product with variations takes a request of its own, and may be a hundred records.
    const page = await pageOf(source, { path: "wc/v3/products", size: 50 }, from);
    const records = [];
    for (const product of page.records) records.push(...(await itemRecords(source, product)));
    return { ...page, records };
  },

  syncOrders: async (source, from) => {
    const list = { path: "wc/v3/orders", query: { status: statuses }, size: 50 };
    const page = await pageOf(source, list, from);
    const left = await unitsLeft(source, page.records);
    return { ...page, records: page.records.map((order) => orderRecord(order, source.config, left)) };
  },

  pushFulfillment,
  voidFulfillment,
  receive,

  testConnection: async (source) => {
    await checkUnits(source);
    const [products, orders] = [await total(source, "products"), await total(source, "orders")];
    return `Connected: ${products} products and ${orders} orders`;
  },
});

/** How many there are: proves that the key may read them, which the API's index does not. */
async function total(source: WooSource, what: "products" | "orders"): Promise<number> {
  const count = countOf(await ask(source, `wc/v3/${what}`, { query: { per_page: "1" } }), "x-wp-total");
  if (count === undefined) throw new SourceError("The answer has no X-WP-Total: this is not WooCommerce's REST API");
  return count;
}
