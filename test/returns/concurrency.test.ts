import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { receiveReturn, voidReturn } from "../../activities/returns/index.js";
import { DomainError } from "../../src/platform/problem.js";
import { pluck } from "../support/pluck.js";
import { returnsDesk } from "../support/returns.js";
import { actor } from "../support/walk.js";

/** What the rows allow when two come at once, without the workflow, which would line them up. */
describe("returns, by several at once", () => {
  const { at, create, receive, shipped, expected, headerOf, onHand, receivedOf, events, shippedFromBin } =
    returnsDesk();

  const outcome = (run: Promise<unknown>) =>
    run.then(
      () => "done",
      (error) => (error instanceof DomainError ? error.kind : Promise.reject(error)),
    );
  const arriving = (so_id: number, item_id: number, quantity: number, idempotency_key?: string) =>
    receiveReturn(
      { so_id, item_id, quantity, warehouse_id: at().here, bin_id: at().dock, idempotency_key },
      actor(at().service.admin),
    );

  it("of two parts that are received together, both count when there is room", async () => {
    const { so_id, item_id } = await expected(5);
    const outcomes = await Promise.all([outcome(arriving(so_id, item_id, 2)), outcome(arriving(so_id, item_id, 3))]);
    assert.deepEqual(outcomes, ["done", "done"]);
    assert.deepEqual([await onHand(item_id), await receivedOf(so_id)], [5, [5]]);
    assert.equal((await headerOf(so_id)).status, "RECEIVED");
    assert.equal((await events(so_id)).length, 2);
  });

  it("of many parts, no more count than are expected", async () => {
    const { so_id, item_id } = await expected(3);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => outcome(arriving(so_id, item_id, 1))));
    assert.equal(outcomes.filter((one) => one === "done").length, 3);
    assert.equal(outcomes.filter((one) => one === "over_receipt").length, 5);
    assert.deepEqual([await onHand(item_id), await receivedOf(so_id)], [3, [3]]);
  });

  it("of one key on two returns, one gets it", async () => {
    const [one, other] = [await expected(5), await expected(5)];
    const key = randomUUID();
    const outcomes = await Promise.all([one, other].map((rma) => outcome(arriving(rma.so_id, rma.item_id, 1, key))));
    assert.deepEqual(outcomes.sort(), ["done", "idempotency_key_reused_with_different_body"]);
    assert.deepEqual((await Promise.all([onHand(one.item_id), onHand(other.item_id)])).sort(), [0, 1]);
  });

  it("of a receipt and a void, one wins", async () => {
    const winners: string[] = [];
    for (let n = 0; n < 6; n++) {
      const { so_id, item_id } = await expected(3);
      const both = [
        () => outcome(arriving(so_id, item_id, 1)),
        () => outcome(voidReturn({ so_id }, actor(at().service.admin))),
      ];
      const [first, second] = n % 2 ? both.reverse() : both;
      const outcomes = await Promise.all([first?.(), second?.()]);
      const { voided_at } = await headerOf(so_id);
      const lost = voided_at ? "return_not_open" : "has_receipts";
      assert.deepEqual(outcomes.sort(), ["done", lost].sort());
      assert.equal(await onHand(item_id), voided_at ? 0 : 1);
      winners.push(lost);
    }
    assert.equal(winners.length, 6);
  });

  it("of two returns for the last units, one is made", async () => {
    const { so_id, item_id } = await shipped(1);
    const answers = await Promise.all(Array.from({ length: 4 }, () => create(so_id, [{ item_id, quantity: 1 }])));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400, 400]);
  });

  it("of returns that all fit, each gets a number of its own", async () => {
    const { so_id, so_number, item_id } = await shipped(4);
    const answers = await Promise.all(Array.from({ length: 4 }, () => create(so_id, [{ item_id, quantity: 1 }])));
    const ends = ["-RMA", "-RMA-2", "-RMA-3", "-RMA-4"];
    assert.deepEqual(
      answers.map(({ body }) => body.so_number).sort(),
      ends.map((end) => so_number + end),
    );
  });

  it("of a revert of the original and a return of it, one wins", async () => {
    const { so_id, item_id } = await shippedFromBin(2);
    const { admin } = at().service;
    const revert = () => admin.post(`/api/admin/sales-orders/${so_id}/revert-status`, { new_status: "PACKED" });
    const [made, reverted] = await Promise.all([create(so_id, [{ item_id, quantity: 2 }]), revert()]);
    const outcomes = [made.status, reverted.status];
    assert.ok([[201, 409].join(), [400, 200].join()].includes(outcomes.join()), outcomes.join());
  });

  it("through its workflow, parts that come together are received one after the other", async () => {
    const { so_id, item_id } = await expected(4);
    const answers = await Promise.all(Array.from({ length: 4 }, () => receive(so_id, item_id, 1)));
    assert.deepEqual(pluck(answers, "status"), [200, 200, 200, 200]);
    assert.equal(answers.filter(({ body }) => body.status === "RECEIVED").length, 1);
    assert.equal(await onHand(item_id), 4);
  });
});
