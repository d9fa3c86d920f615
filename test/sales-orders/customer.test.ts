import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { item, salesOrder, warehouse } from "../support/fixtures.js";
import { fresh } from "../support/inbound.js";
import { testService } from "../support/service.js";

describe("a customer", () => {
  const service = testService();
  const PATH = "/api/admin/customers";

  /** Orders under a new name, one for each of these columns, in the order in which they came. */
  async function ordersOf(warehouse_id: number, columns: Record<string, string | null>[]) {
    const name = fresh("Ann/Miller & Co ");
    const { item_id } = await item();
    const ids: number[] = [];
    for (const set of columns) {
      const { so_id } = await salesOrder(warehouse_id, [{ item_id, quantity: 1 }]);
      const values = Object.entries({ customer_name: name, ...set });
      await db.run(
        `update sales_orders set ${values.map(([column], i) => `${column} = $${i + 2}`).join()} where so_id = $1`,
        [so_id, ...values.map(([, value]) => value)],
      );
      ids.push(so_id);
    }
    return { name, ids };
  }
  const ask = (name: string) => service.admin.get(`${PATH}?name=${encodeURIComponent(name)}`);

  it("is what the orders under a name say, the newest first", async () => {
    const { name, ids } = await ordersOf(await warehouse(), [
      { customer_email: "old@example.com", customer_phone: "1", ship_address: "Old Street 1", status: "SHIPPED" },
      { customer_email: "new@example.com", customer_phone: "1", ship_by_date: "2020-01-01" },
      { customer_email: "new@example.com", order_type: "return", ship_by_date: "2020-01-01" },
      { customer_email: "", status: "SHIPPED", order_source: "pos", order_total: "19.90", currency: "EUR" },
    ]);
    const { body } = await ask(name);
    assert.equal(body.customer_name, name);
    assert.deepEqual(body.emails, ["new@example.com", "old@example.com"]);
    assert.deepEqual(body.phones, ["1"]);
    assert.deepEqual(body.addresses, ["Old Street 1"]);
    const [sale, back, late, shipped] = body.orders;
    assert.deepEqual(
      body.orders.map(({ so_id }: { so_id: number }) => so_id),
      ids.toReversed(),
    );
    assert.deepEqual([sale.order_source, sale.order_total, sale.currency], ["pos", "19.90", "EUR"]);
    assert.deepEqual(
      [sale, back, late, shipped].map(({ is_open, is_late }) => [is_open, is_late]),
      [
        [false, false],
        [true, false],
        [true, true],
        [false, false],
      ],
    );
  });

  it("has neither voided returns nor orders of other warehouses", async () => {
    const here = await warehouse();
    const { name, ids } = await ordersOf(here, [{}, { order_type: "return", voided_at: "2026-01-01T00:00:00Z" }]);
    const there = await ordersOf(await warehouse(), [{ customer_name: name }]);
    const user = await service.user({ role: "USER", page_keys: ["sales-orders"], warehouse_ids: [here] });
    const path = `${PATH}?name=${encodeURIComponent(name)}`;
    const mine = await user.ok("GET", path);
    assert.deepEqual(
      mine.orders.map(({ so_id }: { so_id: number }) => so_id),
      ids.slice(0, 1),
    );
    assert.equal((await service.admin.ok("GET", path)).orders.length, 2);
    assert.equal((await user.get(`${PATH}?name=${encodeURIComponent(there.name)}`)).status, 404);
  });

  it("is refused where no order has that name, or none is said", async () => {
    const { status, code } = await ask("Nobody at all");
    assert.deepEqual([status, code], [404, "customer_not_found"]);
    assert.equal((await service.admin.get(PATH)).status, 400);
  });
});
