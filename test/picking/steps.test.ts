import assert from "node:assert/strict";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { waveWorkflowId } from "../../src/picking/wave.js";
import { transaction } from "../../src/platform/db/db.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { testService } from "../support/service.js";

describe("a step of a wave", function () {
  this.timeout(60_000);
  const service = testService({ worker: true });
  let picker: Caller;
  let warehouse_id: number;
  before(async () => {
    warehouse_id = await warehouse();
    picker = await service.user({ warehouse_ids: [warehouse_id] });
  });
  afterEach(() => assertInvariants());

  /** A wave that is picked. */
  async function wave() {
    const { item_id, sku } = await item();
    await stock(warehouse_id, await bin(warehouse_id), item_id, 5);
    const { so_id } = await salesOrder(warehouse_id, [{ item_id, quantity: 5 }]);
    const { batch_id, first_pick } = await picker.ok("POST", "/api/picking/wave-create", {
      so_ids: [so_id],
      warehouse_id,
    });
    const { pick_task_id } = first_pick;
    await picker.ok("POST", "/api/picking/confirm", { pick_task_id, scanned_barcode: sku, quantity_picked: 5 });
    return batch_id as number;
  }
  const endOf = async (batchId: number) =>
    ((await temporalClient().workflow.getHandle(waveWorkflowId(batchId)).result()) as { ended: string }).ended;

  it("that waits for a locked row is 503 database_busy, shows in Temporal, and is done once it is free", async () => {
    const batch_id = await wave();
    const keyed = picker.with({ "idempotency-key": `complete ${batch_id}` });
    const complete = () => keyed.post("/api/picking/complete-batch", { batch_id });
    await transaction(async (tx) => {
      await tx.run("select from pick_batches where batch_id = $1 for update", [batch_id]);
      const { status, body, headers } = await complete();
      assert.deepEqual([status, body, headers.get("retry-after")], [503, { error: "database_busy" }, "1"]);
      const handle = temporalClient().workflow.getHandle(waveWorkflowId(batch_id));
      const { pendingActivities } = (await handle.describe()).raw;
      assert.deepEqual(
        pendingActivities?.map((pending) => pending.activityType?.name),
        ["completeWave"],
      );
    });
    assert.equal(await endOf(batch_id), "completed");
    assert.equal((await complete()).status, 200);
  });

  it("names in its history the build of the worker that did it", async () => {
    const batch_id = await wave();
    await picker.ok("POST", "/api/picking/complete-batch", { batch_id });
    const { events } = await temporalClient().workflow.getHandle(waveWorkflowId(batch_id)).fetchHistory();
    const done = events?.flatMap(({ workflowTaskCompletedEventAttributes: task }) => (task ? [task] : [])) ?? [];
    for (const { workerDeploymentName, workerVersion } of done) {
      assert.equal(workerDeploymentName, "warehouse-execution-service");
      assert.match(workerVersion?.buildId ?? "", /^\d+\.\d+\.\d+-[0-9a-f]{8}$/);
    }
    assert.ok(done.length > 0);
  });

  it("with a fault is 500 at once, and the wave goes on", async () => {
    const batch_id = await wave();
    const complete = () => picker.post("/api/picking/complete-batch", { batch_id });
    await db.run("alter table pick_batches rename completed_at to elsewhere");
    try {
      const { status, body } = await complete();
      assert.deepEqual([status, body], [500, { error: "Internal server error" }]);
    } finally {
      await db.run("alter table pick_batches rename elsewhere to completed_at");
    }
    assert.equal((await complete()).status, 200);
    assert.equal(await endOf(batch_id), "completed");
  });
});
