import { randomUUID } from "node:crypto";
import { writePush } from "../../activities/inbound/push.js";
import { tokenActor } from "../../api/auth/token-authentication.js";
import type { Resource } from "../../src/auth/tokens/scope.js";
import type { Push } from "../../src/inbound/shapes.js";
import { type Case, call, times, type Work } from "../case.js";
import { itemsOfOrder } from "../data.js";
import type { BenchService } from "../service.js";
import { type Program, productOf } from "../shop.js";

/** A push of the shop. */
const push = (resource: Resource, shop: Program, body: Push): Work =>
  call(shop, `POST /api/v1/inbound/${resource}`, body, () =>
    writePush(resource, body, shop.token, tokenActor(shop.token, randomUUID())),
  );

const VERSION = "2026-05-06T12:00:00Z";

const item = (): Push => {
  const id = randomUUID();
  return {
    external_id: id,
    external_version: VERSION,
    source_payload: {
      ...{ id, title: "Copper kettle", sku: `KETTLE-${id.slice(24)}` },
      barcode: id.slice(0, 13),
      ...{ product_type: "Kettles", status: "active" },
      weight: { value: "1.250", unit: "kg" },
      size_cm: ["22.5", "18.0", "24"],
    },
  };
};

export const inboundItem: Case = {
  name: "inbound items",
  works: 2_000,
  prepare: async ({ shop }, count) => times(count, () => push("items", shop, item())),
};

export const inboundRepeat: Case = {
  name: "inbound repeats",
  works: 6_000,
  prepare: async ({ shop }, count) => {
    const pushes = times(200, () => push("items", shop, item()));
    for (const it of pushes) await it.directly();
    return times(count, (i) => pushes[i % pushes.length] as Work);
  },
};

/** An order of two items, as a shop exports it. */
const salesOrder = ({ size }: BenchService, place: number): Push => {
  const id = randomUUID();
  const address = { first_name: "Ann", last_name: "Lee", address1: "1 Elm St" };
  return {
    external_id: id,
    external_version: VERSION,
    source_payload: {
      ...{ id, order_number: place, total_price: "131.18" },
      created_at: VERSION,
      ...{ currency: "USD", source_name: "web", tags: ["gift"] },
      customer: { ...address, id: `C-${(place % 1000) + 1}` },
      ...{ billing_address: address, shipping_address: address },
      line_items: itemsOfOrder(place, size).map((item) => ({
        ...{ product_id: productOf(item), quantity: 2, price: "58.00" },
      })),
    },
  };
};

export const inboundSalesOrder: Case = {
  name: "inbound sales-orders",
  works: 1_000,
  prepare: async (service, count) => {
    const first = service.places(count);
    return times(count, (i) => push("sales_orders", service.shop, salesOrder(service, first + i)));
  },
};
