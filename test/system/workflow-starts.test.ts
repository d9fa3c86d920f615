import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { waveWorkflowId } from "../../src/picking/wave.js";
import { transaction } from "../../src/platform/db/db.js";
import { db } from "../support/db.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { waitingForLocks } from "../support/queued-behind-lock.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

const WAVE = "/api/picking/wave-create";

/** An order of which there is enough, and who may pick it. */
async function wanted(service: ReturnType<typeof testService>) {
  const warehouse_id = await warehouse();
  const { item_id } = await item();
  await stock(warehouse_id, await bin(warehouse_id), item_id, 5);
  const { so_id } = await salesOrder(warehouse_id, [{ item_id, quantity: 5 }]);
  const picker = await service.user({ warehouse_ids: [warehouse_id] });
  return { picker, body: { so_ids: [so_id], warehouse_id } };
}

describe("a process that ends while it is asked to begin", () => {
  const service = testService({ worker: true });

  it("is begun again", async () => {
    const { picker, body } = await wanted(service);
    const next = await db.row<{ id: number }>(
      "select nextval(pg_get_serial_sequence('pick_batches', 'batch_id')) + 1 as id",
    );
    const { asked } = await transaction(async (tx) => {
      await tx.run("select from sales_orders where so_id = any($1) for update", [body.so_ids]);
      const asked = picker.post(WAVE, body);
      await until(async () => (await waitingForLocks()) > 0);
      await temporalClient()
        .workflow.getHandle(waveWorkflowId(next?.id as number))
        .terminate("lost");
      return { asked };
    });
    const { status, body: wave } = await asked;
    assert.deepEqual([status, wave.batch_id], [200, next?.id]);
    await assertInvariants();
  });
});

describe("a process that begins in a namespace which is gone", () => {
  const service = testService({ env: { TEMPORAL_NAMESPACE: `gone-${randomUUID()}` } });

  it("is refused until it is there", async () => {
    const { picker, body } = await wanted(service);
    const refused = await picker.post(WAVE, body);
    assert.deepEqual(
      [refused.status, refused.body.error, refused.headers.get("retry-after")],
      [503, "workflow_engine_unavailable", "1"],
    );
  });
});
