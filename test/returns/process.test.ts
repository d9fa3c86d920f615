import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { taskQueue, temporalClient } from "../../api/http/workflow-updates.js";
import { SoNumbers } from "../../src/platform/temporal/search-attributes.js";
import { db } from "../support/db.js";
import { returnsDesk } from "../support/returns.js";
import { until } from "../support/until.js";
import { detailsOf, listedAs } from "../support/workflow-environment.js";

/** The workflow `rma`, as routes, operators and the job `reconcile` meet it. */
describe("the process of a return", () => {
  const { at, create, receive, voidIt, shipped, expected } = returnsDesk();
  const handleOf = (so_id: number) => temporalClient().workflow.getHandle(`rma-${so_id}`);
  const endOf = async (so_id: number) => ((await handleOf(so_id).result()) as { ended: string }).ended;
  const reconcile = () =>
    temporalClient().workflow.execute("maintenance", {
      ...{ workflowId: `reconcile-${randomUUID()}`, taskQueue, args: ["reconcile"] },
    });

  it("is found by both numbers, and says what it waits for until the last unit", async () => {
    const { so_id, so_number, item_id, sku, original } = await expected(3);
    const handle = handleOf(so_id);
    assert.deepEqual(await listedAs(handle), { status: "RUNNING", stage: "to receive", outcome: undefined });
    const { typedSearchAttributes: found } = await handle.describe();
    assert.deepEqual(found.get(SoNumbers), [so_number, original.so_number]);
    assert.match(await detailsOf(handle), new RegExp(`${so_number} in \\S+ waits for 3 unit\\(s\\): 3 × ${sku}\\n`));
    await receive(so_id, item_id, 1);
    assert.equal((await listedAs(handle)).stage, "partly received");
    assert.match(await detailsOf(handle), /waits for 2 unit\(s\).*1 unit\(s\) have come/);
    await receive(so_id, item_id, 2);
    assert.equal(await endOf(so_id), "received");
    assert.deepEqual(await listedAs(handle), { status: "COMPLETED", stage: "ended", outcome: "received" });
  });

  it("ends voided by an admin, and a repeat is answered without it", async () => {
    const { so_id } = await expected();
    await voidIt(so_id);
    assert.equal(await endOf(so_id), "voided");
    assert.equal((await voidIt(so_id)).body.audit_log_id, null);
  });

  it("is given back from its rows by the next step, and by the job that reconciles", async () => {
    const [one, other] = [await expected(3), await expected(3)];
    for (const { so_id } of [one, other]) await handleOf(so_id).terminate("lost");
    assert.equal((await receive(one.so_id, one.item_id, 1)).status, 200);
    assert.equal((await listedAs(handleOf(one.so_id))).stage, "partly received");
    await until(async () => {
      await reconcile();
      return (await listedAs(handleOf(other.so_id))).status === "RUNNING";
    });
    assert.match(await detailsOf(handleOf(other.so_id)), /expects goods of/);
    await receive(other.so_id, other.item_id, 3);
    assert.equal(await endOf(other.so_id), "received");
  });

  it("is not given back when its rows have ended", async () => {
    const [came, voided] = [await expected(1), await expected(1)];
    await receive(came.so_id, came.item_id, 1);
    await voidIt(voided.so_id);
    for (const { so_id } of [came, voided]) {
      const { runId } = await handleOf(so_id).describe();
      await reconcile();
      assert.equal((await handleOf(so_id).describe()).runId, runId);
    }
  });

  it("is there when Temporal is: else 503, and nothing is half made", async () => {
    const { so_id, item_id } = await shipped();
    const open = await expected();
    await at().service.withoutTemporal(async () => {
      for (const { status, code } of await Promise.all([
        create(so_id, [{ item_id, quantity: 1 }]),
        receive(open.so_id, open.item_id, 1),
        voidIt(open.so_id),
      ]))
        assert.deepEqual([status, code], [503, "workflow_engine_unavailable"]);
    });
    assert.deepEqual(await db.rows("select from sales_orders where parent_so_id = $1", [so_id]), []);
  });
});
