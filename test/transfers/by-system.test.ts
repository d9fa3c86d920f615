import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { cancelTransferByOperator, remindOfApproval } from "../../activities/transfers/index.js";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { transferWorkflowId } from "../../src/transfers/workflow.js";
import { startMissing } from "../../workers/reconcile.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";
import { submitted, testSites, transferOrder } from "../support/transfers.js";
import { until } from "../support/until.js";

const HOUR = 3_600_000;

describe("what the system does with a transfer order", () => {
  const service = testService({ worker: true });
  const at = testSites();
  afterEach(() => assertInvariants());

  const wait = (to_approval_id: number, hours: number) =>
    db.run(
      "update transfer_order_approvals set submitted_at = now() - make_interval(hours => $2) where to_approval_id = $1",
      [to_approval_id, hours],
    );
  const written = async (mark: number) =>
    (await auditSince(mark)).map(({ action_type, entity_id, user_id }) => [action_type, entity_id, user_id]);

  describe("reminding of what awaits a decision", () => {
    const hours = (transfer_approval_reminder_hours: string) =>
      service.admin.ok("PUT", "/api/admin/settings", { settings: { transfer_approval_reminder_hours } });
    afterEach(() => hours("24"));

    it("notes it once in the time that is set, at the destination", async () => {
      const { to_id, to_number, to_approval_id, picker } = await submitted(service, at);
      const mark = await auditMark();
      const early = await remindOfApproval(to_id, randomUUID());
      assert.equal(early.reminded, 0);
      assert.ok(early.state.reminder_ms && early.state.reminder_ms > 23.9 * HOUR);

      await wait(to_approval_id, 25);
      const command = randomUUID();
      const late = await remindOfApproval(to_id, command);
      assert.equal(late.reminded, 1);
      assert.ok(late.state.reminder_ms && late.state.reminder_ms > 23.9 * HOUR, "the next is a whole period later");
      assert.deepEqual(await remindOfApproval(to_id, command), late);
      assert.equal((await remindOfApproval(to_id, randomUUID())).reminded, 0);
      const [row, ...more] = await auditSince(mark);
      assert.deepEqual(more, []);
      assert.deepEqual(
        [row?.action_type, row?.entity_type, row?.entity_id, row?.user_id, row?.warehouse_id],
        ["TO_APPROVAL_REMINDER", "TO_APPROVAL", to_approval_id, "system", at.destination],
      );
      const { submitted_at, ...details } = row?.details ?? {};
      assert.ok(Date.parse(String(submitted_at)) < Date.now() - 24 * HOUR);
      assert.deepEqual(details, { to_id, to_number, submitted_by: picker.username });
    });

    it("never does when the setting is 0, and not for what is decided", async () => {
      const { to_id, path, to_approval_id } = await submitted(service, at);
      await wait(to_approval_id, 1000);
      await hours("0");
      const never = await remindOfApproval(to_id, randomUUID());
      assert.deepEqual([never.reminded, never.state.reminder_ms], [0, null]);
      await hours("24");
      await service.admin.ok("POST", `${path}/approvals/${to_approval_id}/reject`, {});
      const decided = await remindOfApproval(to_id, randomUUID());
      assert.deepEqual([decided.reminded, decided.state.reminder_ms, decided.state.approvals], [0, null, []]);
    });
  });

  describe("cancelling it for an operator", () => {
    it("also ends one that awaits approval, once", async () => {
      const { to_id, batch_id, to_approval_id, item, path } = await submitted(service, at);
      const mark = await auditMark();
      const command = randomUUID();
      const answer = await cancelTransferByOperator(to_id, command);
      assert.deepEqual([answer.refused, answer.state.status, answer.state.approvals], [null, "CANCELLED", []]);
      assert.deepEqual(await cancelTransferByOperator(to_id, command), answer);
      const again = await cancelTransferByOperator(to_id, randomUUID());
      assert.deepEqual([again.refused, again.state.status], [null, "CANCELLED"]);
      assert.deepEqual((await written(mark)).toSorted(), [
        ["CANCEL", batch_id, "system"],
        ["TO_CANCELLED", to_id, "system"],
        ["TO_PICK_RELEASED", to_id, "system"],
        ["TO_REJECTED", to_approval_id, "system"],
      ]);
      const { approvals } = await service.admin.ok("GET", path);
      assert.deepEqual(
        [approvals[0].status, approvals[0].rejected_by, approvals[0].rejection_reason],
        ["REJECTED", "system", "the transfer order was cancelled"],
      );
      assert.deepEqual(await fixtures.stockOf(item.inventory_id), { on_hand: 20, allocated: 0 });
    });

    it("does not touch one of which units have arrived, and says why", async () => {
      const { to_id, to_approval_id, path, item } = await submitted(service, at, 6);
      await service.admin.ok("POST", `${path}/approvals/${to_approval_id}/approve`);
      const mark = await auditMark();
      const { refused, state } = await cancelTransferByOperator(to_id, randomUUID());
      assert.match(String(refused), /^some of it is approved and has arrived/);
      assert.equal(state.status, "PARTIALLY_PICKED");
      assert.deepEqual(await written(mark), []);
      assert.deepEqual(await fixtures.stockOf(item.inventory_id), { on_hand: 14, allocated: 4 });
    });

    it("leaves what is closed as it is", async () => {
      const { to_id, to_approval_id, path } = await submitted(service, at);
      await service.admin.ok("POST", `${path}/approvals/${to_approval_id}/approve`);
      const mark = await auditMark();
      const { refused, state } = await cancelTransferByOperator(to_id, randomUUID());
      assert.deepEqual([refused, state.status], [null, "CLOSED"]);
      assert.deepEqual(await written(mark), []);
    });
  });

  it("ends its workflow when all that it holds is taken for something else", async () => {
    const { item_id } = await at.goods(10);
    const { to_id, read } = await transferOrder(service.admin, at, [{ item_id, quantity: 10 }]);
    await service.admin.ok("POST", "/api/admin/adjustments/direct", {
      ...{ item_id, bin_id: at.bin_id, warehouse_id: at.source },
      ...{ adjustment_type: "REMOVE", quantity: 10, reason: "broken" },
    });
    assert.equal((await read()).transfer_order.status, "CLOSED");
    const client = temporalClient();
    const handle = client.workflow.getHandle(transferWorkflowId(to_id));
    // The list of Temporal is a little late.
    await until(async () => {
      await startMissing(client, { ...service.config, dispatcherEnabled: false });
      return (await handle.describe()).status.name === "COMPLETED";
    });
  });
});
