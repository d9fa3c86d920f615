import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { pluck } from "../support/pluck.js";
import { returnsDesk } from "../support/returns.js";
import { until } from "../support/until.js";
import { statusOf, waitingOrder } from "../support/waiting.js";
import { listedAs } from "../support/workflow-environment.js";

/** docs/interface.md, Returns: at the scanner, in the condition in which the goods came. */
describe("a return at the scanner", () => {
  const { at, create, shipped, shippedFromBin, expected, receive, receivedOf } = returnsDesk();

  const look = (code: string, by = at().service.admin) => by.get(`/api/receiving/returns/${encodeURIComponent(code)}`);
  const numbers = async (code: string, by = at().service.admin) => {
    const { returns } = await by.ok("GET", `/api/receiving/returns/${encodeURIComponent(code)}`);
    return pluck(returns, "so_number");
  };
  const book = (so_id: number, item_id: number, quantity: number, more: object = {}) =>
    at().service.admin.post("/api/receiving/receive-return", {
      ...{ so_id, item_id, quantity, warehouse_id: at().here, bin_id: at().dock, ...more },
    });
  const free = (item_id: number) =>
    db.value<number>(
      "select coalesce(sum(quantity_on_hand - quantity_allocated), 0)::int from inventory where item_id = $1",
      [item_id],
    );

  it("is found by its number, by that of its order, and by the label that the parcel left under", async () => {
    const { so_id, so_number, item_id, sku, original } = await expected(3, 5, shippedFromBin);
    const tracking = `1Z_${randomUUID()}`;
    await db.run("update item_fulfillments set tracking_number = $2 where so_id = $1", [original.so_id, tracking]);
    for (const code of [so_number, so_number.toLowerCase(), original.so_number, tracking, tracking.toLowerCase()])
      assert.deepEqual(await numbers(code), [so_number], code);
    const other = tracking.replace("_", "x");
    assert.equal((await look(other)).code, "return_not_found", "an underline is one");
    await receive(so_id, item_id, 1);
    const { body } = await look(so_number);
    assert.deepEqual(
      [body.returns[0].original_so_number, body.returns[0].status, body.returns[0].items],
      [
        original.so_number,
        "PARTIALLY_RECEIVED",
        [
          {
            ...{ item_id, sku, item_name: body.returns[0].items[0].item_name, upc: body.returns[0].items[0].upc },
            ...{ quantity_expected: 3, quantity_remaining: 2, has_serials: false },
          },
        ],
      ],
    );
  });

  it("is one of several, where its order has more, of which those that have come are left out", async () => {
    const { so_id, so_number, item_id, original } = await expected(2);
    const second = (await create(original.so_id, [{ item_id, quantity: 1 }])).body.so_number;
    assert.deepEqual(await numbers(original.so_number), [so_number, second]);
    await receive(so_id, item_id, 2);
    assert.deepEqual(await numbers(original.so_number), [second]);
    const done = await look(so_number);
    assert.deepEqual([done.status, done.code], [400, "return_not_open"]);
  });

  it("is not there for an unknown code, an order of which nothing was announced, and in other warehouses", async () => {
    const unknown = await look("NO-SUCH-RMA");
    assert.deepEqual([unknown.status, unknown.code], [404, "return_not_found"]);
    const bought = await shipped();
    const none = await look(bought.so_number);
    assert.deepEqual([none.status, none.code], [400, "no_return_announced"]);
    const { so_number } = await expected(1);
    const stranger = await at().service.user({ warehouse_ids: [at().elsewhere] });
    assert.equal((await look(so_number, stranger)).code, "return_not_found");
  });

  it("brings what is as new back into sale, and what is opened into an inspection before orders get it", async () => {
    const { so_id, item_id } = await expected(3);
    const shelf = { bin_id: await fixtures.bin(at().here) };
    const { so_id: waits } = await waitingOrder(at().here, [{ item_id, quantity: 1 }]);
    const opened = await book(so_id, item_id, 2, { ...shelf, condition: "QUARANTINE", notes: "Opened" });
    assert.equal(opened.status, 200);
    const { inspection_id, receipt_id } = opened.body;
    assert.deepEqual([await free(item_id), await statusOf(waits)], [0, "WAITING_STOCK"]);
    const inspection = await at().service.admin.ok("GET", `/api/admin/inspections/${inspection_id}`);
    assert.deepEqual([inspection.quantity_open, inspection.reason, inspection.warehouse_id], [2, "Opened", at().here]);
    const asNew = await book(so_id, item_id, 1, shelf);
    assert.deepEqual([asNew.body.status, "inspection_id" in asNew.body], ["RECEIVED", false]);
    // The order that waited has it.
    assert.deepEqual([await receivedOf(so_id), await statusOf(waits)], [[3], "OPEN"]);
    const { receipts } = await at().service.admin.ok("GET", `/api/admin/sales-orders/${so_id}/return-receipts`);
    assert.deepEqual(pluck(receipts, "condition"), [null, "QUARANTINE"]);
    assert.equal(receipts[1].receipt_id, receipt_id);
    const decided = { decision: "release", reason: "whole" };
    await at().service.admin.ok("POST", `/api/admin/inspections/${inspection_id}/decide`, decided);
    assert.equal(await free(item_id), 2);
  });

  it("gives an inspection its workflow, and puts damaged units on hold without one", async () => {
    const { so_id, item_id } = await expected(2);
    const { inspection_id } = (await book(so_id, item_id, 1, { condition: "QUARANTINE" })).body;
    const { service } = at();
    const inspection = temporalClient().workflow.getHandle(`inspection-${inspection_id}`);
    await until(async () => {
      try {
        return (await listedAs(inspection)).stage === "to inspect";
      } catch {
        return false;
      }
    });
    const damaged = await book(so_id, item_id, 1, { condition: "DAMAGED", notes: "glass" });
    assert.equal("inspection_id" in damaged.body, false);
    const { holds } = await service.admin.ok("GET", `/api/admin/holds?item_id=${item_id}&sort=hold_id`);
    assert.deepEqual(pluck(holds, "condition"), ["QUARANTINE", "DAMAGED"]);
    assert.match(holds[0].reason, /^came back on .*-RMA/);
    assert.equal(await free(item_id), 0);
  });

  it("is received once under one key, which is not that of another condition", async () => {
    const { so_id, item_id } = await expected(3);
    const key = { idempotency_key: randomUUID(), condition: "QUARANTINE" };
    const first = await book(so_id, item_id, 1, key);
    const again = await book(so_id, item_id, 1, key);
    assert.deepEqual([again.body.replayed, again.body.receipt_id], [true, first.body.receipt_id]);
    const other = await book(so_id, item_id, 1, { ...key, condition: "DAMAGED" });
    assert.deepEqual([other.status, other.code], [409, "idempotency_key_reused_with_different_body"]);
    assert.deepEqual(await receivedOf(so_id), [1]);
  });

  it("is refused by name as at the desk, and changes nothing", async () => {
    const { so_id, item_id } = await expected(2);
    const stranger = (await fixtures.item()).item_id;
    const elsewhere = await fixtures.bin(at().elsewhere);
    const refused = [
      await book(so_id, item_id, 3),
      await book(so_id, stranger, 1),
      await book(so_id, item_id, 1, { bin_id: elsewhere }),
      await book(so_id, item_id, 1, { condition: "LOST" }),
    ];
    assert.deepEqual(
      refused.map(({ status, code }) => [status, code]),
      [
        [400, "over_receipt"],
        [400, "item_not_on_so"],
        [400, "bin_elsewhere"],
        [400, "validation_error"],
      ],
    );
    assert.deepEqual([await receivedOf(so_id), await free(item_id)], [[0], 0]);
  });
});
