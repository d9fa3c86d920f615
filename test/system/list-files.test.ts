import assert from "node:assert/strict";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { parse } from "csv-parse/sync";
import { poolUse } from "../../src/platform/db/db.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

const ORDERS = 10_500;
/** Together they are larger than all buffers between the database and the caller. */
const MEMO = "repeat(md5(n::text), 60)";

describe("a list as a file", function () {
  this.timeout(60_000);
  const service = testService();
  let warehouse_id: number;
  before(async () => {
    warehouse_id = await fixtures.warehouse();
    await db.run(
      `insert into sales_orders (so_number, warehouse_id, memo, created_at)
       select 'SO-' || n, $1, ${MEMO}, now() - n * interval '1 second' from generate_series(1, ${ORDERS}) n`,
      [warehouse_id],
    );
  });

  /** The answer, of which nothing is read yet. */
  async function asked(path: string): Promise<IncomingMessage> {
    const headers = { ...service.admin.headers, accept: "text/csv" };
    const [answer] = await once(get(service.url + path, { headers }), "response");
    return answer as IncomingMessage;
  }
  async function textOf(answer: IncomingMessage): Promise<string> {
    answer.setEncoding("utf8");
    let text = "";
    for await (const part of answer) text += part;
    return text;
  }
  const linesOf = (text: string) => text.trimEnd().split("\r\n").slice(1);
  /** Before them stand two ids. */
  const numbers = (text: string) => linesOf(text).map((line) => line.split(",")[2]);

  it("is read from the database no faster than the caller takes it, without holding a connection", async () => {
    const answer = await asked("/api/admin/sales-orders");
    await until(() => poolUse().used === 0);
    await db.run("update sales_orders set carrier = 'written meanwhile' where so_number = $1", [`SO-${ORDERS}`]);
    await db.run("update sales_orders set carrier = 'written meanwhile' where so_number = 'SO-1'");
    assert.equal(poolUse().used, 0);
    const orders = linesOf(await textOf(answer));
    assert.equal(orders.length, ORDERS);
    assert.match(String(orders.at(-1)), /,written meanwhile,/, "it was read before anybody took it");
    assert.doesNotMatch(String(orders[0]), /,written meanwhile,/, "it was not read when it was asked for");
  });

  it("has the rows that were there when it was asked for, each once, however they change", async () => {
    const answer = await asked("/api/admin/sales-orders?sort=priority,-so_number");
    await db.run("update sales_orders set priority = 5 where so_number = 'SO-9999'");
    await fixtures.salesOrder(warehouse_id, [], "SO-new");
    await db.run("delete from sales_orders where so_number = 'SO-1'");
    const found = numbers(await textOf(answer));
    assert.equal(new Set(found).size, found.length);
    assert.deepEqual([found.length, found.includes("SO-new"), found.includes("SO-1")], [ORDERS - 1, false, false]);
  });

  it("has the same order as the pages", async () => {
    for (const sort of ["", "sort=priority,-so_number"]) {
      const paged: string[] = [];
      for (let page = 1, pages = 1; page <= pages; page++) {
        const { body } = await service.admin.get(`/api/admin/sales-orders?${sort}&per_page=1000&page=${page}`);
        paged.push(...body.sales_orders.map((order: { so_number: string }) => order.so_number));
        pages = body.pages;
      }
      assert.deepEqual(paged, numbers(await textOf(await asked(`/api/admin/sales-orders?${sort}`))));
    }
  });

  it("is whole page after page, also when its number was counted a while ago", async () => {
    const { body: before } = await service.admin.get("/api/admin/sales-orders?per_page=500");
    await db.run(
      `insert into sales_orders (so_number, warehouse_id, memo, created_at)
       select 'SO-older-' || n, $1, ${MEMO}, '2020-01-01' from generate_series(1, 10) n`,
      [warehouse_id],
    );
    assert.equal(before.total % 500, 0, "the last page is full");
    const paged: string[] = [];
    for (let page = 1, pages = 1; page <= pages; page++) {
      const { body } = await service.admin.get(`/api/admin/sales-orders?per_page=500&page=${page}`);
      paged.push(...body.sales_orders);
      pages = body.pages;
    }
    assert.equal(paged.length, before.total + 10);
  });

  it("breaks off where it fails in the middle", async () => {
    const answer = await asked("/api/admin/sales-orders");
    await db.run("alter table sales_orders rename column memo to elsewhere");
    await assert.rejects(textOf(answer), { code: "ECONNRESET" });
    assert.equal(answer.complete, false);
    await db.run("alter table sales_orders rename column elsewhere to memo");
  });

  it("is no longer read when the caller leaves", async () => {
    const answer = await asked("/api/admin/sales-orders");
    answer.destroy();
    await until(() => poolUse().used === 0);
    assert.equal((await service.admin.get("/api/admin/sales-orders?per_page=1")).status, 200);
  });

  it("fails like any request before it begins", async () => {
    const csv = service.admin.with({ accept: "text/csv" });
    const refused = await csv.get("/api/admin/sales-orders?sort=colour");
    assert.deepEqual([refused.status, refused.code], [400, "validation_error"]);
    assert.match(String(refused.headers.get("content-type")), /^application\/json/);
    assert.equal(refused.headers.get("content-disposition"), null);
    const stranger = (await service.user()).with({ accept: "text/csv" });
    assert.equal((await stranger.get("/api/admin/sales-orders")).status, 403);
    await db.run("alter table sales_orders rename column memo to elsewhere");
    assert.equal((await csv.get("/api/admin/sales-orders")).status, 500);
    await db.run("alter table sales_orders rename column elsewhere to memo");
  });

  it("has the rows of the caller's warehouses alone", async () => {
    const own = await fixtures.warehouse();
    await fixtures.salesOrder(own, [], "SO-own");
    const user = await service.user({ warehouse_ids: [own], page_keys: ["sales-orders"] });
    const { body } = await user.with({ accept: "text/csv" }).get("/api/admin/sales-orders");
    assert.deepEqual(numbers(body), ["SO-own"]);
  });

  it("is named for the list and the day", async () => {
    const { headers } = await service.admin.with({ accept: "text/csv" }).get("/api/admin/adjustments/list");
    assert.match(
      String(headers.get("content-disposition")),
      /^attachment; filename="adjustments-\d{4}-\d\d-\d\d\.csv"$/,
    );
    assert.match(String(headers.get("vary")), /\bAccept\b/);
  });

  it("is given only to who prefers it", async () => {
    const json = ["*/*", "application/json", "text/html", "text/csv;q=0.5, application/json", "text/*;q=0"];
    const csv = ["text/csv", "text/csv, */*;q=0.1", "application/json;q=0.5, text/csv", "Text/CSV"];
    for (const [type, accepts] of Object.entries({ "application/json": json, "text/csv": csv }))
      for (const accept of accepts) {
        const { headers } = await service.admin.with({ accept }).get("/api/admin/zones");
        assert.ok(headers.get("content-type")?.startsWith(type), accept);
        assert.match(String(headers.get("vary")), /\bAccept\b/);
      }
  });

  it("has only its head where the list is empty", async () => {
    const { body } = await service.admin.with({ accept: "text/csv" }).get("/api/admin/zones?warehouse_id=999");
    assert.equal(body, "zone_id,warehouse_id,zone_code,zone_name,zone_type,is_active,warehouse_code\r\n");
  });

  it("has no text that a spreadsheet would take for a formula", async () => {
    for (const name of ["=1+1", "+49", "-7", "-7.50", "-a", "@a", "\t=1", "'a", "a=1"])
      await db.run("insert into vendors (vendor_name) values ($1)", [name]);
    const { body } = await service.admin.with({ accept: "text/csv" }).get("/api/admin/vendors?sort=created_at");
    const shown = (parse(body, { columns: true }) as { vendor_name: string }[]).map((vendor) => vendor.vendor_name);
    assert.deepEqual(shown, ["'=1+1", "'+49", "-7", "-7.50", "'-a", "'@a", "'\t'=1", "'a", "a=1"]);
  });
});
