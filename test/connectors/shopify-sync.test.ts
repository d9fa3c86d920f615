import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { SourceError } from "../../src/connectors/connector.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { idOf, ShopifyPair, variantsOf } from "../support/shopify.js";

/** What is read of a shop, page by page, and what the warehouse makes of it. */
describe("a sync with Shopify", () => {
  const service = testService();
  let pair: ShopifyPair;
  beforeEach(async () => {
    pair = await ShopifyPair.open(service);
  });
  afterEach(() => pair.close());

  const newSku = () => `S-${randomUUID().slice(0, 13)}`;
  /** A product of one variant in the shop, and its item here. */
  const sold = async (sku = newSku()) => {
    const [variant] = variantsOf(pair.shop.addProduct([{ sku }]));
    assert.deepEqual([...new Set(await pair.sync("items"))].includes("written"), true);
    return { sku, variant_id: variant?.id ?? assert.fail() };
  };
  const ordered = (variant: { sku: string | null; variant_id: number | null }, quantity = 2, fields: object = {}) =>
    pair.shop.addOrder([{ ...variant, quantity }], { ...fields });
  const itemOf = (sku: string) =>
    db.row<{ item_id: number; item_name: string; is_active: boolean; weight_lbs: string | null; upc: string | null }>(
      "select item_id, item_name, is_active, weight_lbs, upc from items where sku = $1",
      [sku],
    );

  describe("reads", () => {
    it("the shop's name to test the connection", async () => {
      assert.equal(await pair.connector.testConnection((await pair.source()) as never), "Connected to John's Apparel");
    });

    it("nothing with a wrong token, and says what the shop says", async () => {
      await pair.close();
      pair = await ShopifyPair.open(service, { access_token: "shpat_wrong" });
      await assert.rejects(
        async () => pair.connector.testConnection((await pair.source()) as never),
        (error: unknown) =>
          error instanceof SourceError && error.status === 401 && /Invalid API key/.test(error.message),
      );
    });

    for (const type of ["items", "orders"] as const)
      it(`all pages of ${type}, asking for nothing but the page from the second on`, async () => {
        pair.shop.pageSize = 2;
        for (let i = 0; i < 5; i++)
          if (type === "items") pair.shop.addProduct([{ sku: newSku() }]);
          else pair.shop.addOrder([{ variant_id: 1, sku: null, quantity: 1 }]);
        const pages = await pair.pages(type);
        assert.deepEqual(
          pages.map(({ records }) => records.length),
          [2, 2, 1],
        );
        const ids = pages.flatMap(({ records }) => records.map(({ external_id }) => external_id));
        assert.equal(new Set(ids).size, 5);
        const lists = pair.shop.asked.filter(({ path }) => !path.endsWith("fulfillment_orders.json"));
        const [first, ...others] = lists.map(({ query }) => query);
        assert.equal(first?.limit, "250");
        assert.equal(first?.order, "updated_at asc");
        for (const query of others) assert.deepEqual(Object.keys(query).sort(), ["limit", "page_info"]);
        const { clock } = pair.shop;
        assert.equal(pages.at(-1)?.newest, `${new Date(clock).toISOString().slice(0, 19)}Z`);
      });

    it("only what changed since the time that it is told", async () => {
      pair.shop.addProduct([{ sku: newSku() }]);
      const since = new Date(pair.shop.clock + 1_000).toISOString();
      const later = pair.shop.addProduct([{ sku: newSku() }]);
      const [page] = await pair.pages("items", since);
      assert.deepEqual(
        pluck(page?.records ?? [], "external_id"),
        variantsOf(later).map(({ id }) => `${id}`),
      );
      assert.equal(pair.shop.asked[0]?.query.updated_at_min, since);
    });

    it("orders of every status, and of products only what it needs", async () => {
      await pair.pages("orders");
      await pair.pages("items");
      const [orders, products] = pair.shop.asked;
      assert.equal(orders?.query.status, "any");
      assert.match(products?.query.fields ?? "", /variants/);
      assert.doesNotMatch(products?.query.fields ?? "", /body_html|images/);
    });

    it("what changes meanwhile once more, at the end", async () => {
      pair.shop.pageSize = 1;
      const [one] = [pair.shop.addProduct([{ sku: newSku() }]), pair.shop.addProduct([{ sku: newSku() }])];
      const source = (await pair.source()) as never;
      const first = await pair.connector.syncItems?.(source, { since: null, cursor: null });
      pair.shop.changeProduct(idOf(one), (product) => void Object.assign(product, { title: "Renamed" }));
      const seen: string[] = [];
      for (let cursor = first?.next ?? null; cursor !== null; ) {
        const page = await pair.connector.syncItems?.(source, { since: null, cursor });
        for (const { values } of page?.records ?? []) seen.push(`${values.item_name}`);
        cursor = page?.next ?? null;
      }
      assert.equal(seen.length, 2);
      assert.equal(seen[1], "Renamed");
    });

    it("on when the shop's limit is reached, after the pause that the shop asks for", async () => {
      pair.shop.pageSize = 1;
      // As a shop's own: it empties within 20 s.
      pair.shop.bucket = { size: 40, perSecond: 2, retryAfter: "0.2" };
      for (let i = 0; i < 36; i++) pair.shop.addProduct([{ sku: newSku() }]);
      assert.equal((await pair.pages("items")).length, 36);
      assert(pair.shop.asked.length >= 36);
    });

    it("nothing of an answer that is no JSON, or not a list", async () => {
      pair.shop.failNext("broken");
      await assert.rejects(pair.pages("orders"), /not JSON/);
      pair.shop.failNext(500);
      await assert.rejects(pair.pages("orders"), /HTTP status 500/);
    });
  });

  describe("of items", () => {
    it("makes one of each variant, and changes it later", async () => {
      const sku = newSku();
      const product = pair.shop.addProduct([
        { sku, title: "Red", barcode: "4006381333931", weight: 8, weight_unit: "oz" },
      ]);
      assert.deepEqual(await pair.sync("items"), ["written"]);
      assert.deepEqual(await pair.sync("items"), ["known"]);
      pair.shop.changeProduct(idOf(product), (one) => void Object.assign(one, { title: "Mug", status: "archived" }));
      assert.deepEqual(await pair.sync("items"), ["written"]);
      const { item_id: _, ...item } = (await itemOf(sku)) ?? assert.fail();
      assert.deepEqual(item, { item_name: "Mug - Red", is_active: false, weight_lbs: "0.5000", upc: "4006381333931" });
    });

    it("takes the item that is here under the SKU, and leaves what the shop does not say", async () => {
      const { item_id, sku, upc } = await fixtures.item({ weight: "2.5000" });
      pair.shop.addProduct([{ sku }], { title: "Mug" });
      await pair.sync("items");
      assert.deepEqual(await itemOf(sku), { item_id, item_name: "Mug", is_active: true, weight_lbs: "2.5000", upc });
    });
  });

  describe("of orders", () => {
    it("makes an order with its lines, once", async () => {
      const { sku, ...variant } = await sold();
      const order = ordered({ sku, ...variant });
      assert.deepEqual(await pair.sync("orders"), ["written"]);
      assert.deepEqual(await pair.sync("orders"), ["known"]);
      const here = await pair.order(idOf(order));
      assert.deepEqual([here?.status, here?.lines], ["OPEN", [{ sku, quantity: 2, line_number: 1 }]]);
      assert.equal(`#${here?.so_number}`, order.name);
    });

    it("refuses an order of an unknown item, and takes it once the item is here", async () => {
      const sku = newSku();
      const order = ordered({ sku, variant_id: 4711 });
      assert.deepEqual(await pair.sync("orders"), ["cross_system_lookup_miss"]);
      await fixtures.item({ sku });
      assert.deepEqual(await pair.sync("orders"), ["written"]);
      assert.equal((await pair.order(idOf(order)))?.lines[0]?.sku, sku);
    });

    it("finds the item of a variant without a SKU", async () => {
      const [variant] = variantsOf(pair.shop.addProduct([{ sku: null }]));
      const order = ordered({ sku: null, variant_id: variant?.id ?? null });
      await pair.sync("items");
      assert.deepEqual(await pair.sync("orders"), ["written"]);
      assert.equal((await pair.order(idOf(order)))?.lines[0]?.sku, `SHOPIFY-${variant?.id}`);
    });

    it("follows an edit and a refund as long as nothing is reserved", async () => {
      const order = ordered(await sold(), 3);
      await pair.sync("orders");
      pair.shop.refund(idOf(order), 0, 1);
      assert.deepEqual(await pair.sync("orders"), ["written"]);
      assert.equal((await pair.order(idOf(order)))?.lines[0]?.quantity, 2);
      pair.shop.changeOrder(idOf(order), ({ lines }) => void Object.assign(lines[0] ?? {}, { quantity: 6 }));
      await pair.sync("orders");
      assert.equal((await pair.order(idOf(order)))?.lines[0]?.quantity, 5);
    });

    it("cancels an order that the shop cancels, and one of which everything is refunded", async () => {
      const variant = await sold();
      const [one, other] = [idOf(ordered(variant)), idOf(ordered(variant))];
      await pair.sync("orders");
      pair.shop.cancelOrder(one);
      pair.shop.refund(other, 0, 2);
      assert.deepEqual(await pair.sync("orders"), ["written", "written"]);
      for (const id of [one, other]) assert.equal((await pair.order(id))?.status, "CANCELLED");
    });

    it("keeps two shops with the same numbers apart by their prefix", async () => {
      const variant = await sold();
      await pair.sync("orders");
      const other = await ShopifyPair.open(service, { order_prefix: "EU-" });
      other.shop.nextNumber = pair.shop.nextNumber;
      try {
        const [here, there] = [ordered(variant), other.shop.addOrder([{ ...variant, quantity: 1 }])];
        assert.equal(here.name, there.name);
        assert.deepEqual([await pair.sync("orders"), await other.sync("orders")], [["written"], ["written"]]);
        assert.equal((await other.order(idOf(there)))?.so_number, `EU-${here.name}`.replace("#", ""));
      } finally {
        await other.close();
      }
    });
  });

  describe("with a shop that lies", () => {
    it("writes what comes twice once", async () => {
      pair.shop.pageSize = 2;
      pair.shop.lies.repeats = true;
      for (let i = 0; i < 6; i++) pair.shop.addProduct([{ sku: newSku() }]);
      const done = await pair.sync("items");
      assert.deepEqual(
        ["written", "known"].map((what) => done.filter((one) => one === what).length),
        [6, 2],
      );
    });

    it("gets in the next run what a page left out", async () => {
      const [one] = [pair.shop.addProduct([{ sku: newSku() }]), pair.shop.addProduct([{ sku: newSku() }])];
      pair.shop.lies.leavesOut.add(idOf(one));
      assert.deepEqual(await pair.sync("items"), ["written"]);
      assert.deepEqual((await pair.sync("items")).sort(), ["known", "written"]);
    });
  });
});
