import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import type { TestService } from "../support/service.js";
import { openTwoWarehouses } from "../support/two-warehouses.js";

const ROUTE = "/api/admin/inventory";

describe("inventory view", () => {
  let service: TestService;
  let keeper: Caller;
  let warehouse_id: number;
  let elsewhere: number;
  let shelf: number;
  let far: number;
  let mug: Awaited<ReturnType<typeof fixtures.item>>;
  let bowl: Awaited<ReturnType<typeof fixtures.item>>;
  before(async () => {
    ({ service, user: keeper, warehouse_id, elsewhere } = await openTwoWarehouses(["inventory"]));
    [shelf, far] = [
      await fixtures.bin(warehouse_id, { code: "SHELF-1" }),
      await fixtures.bin(elsewhere, { code: "FAR-1" }),
    ];
    [mug, bowl] = [await fixtures.item({ sku: "MUG" }), await fixtures.item({ sku: "BOWL" })];
    await fixtures.stock(warehouse_id, shelf, mug.item_id, 10);
    await fixtures.stock(warehouse_id, shelf, mug.item_id, 4, "LOT-1");
    await fixtures.stock(elsewhere, far, mug.item_id, 0);
    await fixtures.stock(warehouse_id, shelf, bowl.item_id, 3);
  });
  after(() => service.close());

  const places = async (caller: Caller, query = "") =>
    (await caller.ok("GET", `${ROUTE}?${query}`)).inventory.map(
      (row: { sku: string; bin_code: string; lot_number: string | null }) =>
        [row.sku, row.bin_code, row.lot_number].filter(Boolean).join(" "),
    );

  it("shows rows by SKU and bin, those at zero too, of the user's warehouses", async () => {
    assert.deepEqual(await places(service.admin), ["BOWL SHELF-1", "MUG FAR-1", "MUG SHELF-1", "MUG SHELF-1 LOT-1"]);
    assert.deepEqual(await places(keeper), ["BOWL SHELF-1", "MUG SHELF-1", "MUG SHELF-1 LOT-1"]);
  });

  it("says what is free of a row, and what open orders anywhere still need of its item", async () => {
    await fixtures.salesOrder(elsewhere, [{ item_id: bowl.item_id, quantity: 5 }]);
    const partly = await fixtures.salesOrder(warehouse_id, [{ item_id: bowl.item_id, quantity: 4 }]);
    const done = await fixtures.salesOrder(warehouse_id, [{ item_id: bowl.item_id, quantity: 100 }]);
    await db.run(
      `update sales_order_lines set quantity_allocated = 1, quantity_picked = 1, quantity_packed = 1, quantity_shipped =
        1
       where so_id = $1`,
      [partly.so_id],
    );
    await db.run("update sales_orders set status = 'CANCELLED' where so_id = $1", [done.so_id]);
    const { inventory } = await keeper.ok("GET", `${ROUTE}?item_id=${bowl.item_id}`);
    const [{ inventory_id, zone_name, item_external_id, bin_external_id, warehouse_code, ...row }] = inventory;
    assert.deepEqual(row, {
      warehouse_id,
      item_id: bowl.item_id,
      sku: "BOWL",
      item_name: "Item BOWL",
      bin_id: shelf,
      bin_code: "SHELF-1",
      quantity_on_hand: 3,
      quantity_allocated: 0,
      quantity_available: 3,
      quantity_doubted: 0,
      quantity_held: 0,
      condition: "AVAILABLE",
      effective_condition: "AVAILABLE",
      committed_to_orders: 8,
      lot_id: null,
      lot_number: null,
      expiry_date: null,
      last_counted_at: null,
    });
  });

  it("filters by warehouse, item, bin, and part of SKU, name, UPC or bin code", async () => {
    assert.deepEqual(await places(service.admin, `warehouse_id=${elsewhere}`), ["MUG FAR-1"]);
    assert.deepEqual(await places(service.admin, `item_id=${bowl.item_id}`), ["BOWL SHELF-1"]);
    assert.deepEqual(await places(service.admin, `bin_id=${far}`), ["MUG FAR-1"]);
    assert.deepEqual(await places(service.admin, "q=item%20bo"), ["BOWL SHELF-1"]);
    assert.deepEqual(await places(service.admin, "q=upc-bowl"), ["BOWL SHELF-1"]);
    assert.deepEqual(await places(service.admin, "q=far-"), ["MUG FAR-1"]);
    assert.deepEqual(await places(service.admin, "search=%20far-%20"), ["MUG FAR-1"]);
    assert.deepEqual(await places(service.admin, `q=mug&warehouse_id=${elsewhere}`), ["MUG FAR-1"]);
    assert.deepEqual(await places(service.admin, "q=M_G"), []);
  });

  it("is paged", async () => {
    const { inventory, ...rest } = await service.admin.ok("GET", `${ROUTE}?page=2&per_page=3`);
    assert.equal(inventory.length, 1);
    assert.deepEqual(rest, { total: 4, page: 2, per_page: 3, pages: 2 });
    assert.equal((await service.admin.get(`${ROUTE}?item_id=x`)).status, 400);
  });

  it("finds the rows of very many items, and what lies in bins of that name", async () => {
    const many = 2_001;
    await db.run(
      `with made as (
         insert into items (sku, item_name, upc) select 'HEAP-' || lpad(n::text, 4, '0'), 'Heap', 'heap' || n
         from generate_series(1, $1::int) n returning item_id
       )
       insert into inventory (item_id, bin_id, warehouse_id, quantity_on_hand) select item_id, $2, $3, 1 from made`,
      [many, shelf, warehouse_id],
    );
    const heap = await fixtures.bin(warehouse_id, { code: "HEAP" });
    await fixtures.stock(warehouse_id, heap, bowl.item_id, 3);
    const { inventory, total, pages } = await keeper.ok("GET", `${ROUTE}?q=heap&per_page=2`);
    const found = inventory.map(({ sku, bin_code }: Record<string, string>) => `${sku} ${bin_code}`);
    assert.deepEqual(found, ["BOWL HEAP", "HEAP-0001 SHELF-1"]);
    assert.deepEqual([total, pages], [many + 1, 1_001]);
    assert.deepEqual(await places(keeper, "q=heap&page=1001&per_page=2"), ["HEAP-2000 SHELF-1", "HEAP-2001 SHELF-1"]);
  });
});
