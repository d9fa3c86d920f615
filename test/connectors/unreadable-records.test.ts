import assert from "node:assert/strict";
import { MockActivityEnvironment } from "@temporalio/testing";
import { writeReceived } from "../../activities/connectors/received.js";
import { syncActivities } from "../../activities/connectors/sync-page.js";
import shopify from "../../src/connectors/built-in/shopify.js";
import woocommerce from "../../src/connectors/built-in/woocommerce.js";
import type { Connector } from "../../src/connectors/connector.js";
import type { Counts } from "../../src/connectors/sync.js";
import { localOptions } from "../support/connectors.js";
import { db } from "../support/db.js";
import { fresh } from "../support/inbound.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { idOf } from "../support/shopify.js";
import { ShopifyShop } from "../support/shops/shopify.js";
import { type ConnectedWarehouse, connectedWarehouse } from "../support/shops/sync.js";
import { openWooShop, type WooShop } from "../support/shops/woocommerce.js";

describe("a record of a shop that cannot be read", () => {
  const service = testService();
  let warehouse: ConnectedWarehouse;
  let shops = 0;

  const refused = () =>
    db.rows<{ external_id: string; error_kind: string; error_message: string }>(
      "select external_id, error_kind, error_message from connector_refusals where warehouse_id = $1",
      [warehouse.id],
    );
  const itemsHere = (...skus: string[]) =>
    db.column<string>("select sku from items where sku = any($1) order by sku", [skus]);
  /** What the next run does before it reads its first page. */
  async function nextRun(connector: Connector, sync_type: "items" | "orders") {
    const run_id = crypto.randomUUID();
    await db.run(
      `insert into sync_state (connector_name, warehouse_id, sync_type, sync_status, run_id, workflow_id, running_since)
       values ($1, $2, $3, 'running', $4, 'x', now())
       on conflict (connector_name, warehouse_id, sync_type) do update set run_id = excluded.run_id`,
      [connector.name, warehouse.id, sync_type, run_id],
    );
    const run = { connector: connector.name, warehouse_id: warehouse.id, sync_type, run_id };
    const { retryRefused } = syncActivities(localOptions(service.config));
    const { read, written, known, refused } = (await new MockActivityEnvironment().run(() =>
      retryRefused(run as never),
    )) as Counts;
    return { read, written, known, refused };
  }

  describe("at Shopify", () => {
    let shop: ShopifyShop;
    beforeEach(async () => {
      shop = await ShopifyShop.open();
      shop.nextNumber = ++shops * 1_000_000;
      warehouse = await connectedWarehouse(service, shopify, shop.config);
    });
    afterEach(() => shop.close());

    it("is refused alone, and read again by the next run", async () => {
      const [a, b] = [fresh("A"), fresh("B")];
      shop.addProduct([{ sku: a }]);
      const bad = shop.addProduct([{ sku: b }]);
      shop.wrong.set(idOf(bad), { variants: {} });
      assert.deepEqual(await warehouse.sync("items"), { written: 1, refused: 1 });
      assert.deepEqual(await itemsHere(a, b), [a]);
      assert.deepEqual(await refused(), [
        {
          external_id: String(idOf(bad)),
          error_kind: "unreadable_record",
          error_message: "Shopify sent a product that is not as documented: variants",
        },
      ]);
      assert.deepEqual(await nextRun(shopify, "items"), { read: 1, written: 0, known: 0, refused: 1 });
      shop.wrong.clear();
      assert.deepEqual(await nextRun(shopify, "items"), { read: 1, written: 1, known: 0, refused: 0 });
      assert.deepEqual(await itemsHere(a, b), [a, b]);
      assert.deepEqual(await refused(), []);
    });

    it("keeps no other one from being read again, where the shop answers an error for it", async () => {
      const [a, b] = [fresh("A"), fresh("B")];
      const [first, second] = [shop.addProduct([{ sku: a }]), shop.addProduct([{ sku: b }])];
      for (const one of [first, second]) shop.wrong.set(idOf(one), { variants: {} });
      assert.deepEqual(await warehouse.sync("items"), { refused: 2 });
      shop.wrong.clear();
      shop.failWhere(({ path }) => (path === `products/${idOf(first)}.json` ? 500 : undefined));
      assert.deepEqual(await nextRun(shopify, "items"), { read: 2, written: 1, known: 0, refused: 1 });
      assert.deepEqual(await itemsHere(a, b), [b]);
      const [left] = await refused();
      assert.equal(left?.external_id, String(idOf(first)));
      assert.match(String(left?.error_message), /HTTP status 500/);
      shop.failWhere(() => undefined);
      await nextRun(shopify, "items");
      assert.deepEqual([await itemsHere(a, b), await refused()], [[a, b].sort(), []]);
    });

    it("is forgotten once it is no longer in the shop", async () => {
      const bad = shop.addProduct([{ sku: fresh("A") }]);
      shop.wrong.set(idOf(bad), { variants: {} });
      await warehouse.sync("items");
      shop.products.splice(
        shop.products.findIndex(({ id }) => id === idOf(bad)),
        1,
      );
      assert.deepEqual(await nextRun(shopify, "items"), { read: 0, written: 0, known: 0, refused: 0 });
      assert.deepEqual(await refused(), []);
    });

    for (const [what, changes] of Object.entries({
      "lines that are an object": { line_items: {} },
      "a time that is none": { updated_at: "soon" },
    }))
      it(`is refused alone with ${what}, in a sync and in a webhook`, async () => {
        const sku = fresh("MUG");
        const product = shop.addProduct([{ sku }]);
        await warehouse.sync("items");
        const variant_id = (product.variants as { id: number }[])[0]?.id as number;
        shop.addOrder([{ variant_id, sku, quantity: 2 }]);
        const other = shop.addOrder([{ variant_id, sku, quantity: 1 }]) as { id: number };
        shop.wrong.set(other.id, changes);
        assert.deepEqual(await warehouse.sync("orders"), { written: 1, refused: 1 });
        assert.deepEqual(pluck(await refused(), "external_id"), [String(other.id)]);
        await db.run("delete from connector_refusals where warehouse_id = $1", [warehouse.id]);
        const { headers, body } = shop.webhook("orders/updated", shop.order(other.id));
        const records = shopify.receive?.(shop.config as never, { headers, body: Buffer.from(body) }) ?? [];
        await writeReceived(shopify, warehouse.id, records, localOptions(service.config));
        assert.deepEqual(pluck(await refused(), "error_kind"), ["unreadable_record"]);
      });
  });

  describe("at WooCommerce", () => {
    let shop: WooShop;
    beforeEach(async () => {
      shop = await openWooShop();
      warehouse = await connectedWarehouse(service, woocommerce, shop.config);
    });
    afterEach(() => shop.close());

    /** The shop answers an error for each path that has this in it, until the function that it gives is called. */
    const failing = (part: string) => {
      const { usual } = shop;
      shop.usual = (request) => (request.path.includes(part) ? { status: 500 } : usual(request));
      return () => {
        shop.usual = usual;
      };
    };

    it("is refused alone where its variations cannot be had, and comes with a later run", async () => {
      const [a, b] = [fresh("A"), fresh("B")];
      const shirt = shop.product({ name: "Shirt", type: "variable" });
      shop.variation(shirt, { sku: b });
      shop.product({ sku: a });
      const mended = failing(`products/${shirt.id}/variations`);
      assert.deepEqual(await warehouse.sync("items"), { written: 1, refused: 1 });
      assert.deepEqual(await itemsHere(a, b), [a]);
      assert.deepEqual(pluckAll(await refused(), "external_id", "error_message"), [
        [String(shirt.id), "The source answered with HTTP status 500"],
      ]);
      mended();
      assert.deepEqual(await nextRun(woocommerce, "items"), { read: 1, written: 1, known: 0, refused: 0 });
      assert.deepEqual(await itemsHere(a, b), [a, b]);
      assert.deepEqual(await refused(), []);
    });

    it("is refused alone among orders, also where only its refunds cannot be had", async () => {
      const mug = shop.product({ sku: fresh("MUG") });
      await warehouse.sync("items");
      const ordered = (fields: object = {}) => shop.order({ line_items: [shop.line(mug, 2)], ...fields });
      const [, texts, refunded] = [ordered(), ordered(), ordered()];
      texts.line_items[0].quantity = "2";
      shop.refund(refunded, new Map([[refunded.line_items[0], 1]]));
      const mended = failing(`orders/${refunded.id}/refunds`);
      assert.deepEqual(await warehouse.sync("orders"), { written: 1, refused: 2 });
      mended();
      assert.deepEqual(await nextRun(woocommerce, "orders"), { read: 2, written: 1, known: 0, refused: 1 });
      texts.line_items[0].quantity = 2;
      assert.deepEqual(await nextRun(woocommerce, "orders"), { read: 1, written: 1, known: 0, refused: 0 });
      assert.deepEqual(await refused(), []);
    });

    it("is refused alone without an id or a time", async () => {
      const sku = fresh("MUG");
      shop.product({ sku });
      const broken = shop.product({ sku: fresh("CUP") });
      Object.assign(broken, { id: { no: 1 }, date_modified_gmt: 5 });
      assert.deepEqual(await warehouse.sync("items"), { written: 1, refused: 1 });
      assert.deepEqual(pluck(await refused(), "external_id"), ["?"]);
    });

    it("still stops the page where the shop as a whole does not answer", async () => {
      const shirt = shop.product({ name: "Shirt", type: "variable" });
      const { usual } = shop;
      shop.usual = (request) =>
        request.path.includes(`products/${shirt.id}/variations`) ? { status: 401 } : usual(request);
      await assert.rejects(warehouse.sync("items"), /HTTP status 401/);
    });

    it("does not hold an order for a character that cannot be stored", async () => {
      const mug = shop.product({ sku: fresh("MUG") });
      await warehouse.sync("items");
      const order = shop.order({ line_items: [shop.line(mug, 2)], customer_note: "Ring\u0000 twice \ud83d" });
      assert.deepEqual(await warehouse.sync("orders"), { written: 1 });
      const row = await db.row<{ memo: string }>("select memo from sales_orders where so_number = $1", [
        String(order.id),
      ]);
      assert.equal(row?.memo, "Ring twice");
    });
  });
});
