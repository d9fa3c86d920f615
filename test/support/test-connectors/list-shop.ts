import { z } from "zod";
import { defineConnector, type Source, type SyncFrom } from "../../../src/connectors/connector.js";

/** A connector of the tests: its shop answers pages of items, as `openListShop` does (test/support/list-shop.ts). */

interface ListedItem {
  id: string;
  version: string;
  sku: string;
  name: string;
}

export default defineConnector({
  name: "list-shop",
  versions: "integer",
  config: z.strictObject({ base_url: z.url().meta({ label: "URL" }), api_key: z.string().meta({ label: "API key" }) }),
  syncItems: async (source, from) => {
    const { items, next, newest } = (await page(source, "items", from)) as {
      items: ListedItem[];
      next: string | null;
      newest: string | null;
    };
    return {
      next,
      newest,
      records: items.map((item) => ({
        resource: "items" as const,
        external_id: item.id,
        external_version: item.version,
        values: { sku: item.sku, item_name: item.name },
        payload: { ...item },
      })),
    };
  },
  syncOrders: async (source, from) => {
    const { orders, next } = (await page(source, "orders", from)) as {
      orders: { id: string; version: string; number: string; item: string; quantity: number }[];
      next: string | null;
    };
    return {
      next,
      records: orders.map((order) => ({
        resource: "sales_orders" as const,
        external_id: order.id,
        external_version: order.version,
        values: { so_number: order.number },
        lines: [{ item: order.item, values: { quantity_ordered: order.quantity } }],
        payload: { ...order },
      })),
    };
  },
  testConnection: async (source) => {
    await source.request({ url: `${source.config.base_url}/ping`, headers: authorization(source) });
    return "Connected";
  },
});

type ShopSource = Source<{ base_url: string; api_key: string }>;

const authorization = ({ config }: ShopSource) => ({ Authorization: `Bearer ${config.api_key}` });

async function page(source: ShopSource, what: string, { since, cursor }: SyncFrom): Promise<unknown> {
  const url = new URL(`${source.config.base_url}/${what}`);
  if (since) url.searchParams.set("since", since);
  if (cursor) url.searchParams.set("cursor", cursor);
  return (await source.request({ url: url.href, headers: authorization(source) })).json();
}
