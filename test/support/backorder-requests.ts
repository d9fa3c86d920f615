import type { Change, Floor } from "./change.js";
import * as fixtures from "./fixtures.js";
import { pickedOrder } from "./walk.js";

/** How what is done with backorders is asked twice. */

/** An order of two lines, of which one is cut. */
async function divisible({ by, order }: Floor) {
  const { so_id } = await order();
  const path = `/api/admin/sales-orders/${so_id}`;
  const { lines } = await by.ok("GET", path);
  const cut = (short_qty: number) => ({ lines: [{ so_line_id: lines[0].so_line_id as number, short_qty }] });
  return { by, path: `${path}/partial-fulfill`, cut };
}

export const backorderChanges: Record<string, (at: Floor) => Promise<Change>> = {
  "post /api/admin/sales-orders/:so_id/partial-fulfill": async (at) => {
    const { by, path, cut } = await divisible(at);
    return { by, path, body: cut(2), other: cut(1) };
  },
  "post /api/admin/sales-orders/:so_id/short-decision": async ({ by, warehouse_id }) => {
    const line = { item: await fixtures.item(), quantity: 5, found: 2 };
    const { so_id } = await pickedOrder(by, warehouse_id, [line]);
    return {
      ...{ by, path: `/api/admin/sales-orders/${so_id}/short-decision` },
      ...{ body: { decision: "wait" }, other: { decision: "ship_short" } },
    };
  },
  "post /api/admin/sales-orders/:so_id/cancel-backorder": async (at) => {
    const { by, path, cut } = await divisible(at);
    const { backorder_so } = await by.ok("POST", path, cut(2));
    return {
      ...{ by, path: `/api/admin/sales-orders/${backorder_so.so_id}/cancel-backorder` },
      ...{ body: { cancellation_reason: "refunded" }, other: { cancellation_reason: "late" } },
    };
  },
};
