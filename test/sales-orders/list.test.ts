import assert from "node:assert/strict";
import { listedAddressColumns } from "../../src/sales-orders/addresses.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { pluck, pluckAll } from "../support/pluck.js";
import type { TestService } from "../support/service.js";
import { openTwoWarehouses } from "../support/two-warehouses.js";

const ROUTE = "/api/admin/sales-orders";

const nulls = (columns: string[]) => Object.fromEntries(columns.map((column) => [column, null]));

describe("list of sales orders", () => {
  let service: TestService;
  let elsewhere: number;
  let here: number;
  let reader: Caller;
  before(async () => {
    ({ service, user: reader, warehouse_id: here, elsewhere } = await openTwoWarehouses(["sales-orders"]));
    const [first, later] = await Promise.all([fixtures.item(), fixtures.item()]);
    const near = await fixtures.bin(here, { code: "NEAR", pick_sequence: 100 });
    const far = await fixtures.bin(here, { code: "FAR", pick_sequence: 200 });
    const away = await fixtures.bin(elsewhere, { code: "AWAY", pick_sequence: 1 });
    await db.run("update items set default_bin_id = $2 where item_id = $1", [first.item_id, near]);
    await db.run("insert into preferred_bins (item_id, bin_id, priority) values ($1, $2, 2), ($1, $3, 1)", [
      later.item_id,
      far,
      away,
    ]);
    const lines = [later, first].map(({ item_id }) => ({ item_id, quantity_ordered: 1 }));
    const orders = [
      { so_number: "LIST-A", customer_name: "Ada 100%", ship_method: "Local delivery", order_origin: "web" },
      { so_number: "LIST-B", customer_name: "Bob", ship_method: "Store PICKUP", lines: lines.slice(0, 1) },
      { so_number: "LIST-C", customer_name: "Ada", ship_method: "UPS", order_origin: "phone" },
      { so_number: "LIST-R", customer_name: "Ada" },
      { so_number: "LIST-V", customer_name: "Ada" },
    ];
    for (const fields of orders) await reader.ok("POST", ROUTE, { lines, ...fields, warehouse_id: here });
    await db.run(
      `update sales_orders set status = 'PICKED', printed_at = now(), order_date = '2026-01-31', shipped_at =
        '2026-02-01T00:30:00Z'
       where so_number = 'LIST-B'`,
    );
    await db.run("update sales_orders set status = 'SHIPPED', order_date = '2026-02-01' where so_number = 'LIST-C'");
    await db.run("update sales_orders set order_type = 'return' where so_number = 'LIST-R'");
    await db.run("update sales_orders set order_type = 'return', voided_at = now() where so_number = 'LIST-V'");
  });

  after(() => service.close());

  const list = async (query = "", caller = reader) => (await caller.ok("GET", `${ROUTE}${query}`)).sales_orders;
  const numbers = async (query: string, caller = reader): Promise<string[]> =>
    (await list(query, caller)).map((so: { so_number: string }) => so.so_number);

  it("gives the newest first, of the user's warehouses, without voided returns", async () => {
    const { sales_orders, ...paging } = await reader.ok("GET", ROUTE);
    assert.deepEqual(paging, { total: 4, page: 1, per_page: 50, pages: 1 });
    assert.deepEqual(pluck(sales_orders, "so_number"), ["LIST-R", "LIST-C", "LIST-B", "LIST-A"]);
    const { so_id, external_id, created_at, updated_at, printed_at, warehouse_code, ...row } = sales_orders[2];
    assert.ok(printed_at);
    assert.deepEqual(row, {
      ...nulls(listedAddressColumns),
      so_number: "LIST-B",
      so_barcode: "LIST-B",
      customer_name: "Bob",
      status: "PICKED",
      priority: 0,
      warehouse_id: here,
      order_type: "sale",
      ship_method: "Store PICKUP",
      order_date: "2026-01-31",
      created_by: reader.username,
      shipped_at: "2026-02-01T00:30:00+00:00",
      shipped_date_local: "2026-02-01",
      ...nulls([
        "customer_phone",
        "customer_address",
        "parent_so_id",
        "ship_address",
        "ship_by_date",
        "carrier",
        "tracking_number",
        "memo",
        "hold_reason",
      ]),
    });
  });

  const filters: [string, string[]][] = [
    ["?status=PICKED", ["LIST-B"]],
    ["?status=PICKED,SHIPPED", ["LIST-C", "LIST-B"]],
    ["?q=list-a", ["LIST-A"]],
    ["?q=ada", ["LIST-R", "LIST-C", "LIST-A"]],
    ["?q=0%25", ["LIST-A"]],
    ["?order_type=return", ["LIST-R"]],
    ["?exclude_post_fulfillment=true", ["LIST-C", "LIST-B", "LIST-A"]],
    ["?exclude_post_fulfillment=false", ["LIST-R", "LIST-C", "LIST-B", "LIST-A"]],
    ["?hide_printed=true", ["LIST-R", "LIST-C", "LIST-A"]],
    ["?local_pickup=true", ["LIST-B", "LIST-A"]],
    ["?order_origin=phone", ["LIST-C"]],
    ["?date_from=2026-01-31&date_to=2026-02-01", ["LIST-C", "LIST-B"]],
    ["?date_to=2026-01-31", ["LIST-B"]],
    ["?status=OPEN&q=ada&exclude_post_fulfillment=true", ["LIST-A"]],
    ["?per_page=2&page=2", ["LIST-B", "LIST-A"]],
  ];
  for (const [query, expected] of filters) {
    it(`finds ${query}`, async () => assert.deepEqual(await numbers(query), expected));
  }

  it("says how many there are on every page, and beyond the last", async () => {
    for (const [page, rows] of [
      [1, 3],
      [2, 1],
      [3, 0],
    ]) {
      const query = `?per_page=3&page=${page}`;
      const { sales_orders, ...paging } = await reader.ok("GET", `${ROUTE}${query}`);
      assert.equal(sales_orders.length, rows);
      assert.deepEqual(paging, { total: 4, page, per_page: 3, pages: 2 });
    }
  });

  it("filters by warehouse", async () => {
    assert.equal((await list(`?warehouse_id=${here}`, service.admin)).length, 4);
    assert.equal((await reader.get(`${ROUTE}?warehouse_id=${elsewhere}`)).status, 403);
  });

  it("counts the lines when asked", async () => {
    const counted = (await list("?include_line_count=true")) as { line_count: number }[];
    assert.deepEqual(pluck(counted, "line_count"), [2, 2, 1, 2]);
  });

  it("names the first bin of the walk when asked, for what is to be picked", async () => {
    const queue = (await list("?include_primary_bin=true")) as Record<string, unknown>[];
    assert.deepEqual(pluckAll(queue, "so_number", "primary_bin_code", "primary_bin_pick_sequence"), [
      ["LIST-C", "NEAR", 100],
      ["LIST-B", "FAR", 200],
      ["LIST-A", "NEAR", 100],
    ]);
  });
});
