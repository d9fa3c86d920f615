import assert from "node:assert/strict";
import { db } from "../db.js";
import type { Scanner } from "../scanner.js";
import { openFloor } from "../shift.js";
import type { Stack } from "../stack.js";
import { unique } from "../unique.js";
import type { Work } from "./kills.js";

/**
 * Orders that a template releases, a batch each, and pickers who get the next one: whoever of them ordered it. One is
 * left open.
 */
export async function releasesOf(stack: Pick<Stack, "admin">): Promise<Work> {
  const { scanners, warehouse_id, bins, items } = await openFloor(stack, 2);
  const [first] = scanners as [Scanner];
  const [bin_id, item] = [bins[0] as number, items[0] as { item_id: number; sku: string }];
  const { item_id, sku } = item;
  const { template_id } = await stack.admin.ok("POST", "/api/admin/wave-templates", {
    ...{ warehouse_id, template_name: unique(), plan: { group: { max_orders: 1 } }, times: ["03:00"] },
  });

  /** An order that there is stock for; when it is released, a batch waits for each order that nobody picks yet. */
  async function begin(scanner: Scanner): Promise<number> {
    await scanner.post("/api/admin/adjustments/direct", {
      ...{ item_id, warehouse_id, bin_id, adjustment_type: "ADD", quantity: 2, reason: "found" },
    });
    const lines = [{ item_id, quantity_ordered: 2 }];
    await scanner.post("/api/admin/sales-orders", { so_number: `W-${unique()}`, warehouse_id, lines });
    await scanner.post(`/api/admin/wave-templates/${template_id}/run`, {});
    const { batch_id } = await scanner.post("/api/picking/next-batch", { warehouse_id });
    return batch_id;
  }
  async function pick(scanner: Scanner, batch_id: number) {
    const { pick_task_id } = await scanner.get(`/api/picking/batch/${batch_id}/next`);
    await scanner.post("/api/picking/confirm", { pick_task_id, scanned_barcode: sku, quantity_picked: 2 });
    await scanner.post("/api/picking/complete-batch", { batch_id });
  }

  return {
    scanners,
    walk: async (scanner) => pick(scanner, await begin(scanner)),
    leaveOpen: async () => {
      const batch_id = await begin(first);
      return { waiting: 1, end: () => pick(first, batch_id) };
    },
    /** Each order is in one batch, and each batch was picked by one person. */
    done: async () => {
      const done = await db.row<Record<string, number>>(
        `select count(*)::int as orders, count(distinct so_id)::int as distinct_orders,
                count(distinct batch_id)::int as batches,
                count(*) filter (where p.status = 'COMPLETED')::int as completed,
                (select count(*)::int from pick_tasks t join pick_batches b using (batch_id)
                 where b.warehouse_id = $1 and t.status = 'PICKED') as picked
         from pick_batch_orders join pick_batches p using (batch_id) where p.warehouse_id = $1`,
        [warehouse_id],
      );
      const requests = scanners.flatMap((one) => one.accepted);
      const made = requests.filter(({ path }) => path === "/api/admin/sales-orders").length;
      const taken = requests.filter(({ path }) => path === "/api/picking/next-batch");
      assert.ok(made > 0);
      assert.equal(new Set(taken.map(({ answer }) => answer.batch_id)).size, made, "a batch each time");
      assert.deepEqual(done, { orders: made, distinct_orders: made, batches: made, completed: made, picked: made });
      return done as object;
    },
  };
}
