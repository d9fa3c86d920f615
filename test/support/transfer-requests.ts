import type { Change, Floor } from "./change.js";
import { db } from "./db.js";
import * as fixtures from "./fixtures.js";
import { confirm, transferOrder, walk } from "./transfers.js";

/** How what is done to transfer orders is asked twice. */

const wholeOrder = async (at: Floor, way: "out" | "in" = "out") => {
  const { by, warehouse_id } = at;
  const other = await fixtures.warehouse();
  const [source, destination] = way === "out" ? [warehouse_id, other] : [other, warehouse_id];
  const bin_id = await fixtures.bin(source);
  const { item_id } = await fixtures.item();
  await fixtures.stock(source, bin_id, item_id, 10);
  await fixtures.bin(destination, { type: "Staging" });
  return transferOrder(by, { source, destination }, [{ item_id, quantity: 5 }]);
};

/** A transfer order that leaves the warehouse. */
export const outgoing = (at: Floor) => wholeOrder(at);

/** One that comes in, with picks that somebody submitted. */
export async function incoming(at: Floor) {
  const order = await wholeOrder(at, "in");
  const { tasks } = await walk(at.by, order.to_id);
  await confirm(at.by, tasks[0] as (typeof tasks)[0], 5);
  const submitting = `/api/admin/picker/transfer-orders/${order.to_id}/submit`;
  const { to_approval_id } = await at.by.ok("POST", submitting);
  await db.run("update transfer_order_approvals set submitted_by = 'somebody' where to_approval_id = $1", [
    to_approval_id,
  ]);
  return { ...order, to_approval_id: to_approval_id as number };
}

const on =
  (action: (order: Awaited<ReturnType<typeof outgoing>>) => string) =>
  async (at: Floor): Promise<Change> => {
    const order = await outgoing(at);
    return { by: at.by, path: `${order.path}${action(order)}`, body: {}, other: { again: true } };
  };

const deciding =
  (decision: "approve" | "reject") =>
  async (at: Floor): Promise<Change> => {
    const { path, to_approval_id } = await incoming(at);
    return { by: at.by, path: `${path}/approvals/${to_approval_id}/${decision}`, body: {}, other: { again: true } };
  };

export const transferChanges: Record<string, (at: Floor) => Promise<Change>> = {
  "post /api/admin/transfer-orders": async ({ by, warehouse_id, stocked }) => {
    const { item_id } = await stocked();
    const body = {
      ...{ source_warehouse_id: warehouse_id, destination_warehouse_id: await fixtures.warehouse() },
      lines: [{ item_id, quantity: 3 }],
    };
    return { by, body, other: { ...body, notes: "other" } };
  },
  "post /api/admin/transfer-orders/import": async ({ by, warehouse_id, stocked }) => {
    const { sku } = await stocked();
    const ids = [warehouse_id, await fixtures.warehouse()];
    const [source, destination] = await db.rows<{ code: string }>(
      `select warehouse_code as code from warehouses where warehouse_id = any($1)
       order by array_position($1, warehouse_id)`,
      [ids],
    );
    const body = {
      ...{ source_warehouse_code: source?.code, destination_warehouse_code: destination?.code },
      records: [{ sku, quantity: 3 }],
    };
    return { by, body, other: { ...body, notes: "other" } };
  },
  "post /api/picking/transfer-orders/:to_id/start-picking": async (at) => {
    const { to_id } = await outgoing(at);
    const path = `/api/picking/transfer-orders/${to_id}/start-picking`;
    return { by: at.by, path, body: {}, other: { again: true } };
  },
  "post /api/picking/batch/:batch_id/take": async (at) => {
    const { to_id } = await outgoing(at);
    const { batch_id } = await walk(at.by, to_id);
    const another = "update pick_batches set assigned_to = 'somebody', assigned_user_id = null where batch_id = $1";
    await db.run(another, [batch_id]);
    return { by: at.by, path: `/api/picking/batch/${batch_id}/take`, body: {}, other: { again: true } };
  },
  "post /api/admin/transfer-orders/:to_id/approvals/:to_approval_id/approve": deciding("approve"),
  "post /api/admin/transfer-orders/:to_id/approvals/:to_approval_id/reject": deciding("reject"),
  "post /api/admin/transfer-orders/:to_id/cancel": on(() => "/cancel"),
  "delete /api/admin/transfer-orders/:to_id": on(() => ""),
  "post /api/admin/transfer-orders/:to_id/lines/:to_line_id/short-close": on(
    ({ lines }) => `/lines/${lines[0]?.to_line_id}/short-close`,
  ),
  "post /api/admin/transfer-orders/:to_id/start-picking": on(() => "/start-picking"),
  "post /api/admin/picker/transfer-orders/:to_id/submit": async (at) => {
    const { by } = at;
    const { to_id } = await outgoing(at);
    const { tasks } = await walk(by, to_id);
    await confirm(by, tasks[0] as (typeof tasks)[0], 2);
    return { by, path: `/api/admin/picker/transfer-orders/${to_id}/submit`, body: {}, other: { again: true } };
  },
};
