import assert from "node:assert/strict";
import { temporalClient } from "../../api/http/workflow-updates.js";
import type { Caller } from "./caller.js";
import { db } from "./db.js";
import { bin, item, stock, warehouse } from "./fixtures.js";
import { assertInvariants } from "./invariants.js";
import { testService } from "./service.js";

/**
 * A service with a worker and a warehouse for a file of picking tests, and what a picker does there. Each test has a
 * picker of its own (`at()`), so that nobody's walk is in another's way.
 */
export function pickFloor() {
  const service = testService({ worker: true });
  let picker: Caller;
  let warehouse_id: number;
  before(async () => {
    warehouse_id = await warehouse();
  });
  beforeEach(async () => {
    picker = await service.user({ warehouse_ids: [warehouse_id] });
  });
  afterEach(() => assertInvariants());
  const at = () => ({ service, picker, warehouse_id });

  /** An item with units in a bin at a place of the walk. */
  async function shelved(quantity: number, pick_sequence = 100) {
    const made = await item();
    const bin_id = await bin(warehouse_id, { pick_sequence });
    return { ...made, bin_id, inventory_id: await stock(warehouse_id, bin_id, made.item_id, quantity) };
  }
  const wave = (so_ids: number[], more = {}, by = picker) =>
    by.post("/api/picking/wave-create", { so_ids, warehouse_id, ...more });
  const startWave = async (...so_ids: number[]) =>
    await picker.ok("POST", "/api/picking/wave-create", { so_ids, warehouse_id });
  const next = (batch_id: number) => picker.ok("GET", `/api/picking/batch/${batch_id}/next`);
  const confirm = (pick_task_id: number, scanned_barcode: string, quantity_picked: number) =>
    picker.post("/api/picking/confirm", { pick_task_id, scanned_barcode, quantity_picked });
  const complete = (batch_id: number) => picker.post("/api/picking/complete-batch", { batch_id });
  const cancel = (batch_id: number) => picker.post("/api/picking/cancel-batch", { batch_id });
  const orderStatus = (so_id: number) => db.value<string>("select status from sales_orders where so_id = $1", [so_id]);
  const linesOf = (so_id: number) =>
    db.rows<{ picked: number; allocated: number; status: string }>(
      `select quantity_picked as picked, quantity_allocated as allocated, status from sales_order_lines
        where so_id = $1 order by line_number`,
      [so_id],
    );
  /** How the process of a batch ended, once it has. */
  const endOf = async (batch_id: number) =>
    (await temporalClient().workflow.getHandle(`pick-wave-${batch_id}`).result()) as { ended: string };
  const isRunning = async (batch_id: number) =>
    (await temporalClient().workflow.getHandle(`pick-wave-${batch_id}`).describe()).status.name === "RUNNING";
  /** Walks a batch to its end, confirming every task. */
  async function pickAll(batch_id: number) {
    for (let task = await next(batch_id); task.pick_task_id; task = await next(batch_id)) {
      const done = await confirm(task.pick_task_id, task.upc, task.quantity_to_pick);
      assert.equal(done.status, 200, JSON.stringify(done.body));
    }
  }

  return {
    at,
    shelved,
    wave,
    startWave,
    next,
    confirm,
    complete,
    cancel,
    orderStatus,
    linesOf,
    endOf,
    isRunning,
    pickAll,
  };
}
