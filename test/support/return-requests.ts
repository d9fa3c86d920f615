import type { Change, Floor } from "./change.js";
import * as fixtures from "./fixtures.js";

/** How the routes of returns are asked. */

const pathOf = (so_id: number, action: string) => `/api/admin/sales-orders/${so_id}/${action}`;

/** Five shipped units of an item. */
async function shipped({ warehouse_id }: Floor) {
  const { item_id } = await fixtures.item();
  const { so_id } = await fixtures.shippedOrder(warehouse_id, [{ item_id, quantity: 5 }]);
  return { item_id, so_id };
}

/** A return of three of them. */
async function expected(at: Floor) {
  const { item_id, so_id } = await shipped(at);
  const made = await at.by.ok("POST", pathOf(so_id, "create-rma"), { lines: [{ item_id, quantity: 3 }] });
  return { item_id, so_id: made.so_id as number };
}

/** One of them has come. */
async function received(at: Floor) {
  const { item_id, so_id } = await expected(at);
  const { warehouse_id } = at;
  const goods = { item_id, quantity: 1, warehouse_id, bin_id: await fixtures.bin(warehouse_id) };
  const { receipt_id } = await at.by.ok("POST", pathOf(so_id, "receive-return"), goods);
  return { so_id, receipt_id: receipt_id as number };
}

export const returnChanges: Record<string, (at: Floor) => Promise<Change>> = {
  "post /api/admin/sales-orders/:so_id/create-rma": async (at) => {
    const { item_id, so_id } = await shipped(at);
    const body = { lines: [{ item_id, quantity: 3 }], memo: "too small" };
    return { by: at.by, path: pathOf(so_id, "create-rma"), body, other: { ...body, memo: "too large" } };
  },
  "post /api/admin/sales-orders/:so_id/receive-return": async (at) => {
    const { item_id, so_id } = await expected(at);
    const { warehouse_id } = at;
    const body = {
      item_id,
      quantity: 2,
      warehouse_id,
      bin_id: await fixtures.bin(warehouse_id),
      notes: "box was open",
    };
    return { by: at.by, path: pathOf(so_id, "receive-return"), body, other: { ...body, quantity: 1 } };
  },
  "post /api/receiving/receive-return": async (at) => {
    const { item_id, so_id } = await expected(at);
    const { warehouse_id } = at;
    const body = { so_id, item_id, quantity: 2, warehouse_id, bin_id: await fixtures.bin(warehouse_id) };
    return { by: at.by, body, other: { ...body, quantity: 1 } };
  },
  "post /api/admin/sales-orders/:so_id/return-receipts/:receipt_id/reverse": async (at) => {
    const { so_id, receipt_id } = await received(at);
    const path = pathOf(so_id, `return-receipts/${receipt_id}/reverse`);
    return { by: at.by, path, body: { reason: "wrong item" }, other: { reason: "wrong bin" } };
  },
  "post /api/admin/sales-orders/:so_id/close-return": async (at) => {
    const { so_id } = await received(at);
    return { by: at.by, path: pathOf(so_id, "close-return"), body: {}, other: { again: true } };
  },
  "post /api/admin/sales-orders/:so_id/void-return": async (at) => {
    const { so_id } = await expected(at);
    return { by: at.by, path: pathOf(so_id, "void-return"), body: {}, other: { again: true } };
  },
};
