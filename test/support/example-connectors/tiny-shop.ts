import { z } from "zod";
import { defineConnector, type Source } from "../../../src/connectors/connector.js";

// What the shop says of itself; an answer that does not fit fails the sync, with the name of the field.
const Order = z.object({
  id: z.string(),
  changed: z.iso.datetime(),
  cancelled: z.boolean(),
  customer: z.string(),
  lines: z.array(z.object({ product: z.string(), sku: z.string(), units: z.int().positive() })),
});
const OrderPage = z.object({ orders: z.array(Order), next: z.string().nullable() });

const Config = z.strictObject({
  base_url: z.url().meta({ label: "Address", description: "Such as https://shop.example.com" }),
  api_key: z.string().min(1).meta({ label: "API key", description: "Settings → API" }),
});

/** Asks the shop. Errors, limits, retries and unreachable hosts are dealt with by `request`. */
const ask = ({ config, request }: Source<z.infer<typeof Config>>, path: string, body?: unknown) =>
  request({ url: `${config.base_url}${path}`, headers: { "X-Api-Key": config.api_key }, body });

export default defineConnector({
  name: "tiny-shop",
  versions: "iso_timestamp",
  config: Config,

  // Called page by page: `cursor` is the `next` of the page before, `since` the newest change of the last sync.
  syncOrders: async (source, { since, cursor }) => {
    const query = new URLSearchParams({ ...(since && { since }), ...(cursor && { after: cursor }) });
    const { orders, next } = OrderPage.parse((await ask(source, `/orders?${query}`)).json());
    return {
      next,
      newest:
        orders
          .map(({ changed }) => changed)
          .sort()
          .at(-1) ?? null,
      records: orders.map((order) => ({
        resource: "sales_orders" as const,
        external_id: order.id,
        external_version: order.changed,
        values: {
          so_number: `TINY-${order.id}`,
          customer_name: order.customer,
          ...(order.cancelled && { status: "CANCELLED" }),
        },
        lines: order.lines.map(({ product, sku, units }) => ({
          item: product,
          sku,
          values: { quantity_ordered: units },
        })),
        payload: order,
        // An order that was cancelled before it ever came here is of no interest.
        onlyIfKnown: order.cancelled,
      })),
    };
  },

  // A shipment may be a part of the order: `lines` are the units that it has.
  pushFulfillment: async (source, { order_id, carrier, tracking_numbers, ...shipment }) => {
    const lines = shipment.lines.map(({ item, sku, quantity }) => ({ product: item, sku, units: quantity }));
    const told = await ask(source, `/orders/${order_id}/shipped`, { carrier, tracking_numbers, lines });
    return { external_id: z.object({ id: z.string() }).parse(told.json()).id };
  },

  testConnection: async (source) =>
    `Connected to ${z.object({ name: z.string() }).parse((await ask(source, "/")).json()).name}`,
});
