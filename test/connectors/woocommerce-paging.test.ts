import assert from "node:assert/strict";
import woocommerce from "../../src/connectors/built-in/woocommerce.js";
import { SourceError } from "../../src/connectors/connector.js";
import { testService } from "../support/service.js";
import { type ConnectedWarehouse, connectedWarehouse } from "../support/shops/sync.js";
import { openWooShop, type WooShop } from "../support/shops/woocommerce.js";
import type { Doc } from "../support/shops/woocommerce-lists.js";

describe("the pages of WooCommerce", () => {
  const service = testService();
  let shop: WooShop;
  let warehouse: ConnectedWarehouse;
  beforeEach(async () => {
    shop = await openWooShop();
    warehouse = await connectedWarehouse(service, woocommerce, shop.config);
  });
  afterEach(() => shop.close());

  const orders = (count: number) => Array.from({ length: count }, () => shop.order({ status: "completed" }));
  const read = async (since: string | null = null) =>
    (await warehouse.records("orders", since)).map((record) => Number(record.external_id));
  const sorted = (documents: Doc[]) => documents.map(({ id }) => id).sort((a, b) => a - b);
  const distinct = (ids: number[]) => [...new Set(ids)].sort((a, b) => a - b);
  /** As if all were changed by one statement. */
  const atOnce = (documents: Doc[]) => {
    const { date_modified, date_modified_gmt } = shop.change(documents[0] as Doc, {});
    for (const document of documents) Object.assign(document, { date_modified, date_modified_gmt });
  };
  const refused = (message: RegExp) => (error: unknown) => error instanceof SourceError && message.test(error.message);

  it("have all records, each no more than twice", async () => {
    const all = orders(237);
    const ids = await read();
    assert.deepEqual(sorted(all), distinct(ids));
    assert.ok(ids.length < 250);
  });

  it("are none of a shop without records", async () => {
    assert.deepEqual(await read(), []);
    assert.equal((await warehouse.pages("orders"))[0]?.newest, null);
  });

  it("begin at the time that was asked for, which they include", async () => {
    const all = orders(120);
    assert.deepEqual(distinct(await read(`${all[60]?.date_modified_gmt}.000Z`)), sorted(all.slice(60)));
  });

  it("tell the newest change, for the next sync to begin at", async () => {
    const all = orders(120);
    const newest = (await warehouse.pages("orders")).map((page) => page.newest ?? "");
    assert.equal(newest.sort().at(-1), `${all.at(-1)?.date_modified_gmt}.000Z`);
  });

  it("miss nothing and have the newest version of what changes while they are read", async () => {
    const all = orders(160);
    let lists = 0;
    shop.afterList = (path) => {
      // Each page loses records that were read, and records that were not.
      if (!path.endsWith("/orders") || ++lists > 4) return;
      for (const order of all.filter((_, i) => i % 7 === lists)) shop.change(order, { customer_note: `${lists}` });
    };
    const records = await warehouse.records("orders");
    const newest = new Map(records.map((record) => [record.external_id, record.values.memo]));
    assert.deepEqual(newest, new Map(all.map((order) => [String(order.id), order.customer_note || null])));
  });

  it("have everything of a second with more records than are on a page", async () => {
    const [before, at, after] = [orders(30), orders(180), orders(30)];
    atOnce(at);
    for (const order of after) shop.change(order, {});
    const ids = await read();
    assert.deepEqual(distinct(ids), sorted([...before, ...at, ...after]));
  });

  it("begin such a second again when a record leaves it while it is read", async () => {
    const at = orders(180);
    atOnce(at);
    let lists = 0;
    shop.afterList = () => {
      // The first of the second's own pages is read: what follows moves up by one.
      if (++lists === 2) shop.change(at[3] as Doc, {});
    };
    const ids = await read();
    assert.deepEqual(distinct(ids), sorted(at));
  });

  it("leave to the next sync what may still change within its second", async () => {
    const all = orders(3);
    shop.answersAfterMs = 0;
    assert.deepEqual(await read(), sorted(all.slice(0, 1)));
    shop.answersAfterMs = 60_000;
    assert.deepEqual(await read(`${all[0]?.date_modified_gmt}Z`), sorted(all));
  });

  it("have a record with a time of the future, without beginning the next sync there", async () => {
    const [now, future] = orders(2);
    Object.assign(future as Doc, { date_modified: "2031-01-01T00:00:00", date_modified_gmt: "2031-01-01T03:00:00" });
    const pages = await warehouse.pages("orders");
    assert.equal(pages.flatMap((page) => page.records).length, 2);
    assert.equal(pages[0]?.newest, `${now?.date_modified_gmt}.000Z`);
  });

  for (const skew of [-86_400_000, 86_400_000])
    it(`are all read when the shop's clock is ${skew < 0 ? "behind" : "ahead"} of its records`, async () => {
      const all = orders(120);
      shop.lies.clockSkewMs = skew;
      assert.deepEqual(distinct(await read()), sorted(all));
    });

  it("may have records twice", async () => {
    const all = orders(60);
    shop.lies.duplicates = true;
    assert.deepEqual(distinct(await read()), sorted(all));
    assert.deepEqual(await warehouse.sync("orders"), { known: (await read()).length });
  });

  for (const [which, documents] of [
    ["a page", 1],
    ["a page of a second", 3],
  ] as const)
    it(`fail when the shop leaves out ${which}`, async () => {
      atOnce(orders(180));
      let lists = 0;
      shop.afterList = () => {
        if (++lists === documents - 1) shop.lies.emptyLists = 1;
      };
      if (documents === 1) shop.lies.emptyLists = 1;
      await assert.rejects(read(), refused(/has more records, and sent none of them/));
    });

  it("fail when the shop sends something else", async () => {
    orders(3);
    for (const [body, message] of [
      ["[{]", /not JSON/],
      [{ code: "rest_no_route" }, /not as documented/],
    ] as const) {
      shop.answerNext({ body });
      await assert.rejects(read(), refused(message));
    }
    shop.answerNext({ status: 500, body: { code: "internal_server_error", message: "There was a critical error" } });
    await assert.rejects(read(), refused(/500: There was a critical error/));
  });

  it("wait for a shop that is too busy", async () => {
    const all = orders(3);
    shop.answerNext({ status: 429, headers: { "retry-after": "0" } }, { status: 503 });
    assert.deepEqual(await read(), sorted(all));
  });
});
