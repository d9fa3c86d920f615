import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { salesOrder, warehouse } from "../support/fixtures.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

/** More than are counted each time, and no full last page. */
const ORDERS = 12_034;

describe("a list of many records", function () {
  this.timeout(60_000);
  const service = testService();
  let here: number;
  before(async () => {
    here = await warehouse();
    await db.run(
      `insert into sales_orders (so_number, warehouse_id, customer_name, ship_by_date)
       select 'LONG-' || n, $1, 'Customer ' || n % 7, case when n % 3 > 0 then date '2026-01-01' + n % 100 end
       from generate_series(1, $2::int) n`,
      [here, ORDERS],
    );
  });

  const page = (query: string) => service.admin.ok("GET", `/api/admin/sales-orders?warehouse_id=${here}&${query}`);
  const ids = (answer: { sales_orders: { so_id: number }[] }) => answer.sales_orders.map(({ so_id }) => so_id);

  it("has the same pages from its beginning and from its end", async () => {
    const inOrder = {
      so_number: "so_number, so_id",
      "-customer_name": "customer_name desc, so_id desc",
      ship_by_date: "ship_by_date, so_id",
      "-ship_by_date": "ship_by_date desc, so_id desc",
    };
    for (const [sort, order] of Object.entries(inOrder)) {
      const all = (
        await db.rows<{ so_id: number }>(
          `select so_id from sales_orders where warehouse_id = $1 and voided_at is null order by ${order}`,
          [here],
        )
      ).map(({ so_id }) => so_id);
      for (const number of [1, 12, 8, 9, 10, 11, 13, 14]) {
        const answer = await page(`sort=${sort}&per_page=1000&page=${number}`);
        assert.deepEqual(ids(answer), all.slice((number - 1) * 1_000, number * 1_000), `${sort}, page ${number}`);
      }
    }
  });

  it("has its late pages where they are now, whatever was counted before", async () => {
    const last = "sort=so_id&per_page=1000&page=13";
    await page("sort=so_id");
    const before = ids(await page(last));
    const { so_id } = await salesOrder(here, []);
    assert.deepEqual(ids(await page(last)), [...before, so_id]);
    await db.run("update sales_orders set voided_at = now() where so_id = $1", [so_id]);
    assert.deepEqual(ids(await page(last)), before);
  });

  it("says at once that it is long, and how long when that was counted", async () => {
    const path = "hide_printed=true&quick_total=true";
    const first = await page(path);
    assert.deepEqual([first.total, first.total_is_exact, first.pages], [10_001, false, 201]);
    assert.equal(first.sales_orders.length, 50);
    await until(async () => (await page(path)).total_is_exact);
    assert.deepEqual([(await page(path)).total, (await page(`${path}&page=200`)).total], [ORDERS, ORDERS]);
    assert.ok(!("total_is_exact" in (await page("hide_printed=true"))));
  });

  it("ends for nobody who reads it page after page without its number", async () => {
    for (const how of ["order_type=sale", "local_pickup=false&sort=so_number"]) {
      const read: number[] = [];
      for (let number = 1, pages = 1; number <= pages; number++) {
        const answer = await page(`${how}&quick_total=true&per_page=1000&page=${number}`);
        read.push(...ids(answer));
        pages = answer.pages;
      }
      assert.equal(new Set(read).size, ORDERS);
    }
  });

  it("tells an exact number of a list that is short, and where its last page is read", async () => {
    for (const query of ["q=LONG-777", "page=241", "cursor=start&q=LONG-777"]) {
      const { total, total_is_exact } = await page(`${query}&quick_total=true`);
      assert.deepEqual([total, total_is_exact], [query === "page=241" ? ORDERS : 11, true], query);
    }
    const { total, total_is_exact } = await page("cursor=start&status=OPEN&quick_total=true");
    assert.deepEqual([total, total_is_exact], [10_001, false]);
  });

  it("asks for it by true or false alone", async () => {
    assert.equal((await service.admin.get("/api/admin/sales-orders?quick_total=maybe")).status, 400);
  });
});
