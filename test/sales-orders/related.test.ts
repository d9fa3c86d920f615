import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { desk } from "../support/desk.js";
import { pluck, pluckAll } from "../support/pluck.js";

interface Related {
  so_id: number;
  depth: number;
  is_current: boolean;
}

describe("the orders related to a sales order", () => {
  const { at, order } = desk();

  /** An order and its descendants, each the child of the one before. */
  async function chain(length: number): Promise<number[]> {
    const ids: number[] = [];
    for (let i = 0; i < length; i++) {
      const { so_id } = await order({ ...(i > 0 && { parent_so_id: ids.at(-1), order_type: "replacement" }) });
      ids.push(so_id);
    }
    return ids;
  }
  const related = async (so_id: number, caller = at().clerk) =>
    await caller.ok("GET", `/api/admin/sales-orders/${so_id}/related`);

  it("are its ancestors and all that came of them, with their lines", async () => {
    const [original, child] = (await chain(2)) as [number, number];
    const sibling = await order({ parent_so_id: original, order_type: "return", voided_at: "2026-05-06T12:00:00Z" });
    await order();
    const { records, ...answer } = await related(child);
    assert.deepEqual(answer, { so_id: child, related_count: 2 });
    assert.deepEqual(pluckAll(records, "so_id", "depth", "is_current"), [
      [original, 0, false],
      [child, 1, true],
      [sibling.so_id, 1, false],
    ]);
    const { external_id, created_at, lines, ...record } = records[2];
    assert.ok(created_at);
    assert.deepEqual(record, {
      ...{ so_id: sibling.so_id, so_number: sibling.so_number },
      ...{ order_type: "return", status: "OPEN", warehouse_id: at().here },
      ...{ customer_name: "Customer", parent_so_id: original, depth: 1 },
      ...{ is_current: false, is_voided: true },
      ...{ voided_at: "2026-05-06T12:00:00+00:00", cancellation_reason: null },
    });
    const [{ so_line_id, ...line }] = lines;
    assert.ok(so_line_id);
    assert.deepEqual(line, {
      ...{ line_number: 1, sku: sibling.sku, item_name: `Item ${sibling.sku}` },
      ...{ quantity_ordered: 5, quantity_shipped: 0, quantity_received: 0 },
    });
  });

  it("are none of an order that stands alone", async () => {
    const { so_id } = await order();
    const { related_count, records } = await related(so_id);
    assert.equal(related_count, 0);
    assert.deepEqual(pluckAll(records, "so_id", "depth"), [[so_id, 0]]);
  });

  it("are followed 32 steps up and 32 steps down", async () => {
    const ids = await chain(70);
    const current = ids[35] as number;
    const { records } = await related(current);
    assert.deepEqual(pluck(records, "so_id"), ids.slice(3, 68));
    assert.equal(records.find((record: Related) => record.is_current).depth, 32);
  });

  it("are those of the user's warehouses", async () => {
    const { elsewhere, service, clerk } = at();
    const { so_id } = await order();
    const away = await order({ parent_so_id: so_id, warehouse_id: elsewhere });
    assert.equal((await related(so_id)).related_count, 0);
    assert.equal((await related(so_id, service.admin)).related_count, 1);
    const denied = await clerk.get(`${away.path}/related`);
    assert.deepEqual([denied.status, denied.body.error], [403, "Access denied for this warehouse"]);
    const unknown = await clerk.get("/api/admin/sales-orders/999999/related");
    assert.deepEqual([unknown.status, unknown.body.error], [404, "Sales order not found"]);
    await db.run("update sales_orders set parent_so_id = null");
  });
});
