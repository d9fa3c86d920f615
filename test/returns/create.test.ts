import assert from "node:assert/strict";
import { statusAndError } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { pluck } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { returnsDesk } from "../support/returns.js";

/** Spec 3.1 and 4.6, docs/interface.md, Returns. */
describe("making a return", () => {
  const { at, create, shipped, expected, pathOf, receive, voidIt, onHand } = returnsDesk();

  it("gives an order that waits for goods; stock stays, and nothing is told to partners", async () => {
    const { so_id, so_number, item_id } = await shipped();
    await db.run("update sales_orders set order_source = 'pos', order_origin = 'Amazon' where so_id = $1", [so_id]);
    const mark = await auditMark();
    const { status, body, headers } = await create(so_id, [{ item_id, quantity: 3 }], { memo: "too small" });
    assert.equal(status, 201);
    const number = `${so_number}-RMA`;
    assert.deepEqual(body, { message: `Created return ${number}`, so_id: body.so_id, so_number: number });
    assert.equal(headers.get("x-service-workflow-id"), `rma-${body.so_id}`);

    const { sales_order, lines } = await at().clerk.ok("GET", pathOf(body.so_id));
    const { here, clerk } = at();
    const shown = ["order_type", "status", "warehouse_id", "parent_so_id", "parent_so_number", "memo", "created_by"];
    assert.deepEqual(
      [...shown, "customer_name", "order_origin", "order_total"].map((field) => sales_order[field]),
      ["return", "OPEN", here, so_id, so_number, "too small", clerk.username, "Customer", "Amazon", null],
    );
    const [original] = (await clerk.ok("GET", pathOf(so_id))).lines;
    const [line] = lines;
    assert.deepEqual(
      [line.item_id, line.quantity_ordered, line.quantity_received, line.status, line.original_so_line_id],
      [item_id, 3, 0, "OPEN", original.so_line_id],
    );
    const [row] = await db.rows("select order_source from sales_orders where so_id = $1", [body.so_id]);
    assert.deepEqual(row, { order_source: "pos" });
    assert.equal(await onHand(item_id), 0);
    assert.deepEqual(await auditSince(mark), [
      {
        ...{ action_type: "CREATE", entity_type: "SO", entity_id: body.so_id },
        ...{ user_id: clerk.username, warehouse_id: here },
        details: { so_number: number, order_type: "return", original_so_number: so_number, lines: 1 },
      },
    ]);
    assert.deepEqual(await db.rows("select from integration_events where entity_id = $1", [body.so_id]), []);
  });

  it("is found with its original: as a child, by its number, and in the list", async () => {
    const { so_id, so_number, original } = await expected();
    const { clerk } = at();
    const { orders } = await clerk.ok("GET", pathOf(original.so_id, "related")).then((body) => ({
      orders: Object.values(body).flat() as { so_id: number; order_type: string; depth: number }[],
    }));
    const child = orders.find((order) => order.so_id === so_id);
    assert.deepEqual([child?.order_type, child?.depth], ["return", 1]);
    const listed = await clerk.ok("GET", `/api/admin/sales-orders?order_type=return&q=${so_number}`);
    assert.deepEqual(pluck(listed.sales_orders, "so_id"), [so_id]);
  });

  it("never names more than was shipped, less what live returns name already", async () => {
    const { so_id, item_id, sku } = await shipped(5);
    const ask = (quantity: number) => create(so_id, [{ item_id, quantity }]);
    assert.deepEqual(statusAndError(await ask(6)), [
      400,
      `${sku}: 6 cannot come back, only 5 remaining of 5 shipped and 0 already returned`,
    ]);
    const first = await ask(3);
    assert.equal((await ask(3)).code, "over_return");
    const second = await ask(2);
    assert.deepEqual([first.status, second.status, (await ask(1)).status], [201, 201, 400]);
    await receive(first.body.so_id, item_id, 3);
    assert.equal((await ask(1)).status, 400);
    await voidIt(second.body.so_id);
    assert.equal((await ask(2)).status, 201);
  });

  it("counts all lines of one request together", async () => {
    const { so_id, item_id } = await shipped(5);
    const line = { item_id, quantity: 3 };
    assert.equal((await create(so_id, [line, line])).status, 400);
    assert.equal((await create(so_id, [line, { ...line, quantity: 2 }])).status, 201);
  });

  it("limits each line of an item where lines are named, and the item where they are not", async () => {
    const { item_id } = await fixtures.item();
    const { so_id } = await fixtures.shippedOrder(at().here, [
      { item_id, quantity: 2 },
      { item_id, quantity: 3 },
    ]);
    const { lines } = await at().clerk.ok("GET", pathOf(so_id));
    const [two, three] = lines.map((line: { so_line_id: number }) => line.so_line_id);
    const named = (original_so_line_id: number, quantity: number) =>
      create(so_id, [{ item_id, quantity, original_so_line_id }]);
    assert.equal((await named(two, 3)).code, "over_return");
    assert.equal((await named(two, 2)).status, 201);
    assert.equal((await named(two, 1)).code, "over_return");
    const unnamed = await create(so_id, [{ item_id, quantity: 1 }]);
    assert.equal(unnamed.status, 201);
    const back = await at().clerk.ok("GET", pathOf(unnamed.body.so_id));
    assert.equal(back.lines[0].original_so_line_id, null);
    assert.equal((await named(three, 3)).code, "over_return");
    assert.equal((await named(three, 2)).status, 201);
  });

  it("numbers returns one after the other, and never gives the number of a voided one again", async () => {
    const { so_id, so_number, item_id } = await shipped(5);
    const numbers: string[] = [];
    for (let n = 0; n < 3; n++) {
      const { body } = await create(so_id, [{ item_id, quantity: 1 }]);
      numbers.push(body.so_number);
      await voidIt(body.so_id);
    }
    assert.deepEqual(
      numbers,
      ["-RMA", "-RMA-2", "-RMA-3"].map((end) => so_number + end),
    );
  });

  it("passes by a number that another order has", async () => {
    const { so_id, so_number, item_id } = await shipped(5);
    await fixtures.salesOrder(at().here, [{ item_id, quantity: 1 }], `${so_number}-RMA`);
    const { body } = await create(so_id, [{ item_id, quantity: 1 }]);
    assert.equal(body.so_number, `${so_number}-RMA-2`);
  });

  it("is refused for what is not on the order, or not on that line", async () => {
    const { so_id, so_number, item_id } = await shipped();
    const other = await shipped();
    const { lines } = await at().clerk.ok("GET", pathOf(other.so_id));
    const unknown = await create(so_id, [{ item_id: other.item_id, quantity: 1 }]);
    assert.deepEqual(statusAndError(unknown), [400, `Item ${other.item_id} is not on sales order ${so_number}`]);
    const { so_line_id } = lines[0];
    const elsewhere = await create(so_id, [{ item_id, quantity: 1, original_so_line_id: so_line_id }]);
    assert.deepEqual([elsewhere.status, elsewhere.code], [400, "line_not_of_item"]);
  });

  it("is refused for an order that nothing was shipped of, that was refunded, or is a return itself", async () => {
    const { item_id } = await fixtures.item();
    const open = await fixtures.salesOrder(at().here, [{ item_id, quantity: 5 }]);
    assert.equal((await create(open.so_id, [{ item_id, quantity: 1 }])).code, "over_return");
    const refunded = await shipped();
    await db.run("update sales_orders set status = 'REFUNDED' where so_id = $1", [refunded.so_id]);
    const answer = await create(refunded.so_id, [{ item_id: refunded.item_id, quantity: 1 }]);
    assert.deepEqual([answer.status, answer.code], [400, "not_returnable"]);
    const back = await expected();
    const again = await create(back.so_id, [{ item_id: back.item_id, quantity: 1 }]);
    assert.deepEqual([again.status, again.code], [400, "not_returnable"]);
  });

  it("knows orders of the caller's warehouses only, and wants lines", async () => {
    const { item_id, so_id } = await shipped(5, at().elsewhere);
    assert.equal((await create(so_id, [{ item_id, quantity: 1 }])).status, 403);
    const unknown = await create(2 ** 31 - 1, [{ item_id, quantity: 1 }]);
    assert.deepEqual(statusAndError(unknown), [404, "Sales order not found"]);
    const mine = await shipped();
    for (const lines of [[], [{ item_id, quantity: 0 }], [{ item_id }], [{ item_id, quantity: 1, sku: "x" }]])
      assert.deepEqual(statusAndError(await create(mine.so_id, lines)), [400, "validation_error"]);
    const tooLong = await create(mine.so_id, [{ item_id: mine.item_id, quantity: 1 }], { memo: "x".repeat(4097) });
    assert.equal(tooLong.status, 400);
    const guest = await at().service.user({ warehouse_ids: [at().here] });
    assert.equal((await create(mine.so_id, [{ item_id: mine.item_id, quantity: 1 }], {}, guest)).status, 403);
  });
});
