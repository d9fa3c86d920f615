import type { Change, Floor } from "./change.js";

/** How what the desk does to whole orders, and to walks, is asked twice. */

const pathOf = (so_id: number, action: string) => `/api/admin/sales-orders/${so_id}/${action}`;

export const orderActionChanges: Record<string, (at: Floor) => Promise<Change>> = {
  "post /api/admin/sales-orders/:so_id/admin-pick": async ({ by, order }) => {
    const { so_id, bin_id } = await order();
    const { lines } = await by.ok("GET", `/api/admin/sales-orders/${so_id}`);
    const { so_line_id } = lines[0];
    const picking = (quantity: number) => ({ lines: [{ so_line_id, bin_id, quantity }] });
    return { by, path: pathOf(so_id, "admin-pick"), body: picking(5), other: picking(4) };
  },
  "post /api/admin/sales-orders/:so_id/admin-ship": async ({ by, picked }) => {
    const { so_id } = await picked();
    return { by, path: pathOf(so_id, "admin-ship"), body: {}, other: { acknowledge_shortfall: true } };
  },
  "post /api/admin/sales-orders/:so_id/revert-status": async (at) => {
    const { so_id } = await at.picked();
    const path = `/api/admin/sales-orders/${so_id}`;
    const { pick_tasks } = await at.by.ok("GET", path);
    const ids = [pick_tasks[0].pick_task_id];
    return {
      ...{ by: at.by, path: pathOf(so_id, "revert-status") },
      body: { new_status: "OPEN", release_pick_task_ids: ids },
      other: { new_status: "PICKED" },
    };
  },
  "post /api/admin/sales-orders/:so_id/cancel": async ({ by, order }) => {
    const { so_id } = await order();
    const path = pathOf(so_id, "cancel");
    return { by, path, body: {}, other: { again: true } };
  },
  "post /api/admin/pick-batches/:batch_id/delete": async ({ by, wave }) => {
    const { batch_id } = await wave();
    const path = `/api/admin/pick-batches/${batch_id}/delete`;
    return { by, path, body: {}, other: { again: true } };
  },
};
