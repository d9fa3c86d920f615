import type { Change, Floor } from "./change.js";
import { db } from "./db.js";
import * as fixtures from "./fixtures.js";

/** How the routes that edit sales orders are asked. */

const ORDERS = "/api/admin/sales-orders";

/** A line of 5 units, of which 3 are reserved, and where it is edited. */
async function reservedLine({ by, order }: Floor) {
  const { so_id } = await order();
  const { lines } = await by.ok("GET", `${ORDERS}/${so_id}`);
  const path = `${ORDERS}/${so_id}/lines/${lines[0].so_line_id}`;
  await by.ok("PATCH", `${path}/allocation`, { delta: 3 });
  return { by, path };
}

export const salesOrderChanges: Record<string, (at: Floor) => Promise<Change>> = {
  "put /api/admin/sales-orders/:so_id": async ({ by, picked }) => {
    const { so_id } = await picked();
    const body = { status: "SHIPPED", tracking_number: "1Z999", memo: "sent by hand", source_system: "shop" };
    return { ...{ by, path: `${ORDERS}/${so_id}`, body }, other: { memo: "another" } };
  },
  "patch /api/admin/sales-orders/:so_id/address": async ({ by, order }) => {
    const { so_id } = await order();
    const body = { shipping_address_city: "London", billing_address_phone: "" };
    return { ...{ by, path: `${ORDERS}/${so_id}/address`, body }, other: { shipping_address_city: "Paris" } };
  },
  "patch /api/admin/sales-orders/:so_id/memo": async ({ by, order }) => {
    const { so_id } = await order();
    const path = `${ORDERS}/${so_id}/memo`;
    return { by, path, body: { memo: "call" }, other: { memo: "write" } };
  },
  "post /api/admin/sales-orders/:so_id/push-to-queue": async (at) => {
    const { so_id } = await at.order();
    await db.run("update sales_orders set status = 'FRAUD_REVIEW' where so_id = $1", [so_id]);
    const path = `${ORDERS}/${so_id}/push-to-queue`;
    return { by: at.by, path, body: {}, other: { again: true } };
  },
  "post /api/admin/sales-orders/:so_id/hold": async (at) => {
    const { so_id } = await at.order();
    const path = `${ORDERS}/${so_id}/hold`;
    return { by: at.by, path, body: { reason: "the payment is checked" }, other: { reason: "the customer asked" } };
  },
  "post /api/admin/sales-orders/:so_id/release-hold": async (at) => {
    const { so_id } = await at.order();
    await db.run("update sales_orders set hold_reason = 'on_hold_in_shop' where so_id = $1", [so_id]);
    const path = `${ORDERS}/${so_id}/release-hold`;
    return { by: at.by, path, body: {}, other: { again: true } };
  },
  "post /api/admin/sales-orders/:so_id/lines": async ({ by, order }) => {
    const { so_id } = await order();
    const { item_id } = await fixtures.item();
    const path = `${ORDERS}/${so_id}/lines`;
    const body = { item_id, quantity_ordered: 3 };
    return { by, path, body, other: { ...body, quantity_ordered: 4 } };
  },
  "patch /api/admin/sales-orders/:so_id/lines/:so_line_id": async (at) => ({
    ...(await reservedLine(at)),
    ...{ body: { quantity_ordered: 2 }, other: { quantity_ordered: 1 } },
  }),
  "delete /api/admin/sales-orders/:so_id/lines/:so_line_id": async (at) => ({
    ...(await reservedLine(at)),
    ...{ body: {}, other: { again: true } },
  }),
  "patch /api/admin/sales-orders/:so_id/lines/:so_line_id/allocation": async (at) => {
    const { by, path } = await reservedLine(at);
    const body = { delta: 1 };
    return { by, path: `${path}/allocation`, body, other: { delta: -1 } };
  },
  "post /api/admin/sales-orders/mark-printed": async ({ by, order }) => {
    const so_ids = [await order(), await order()].map((so) => so.so_id);
    return { by, body: { so_ids }, other: { so_ids: so_ids.slice(1) } };
  },
};
