import { z } from "zod";
import { eachAlone, goneAs404 } from "../alone.js";
import { defineConnector } from "../connector.js";
import { askFor, pageOf, type ShopifySource } from "../shopify/admin-api.js";
import { ShopifyConfig } from "../shopify/config.js";
import { nameOf, read } from "../shopify/documents.js";
import { fulfillmentOrdersOf } from "../shopify/fulfillment-orders.js";
import { pushFulfillment, voidFulfillment } from "../shopify/fulfillments.js";
import { itemRecords } from "../shopify/items.js";
import { isTest, needsFulfillmentOrders, orderRecord } from "../shopify/orders.js";
import { wholeProduct } from "../shopify/variants.js";
import { receive } from "../shopify/webhooks.js";

/**
 * A shop at Shopify, by its Admin REST API: the resources Product, Order, FulfillmentOrder, Fulfillment and Shop, with
 * the pages "Make paginated requests to the REST Admin API", "REST Admin API rate limits" and "Deliver webhooks through
 * HTTPS" of shopify.dev. Shopify calls REST its legacy API since October 2024: new public apps have to use GraphQL, but
 * custom apps of a shop, which this connector needs, are still served. Variants that REST leaves out of large products
 * are read by GraphQL.
 */
export default defineConnector({
  name: "shopify",
  versions: "iso_timestamp",
  config: ShopifyConfig,
  hosts: ".myshopify.com",

  syncItems: async (source, from) => {
    const fields = "id,title,status,vendor,product_type,handle,tags,updated_at,variants";
    const page = await pageOf(source, "products", { fields }, from);
    return { ...page, records: await productRecords(source, page.records) };
  },

  syncOrders: async (source, from) => {
    const page = await pageOf(source, "orders", { status: "any" }, from);
    return { ...page, records: await orderRecords(source, page.records) };
  },

  readAgain: async (source, resource, id) => {
    const [name, path] = resource === "items" ? ["product", "products"] : ["order", "orders"];
    const asked = await askFor(source, name as string, `${path}/${encodeURIComponent(id)}`).catch(goneAs404);
    const documents = asked === undefined ? [] : [asked as Record<string, unknown>];
    return resource === "items" ? productRecords(source, documents) : orderRecords(source, documents);
  },

  complete: (source, { payload }) => completeOrder(source, payload),

  pushFulfillment,
  voidFulfillment,
  receive,
  orderPage: ({ shop_url }, id) => new URL(`/admin/orders/${encodeURIComponent(id)}`, shop_url).href,

  testConnection: async (source) => {
    const shop = await askFor(source, "shop", "shop");
    return `Connected to ${read(z.object({ name: z.string() }), shop, "a shop").name}`;
  },
});

const productRecords = (source: ShopifySource, documents: Record<string, unknown>[]) =>
  eachAlone(documents, nameOf("items"), async (product) => itemRecords(await wholeProduct(source, product)));

const orderRecords = (source: ShopifySource, documents: Record<string, unknown>[]) =>
  eachAlone(documents, nameOf("sales_orders"), async (order) =>
    isTest(order) ? [] : [await completeOrder(source, order)],
  );

/** An order with the units that are to be shipped from this warehouse, which its document does not tell. */
async function completeOrder(source: ShopifySource, document: Record<string, unknown>) {
  const asked = needsFulfillmentOrders(document);
  return orderRecord(document, source.config, asked ? await fulfillmentOrdersOf(source, String(document.id)) : []);
}
