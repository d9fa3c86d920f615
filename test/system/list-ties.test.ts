import assert from "node:assert/strict";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { testService } from "../support/service.js";

interface Orders {
  sales_orders: { so_id: number }[];
  next_cursor: string | null;
}

describe("records with the same value of what a list is sorted by", function () {
  this.timeout(60_000);
  const service = testService();
  let path: string;
  let ids: number[];
  before(async () => {
    const warehouse_id = await fixtures.warehouse();
    const { item_id } = await fixtures.item();
    ids = [];
    for (const age of [1, 3, 2, 4]) {
      const { so_id } = await fixtures.salesOrder(warehouse_id, [{ item_id, quantity: 1 }]);
      await db.run("update sales_orders set created_at = now() - $2::int * interval '1 day' where so_id = $1", [
        so_id,
        age,
      ]);
      ids.push(so_id);
    }
    path = `/api/admin/sales-orders?warehouse_id=${warehouse_id}&per_page=2`;
  });
  const at = (...places: number[]) => places.map((place) => ids[place]);
  const ask = async (query: string) => {
    const { sales_orders, next_cursor }: Orders = await service.admin.ok("GET", `${path}&${query}`);
    return { found: sales_orders.map(({ so_id }) => so_id), next_cursor };
  };

  it("come newest first where they have one status, and oldest first the other way round", async () => {
    assert.deepEqual((await ask("sort=status")).found, at(0, 2));
    assert.deepEqual((await ask("sort=status&page=2")).found, at(1, 3));
    assert.deepEqual((await ask("sort=-status")).found, at(3, 1));
    const first = await ask("sort=status&cursor=start");
    assert.deepEqual(first.found, at(0, 2));
    assert.deepEqual((await ask(`sort=status&cursor=${first.next_cursor}`)).found, at(1, 3));
  });

  it("come by their ids behind a cursor of an earlier release, which has no time", async () => {
    const cursor = Buffer.from(JSON.stringify(["OPEN", `${ids[0]}`])).toString("base64url");
    const next = await ask(`sort=status&cursor=${cursor}`);
    assert.deepEqual(next.found, at(1, 2));
    assert.deepEqual((await ask(`sort=status&cursor=${next.next_cursor}`)).found, at(3));
  });
});
