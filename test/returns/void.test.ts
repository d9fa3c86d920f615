import assert from "node:assert/strict";
import { statusAndError } from "../support/caller.js";
import { db } from "../support/db.js";
import { auditMark, auditSince } from "../support/records.js";
import { returnsDesk } from "../support/returns.js";

/** Spec 3.1, docs/interface.md, Returns. */
describe("voiding a return", () => {
  const { at, create, receive, voidIt, expected, headerOf, pathOf, events, shippedFromBin } = returnsDesk();

  it("keeps the return, lists it no more, and lets the goods be returned anew", async () => {
    const { so_id, so_number, item_id, original } = await expected(5);
    const { service, here, clerk } = at();
    const mark = await auditMark();
    const { status, body } = await voidIt(so_id);
    assert.equal(status, 200);
    const { audit_log_id } = body;
    assert.deepEqual(body, { message: `Voided return ${so_number}`, so_number, audit_log_id });
    const header = await headerOf(so_id);
    assert.deepEqual([header.status, header.voided_by], ["OPEN", service.admin.username]);
    assert.notEqual(header.voided_at, null);
    const { sales_orders } = await clerk.ok("GET", `/api/admin/sales-orders?q=${so_number}`);
    assert.deepEqual(sales_orders, []);
    const [row] = await auditSince(mark);
    assert.deepEqual(
      [row?.action_type, row?.entity_id, row?.warehouse_id, row?.details],
      ["RETURN_VOID", so_id, here, { so_number }],
    );
    assert.deepEqual(await db.rows("select log_id from audit_log where log_id = $1", [audit_log_id]), [
      { log_id: audit_log_id },
    ]);
    assert.deepEqual(await events(so_id), []);
    assert.equal((await create(original.so_id, [{ item_id, quantity: 5 }])).status, 201);
  });

  it("does nothing more the second time", async () => {
    const { so_id, so_number } = await expected();
    await voidIt(so_id);
    const mark = await auditMark();
    assert.deepEqual((await voidIt(so_id)).body, {
      message: `Return ${so_number} was already voided`,
      ...{ so_number, audit_log_id: null },
    });
    assert.deepEqual(await auditSince(mark), []);
  });

  /** The refusal of one that is in this state. */
  async function refusal(so_id: number) {
    const { status, body } = await voidIt(so_id);
    assert.equal(typeof body.error, "string");
    return [status, body.reason, body.current_status];
  }

  it("is refused when goods have come, first of all", async () => {
    const { so_id, item_id } = await expected(3);
    await receive(so_id, item_id, 1);
    assert.deepEqual(await refusal(so_id), [409, "has_receipts", "PARTIALLY_RECEIVED"]);
    await receive(so_id, item_id, 2);
    assert.deepEqual(await refusal(so_id), [409, "has_receipts", "RECEIVED"]);
  });

  it("is refused for what is no return, is not open, or was refunded", async () => {
    const { so_id, original } = await expected();
    assert.deepEqual(await refusal(original.so_id), [409, "not_a_return", "SHIPPED"]);
    await db.run("update sales_orders set status = 'CANCELLED' where so_id = $1", [so_id]);
    assert.deepEqual(await refusal(so_id), [409, "not_open", "CANCELLED"]);

    const linked = await expected();
    await db.run("update sales_orders set refund_so_id = $2 where so_id = $1", [linked.so_id, original.so_id]);
    assert.deepEqual(await refusal(linked.so_id), [409, "has_refund", "OPEN"]);
    const child = await expected();
    await db.run(
      `insert into sales_orders (so_number, warehouse_id, order_type, status, parent_so_id)
       values ($1 || '-REFUND', $2, 'refund', 'SHIPPED', $3)`,
      [child.so_number, at().here, child.so_id],
    );
    assert.deepEqual(await refusal(child.so_id), [409, "has_refund", "OPEN"]);
  });

  it("is for an ADMIN, and for orders that there are", async () => {
    const { so_id } = await expected();
    assert.equal((await voidIt(so_id, at().clerk)).status, 403);
    assert.deepEqual(statusAndError(await voidIt(2 ** 31 - 1)), [404, "Sales order not found"]);
  });

  it("has to come before the original can be reverted", async () => {
    const { so_id, so_number, original } = await expected(3, 5, shippedFromBin);
    const { admin } = at().service;
    const revert = () => admin.post(pathOf(original.so_id, "revert-status"), { new_status: "PACKED" });
    const refused = await revert();
    assert.deepEqual(
      [refused.status, refused.code, refused.body.kind, refused.body.returns],
      [409, "has_returns", "has_returns", [so_number]],
    );
    assert.equal((await headerOf(original.so_id)).status, "SHIPPED");
    await voidIt(so_id);
    assert.equal((await revert()).status, 200);
  });

  it("comes too late for a revert when all was received", async () => {
    const { so_id, item_id, original } = await expected(3);
    await receive(so_id, item_id, 3);
    const answer = await at().service.admin.post(pathOf(original.so_id, "revert-status"), { new_status: "PACKED" });
    assert.deepEqual([answer.status, answer.code], [409, "has_returns"]);
  });
});
