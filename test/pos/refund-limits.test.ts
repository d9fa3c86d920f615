import assert from "node:assert/strict";
import { transaction } from "../../src/platform/db/db.js";
import { counter, refundOf } from "../support/counter.js";

const REFUND = "/api/v1/pos/refund";

describe("refunds that come too fast or have to wait", () => {
  const { at, shelved, sold, statusOf } = counter({
    SERVICE_POS_LOCK_TIMEOUT_MS: "200",
    RATE_LIMIT_PER_MINUTE: "1000",
  });

  it("are told to ask again while somebody else holds the sale or its stock, and may: the key is free", async () => {
    const mug = await shelved();
    const { so_number, so_id } = await sold([mug.units(2)]);
    for (const [lock, id] of [
      ["select from sales_orders where so_id = $1 for update", so_id],
      ["select from inventory where inventory_id = $1 for update", mug.inventory_id],
    ] as const) {
      const body = refundOf(so_number, { lines: [mug.units(1)] });
      await transaction(async (tx) => {
        await tx.run(lock, [id]);
        const { status, body: said, headers } = await at().till.post(REFUND, body);
        assert.deepEqual([status, said.error_kind, headers.get("retry-after")], [503, "lock_contention", "1"]);
      });
      assert.equal((await at().till.post(REFUND, body)).status, 200);
    }
    assert.equal(await statusOf(so_number), "REFUNDED");
  });

  it("are limited to 10 a minute for each till, repeats not counted", async () => {
    const mug = await shelved();
    const { so_number } = await sold([mug.units(1)]);
    const body = refundOf(so_number);
    const first = await at().till.post(REFUND, body);
    assert.equal(first.status, 200);
    const refusals = [];
    for (let n = 0; n < 20; n++) refusals.push((await at().till.post(REFUND, refundOf(so_number))).status);
    assert.deepEqual([...new Set(refusals)].sort(), [422, 429]);
    const again = await at().till.post(REFUND, body);
    assert.deepEqual([again.status, again.body, again.headers.get("x-idempotent-replay")], [200, first.body, "true"]);
  });
});
