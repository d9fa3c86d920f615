import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { waveWorkflowId } from "../../src/picking/wave.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

const ORDERS = 500;
const LINES = 16;

describe("a batch of 500 orders with 8,000 tasks", function () {
  this.timeout(120_000);
  const service = testService({ worker: true });
  let picker: Caller;
  let warehouse_id: number;
  before(async () => {
    warehouse_id = await warehouse();
    picker = await service.user({ warehouse_ids: [warehouse_id] });
  });

  async function orders() {
    const lines: { item_id: number; quantity: number }[] = [];
    for (let i = 0; i < LINES; i++) {
      const { item_id } = await item();
      await stock(warehouse_id, await bin(warehouse_id), item_id, ORDERS);
      lines.push({ item_id, quantity: 1 });
    }
    return Promise.all(Array.from({ length: ORDERS }, () => salesOrder(warehouse_id, lines)));
  }

  /** All that a walk through these tasks writes, at once. */
  const pickAll = (batchId: number) =>
    db.run(
      `with tasks as (
         update pick_tasks set status = 'PICKED', quantity_picked = quantity_to_pick, picked_at = now()
         where batch_id = $1 returning pick_task_id, inventory_id, quantity_to_pick
       ), shares as (
         update wave_pick_breakdown w set quantity_picked = w.quantity from tasks
         where w.pick_task_id = tasks.pick_task_id returning so_line_id, quantity
       ), lines as (
         update sales_order_lines l set quantity_picked = l.quantity_picked + s.quantity, status = 'PICKED'
         from (select so_line_id, sum(quantity) as quantity from shares group by so_line_id) s
         where l.so_line_id = s.so_line_id
       )
       update inventory i
       set quantity_on_hand = i.quantity_on_hand - t.quantity, quantity_allocated = i.quantity_allocated - t.quantity
       from (select inventory_id, sum(quantity_to_pick) as quantity from tasks group by inventory_id) t
       where i.inventory_id = t.inventory_id`,
      [batchId],
    );

  /** As programs do: an answer that took too long is asked for again, by the same key. */
  async function made(path: string, body: unknown) {
    const keyed = picker.with({ "Idempotency-Key": randomUUID() });
    let answer = await keyed.post(path, body);
    await until(async () => {
      if (answer.status === 503) answer = await keyed.post(path, body);
      return answer.status !== 503;
    }, 60_000);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  }

  it("is made and completed, and its history stays small", async () => {
    const some = await orders();
    const { batch_id, total_orders, tasks } = await made("/api/picking/create-batch", {
      so_identifiers: some.map(({ so_number }) => so_number),
      warehouse_id,
    });
    assert.deepEqual([total_orders, tasks.length], [ORDERS, ORDERS * LINES]);
    await pickAll(batch_id);
    const { summary } = await made("/api/picking/complete-batch", { batch_id });
    assert.deepEqual([summary.total_orders, summary.total_items_picked], [ORDERS, ORDERS * LINES]);
    const handle = temporalClient().workflow.getHandle(waveWorkflowId(batch_id));
    assert.equal(((await handle.result()) as { ended: string }).ended, "completed");
    const { historySize } = await handle.describe();
    assert.ok(Number(historySize) < 100_000, `${historySize} bytes`);
  });

  it("is the largest: one order more is refused", async () => {
    const ids = Array.from({ length: ORDERS + 1 }, (_, i) => i + 1);
    for (const [path, field, sent] of [
      ["wave-create", "so_ids", ids],
      ["create-batch", "so_identifiers", ids.map(String)],
    ] as const) {
      const { status, body } = await picker.post(`/api/picking/${path}`, { [field]: sent, warehouse_id });
      assert.deepEqual([status, body.error, body.details[0].loc], [400, "validation_error", [field]]);
    }
  });
});
