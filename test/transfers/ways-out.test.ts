import assert from "node:assert/strict";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { stockOf } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { testService } from "../support/service.js";
import { confirm, submitted, testSites, transferOrder, walk } from "../support/transfers.js";

describe("a transfer order", () => {
  const service = testService({ worker: true });
  const sites = testSites();
  afterEach(() => assertInvariants());

  it("may be cancelled once its picks were rejected: its units are free again where they were", async () => {
    const order = await submitted(service, sites);
    assert.equal((await service.admin.post(`${order.path}/cancel`)).status, 409);
    await service.admin.ok("POST", `${order.path}/approvals/${order.to_approval_id}/reject`, {});
    assert.equal((await order.read()).transfer_order.status, "AWAITING_APPROVAL");
    assert.equal((await service.admin.ok("POST", `${order.path}/cancel`)).status, "CANCELLED");
    assert.deepEqual(await stockOf(order.item.inventory_id), { on_hand: 20, allocated: 0 });
    const { ended } = (await temporalClient().workflow.getHandle(`transfer-order-${order.to_id}`).result()) as {
      ended: string;
    };
    assert.equal(ended, "cancelled");
  });

  it("has tasks of any size, each of which is confirmed whole or reported short", async () => {
    const goods = await sites.goods(400_000);
    const picker = await service.user({ role: "ADMIN" });
    for (const found of [150_000, 120_000]) {
      const order = await transferOrder(picker, sites, [{ item_id: goods.item_id, quantity: 150_000 }]);
      const { tasks } = await walk(picker, order.to_id);
      const task = tasks[0] as (typeof tasks)[0];
      if (found === 150_000) await confirm(picker, task, found);
      else
        await picker.ok("POST", "/api/picking/short", { pick_task_id: task.pick_task_id, quantity_available: found });
      assert.equal((await order.read()).lines[0].picked_qty, found);
    }
  });
});
