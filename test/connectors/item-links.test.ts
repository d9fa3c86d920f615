import assert from "node:assert/strict";
import shopify from "../../src/connectors/built-in/shopify.js";
import woocommerce from "../../src/connectors/built-in/woocommerce.js";
import { sourceSystemOf } from "../../src/connectors/connector.js";
import { db } from "../support/db.js";
import { item } from "../support/fixtures.js";
import { fresh } from "../support/inbound.js";
import { testService } from "../support/service.js";
import { idOf, variantsOf } from "../support/shopify.js";
import { ShopifyShop } from "../support/shops/shopify.js";
import { type ConnectedWarehouse, connectedWarehouse } from "../support/shops/sync.js";
import { openWooShop, type WooShop } from "../support/shops/woocommerce.js";

describe("the items of a shop's products", () => {
  const service = testService();

  const nameOf = (sku: string) => db.value<string>("select item_name from items where sku = $1", [sku]);
  const linkedTo = (connector: string, { id }: ConnectedWarehouse, sourceId: unknown) =>
    db.value<string>(
      `select sku from items join cross_system_mappings on canonical_id = external_id
         where source_system = $1 and source_type = 'item' and source_id = $2`,
      [sourceSystemOf(connector, id), String(sourceId)],
    );

  describe("at Shopify", () => {
    let shop: ShopifyShop;
    let warehouse: ConnectedWarehouse;
    beforeEach(async () => {
      shop = await ShopifyShop.open();
      warehouse = await connectedWarehouse(service, shopify, shop.config);
    });
    afterEach(() => shop.close());

    const product = (sku: string, title: string) => {
      const made = shop.addProduct([{ sku }], { title });
      const [variant] = variantsOf(made);
      const id = variant?.id as number;
      return { id, own: `SHOPIFY-${id}`, change: (sku: string, title?: string) => changed(made, sku, title) };
    };
    const changed = (made: Record<string, unknown>, sku: string, title?: string) =>
      void shop.changeProduct(idOf(made), (one) => {
        Object.assign(one, title && { title });
        Object.assign(variantsOf(one)[0] ?? {}, { sku });
      });
    const linked = (id: number) => linkedTo("shopify", warehouse, id);
    /** What a run does before it reads its first page. */
    const retry = async () => {
      const rows = await db.rows<{ record: never }>("select record from connector_refusals where warehouse_id = $1", [
        warehouse.id,
      ]);
      return warehouse.write(
        "items",
        rows.map(({ record }) => record),
        true,
      );
    };

    it("with one SKU are items of their own, and somebody is asked until they have two", async () => {
      const sku = fresh("MUG");
      const [red, blue] = [product(sku, "Red mug"), product(sku, "Blue mug")];
      assert.deepEqual(await warehouse.sync("items"), { written: 2 });
      assert.deepEqual([await linked(red.id), await linked(blue.id)], [sku, blue.own]);
      assert.deepEqual([await nameOf(sku), await nameOf(blue.own)], ["Red mug", "Blue mug"]);
      assert.deepEqual(await warehouse.refusals(), ["duplicate_sku"]);
      assert.deepEqual(await warehouse.sync("items"), { known: 2 });
      await retry();
      assert.deepEqual(await warehouse.refusals(), ["duplicate_sku"]);
      blue.change(`${sku}-B`);
      assert.deepEqual(await warehouse.sync("items"), { known: 1, written: 1 });
      assert.deepEqual([await linked(red.id), await linked(blue.id)], [sku, `${sku}-B`]);
      assert.deepEqual([await nameOf(sku), await nameOf(`${sku}-B`)], ["Red mug", "Blue mug"]);
      assert.deepEqual(await warehouse.refusals(), []);
    });

    it("with one SKU get the right one once the other has given it up", async () => {
      const sku = fresh("MUG");
      const [red, blue] = [product(sku, "Red mug"), product(sku, "Blue mug")];
      await warehouse.sync("items");
      red.change(`${sku}-R`);
      await warehouse.sync("items");
      await retry();
      assert.deepEqual([await linked(red.id), await linked(blue.id)], [`${sku}-R`, sku]);
      assert.deepEqual(await warehouse.refusals(), []);
    });

    it("whose SKUs were swapped are swapped here", async () => {
      const [a, b] = [fresh("A"), fresh("B")];
      const [one, other] = [product(a, "One"), product(b, "Other")];
      await warehouse.sync("items");
      one.change(b);
      other.change(a);
      await warehouse.sync("items");
      assert.deepEqual([await linked(one.id), await linked(other.id)], [b, a]);
      assert.deepEqual([await nameOf(b), await nameOf(a)], ["One", "Other"]);
      assert.deepEqual(await warehouse.refusals(), []);
    });

    it("whose SKUs were swapped one after the other are swapped with the next run", async () => {
      const [a, b] = [fresh("A"), fresh("B")];
      const [one, other] = [product(a, "One"), product(b, "Other")];
      await warehouse.sync("items");
      one.change(b);
      assert.deepEqual(await warehouse.sync("items"), { known: 1, refused: 1 });
      // Its orders are refused until it is known what it is, and never are the other item.
      assert.equal(await linked(one.id), undefined);
      other.change(a);
      await warehouse.sync("items");
      await retry();
      assert.deepEqual([await linked(one.id), await linked(other.id)], [b, a]);
      assert.deepEqual(await warehouse.refusals(), []);
    });

    it("that got the SKU of an item that is here are that item, and the other one keeps its name", async () => {
      const [mine, theirs] = [fresh("MINE"), await item()];
      const mug = product(mine, "Mug");
      await warehouse.sync("items");
      mug.change(theirs.sku, "Cup");
      assert.deepEqual(await warehouse.sync("items"), { written: 1 });
      assert.equal(await linked(mug.id), theirs.sku);
      assert.deepEqual([await nameOf(mine), await nameOf(theirs.sku)], ["Mug", "Cup"]);
    });

    it("that got another SKU rename their item, unless another system calls it something, too", async () => {
      const [one, other] = [fresh("ONE"), fresh("OTHER")];
      const [mug, cup] = [product(one, "Mug"), product(other, "Cup")];
      await warehouse.sync("items");
      await db.run(
        "insert into inbound_source_systems_allowlist values ('erp', 'internal_tool') on conflict do nothing",
      );
      await db.run(
        `insert into cross_system_mappings (source_system, source_type, source_id, canonical_type, canonical_id)
         select 'erp', 'item', sku, 'item', external_id from items where sku = $1`,
        [other],
      );
      mug.change(`${one}-2`);
      cup.change(`${other}-2`, "Large cup");
      await warehouse.sync("items");
      assert.deepEqual([await nameOf(one), await nameOf(`${one}-2`)], [undefined, "Mug"]);
      assert.deepEqual([await nameOf(other), await nameOf(`${other}-2`)], ["Cup", "Large cup"]);
      assert.equal(await linked(cup.id), `${other}-2`);
    });

    it("that an earlier release made one item do not rename it, and leave it when they get SKUs", async () => {
      const sku = fresh("MUG");
      const [red, blue] = [product(sku, "Red mug"), product(`${sku}-B`, "Blue mug")];
      await warehouse.sync("items");
      await db.run(
        `update cross_system_mappings m set shared = true,
           canonical_id = (select external_id from items where sku = $1)
         where source_id = $2`,
        [sku, String(blue.id)],
      );
      await db.run(
        `update inbound_items set canonical_id = (select external_id from items where sku = $1),
           canonical_payload = canonical_payload || jsonb_build_object('sku', $1::text) where external_id = $2`,
        [sku, String(blue.id)],
      );
      await db.run("delete from items where sku = $1", [`${sku}-B`]);
      blue.change(sku, "Blue mug!");
      await warehouse.sync("items");
      assert.equal(await nameOf(sku), "Red mug");
      assert.deepEqual(await warehouse.refusals(), ["duplicate_sku"]);
      blue.change(`${sku}-B`);
      await warehouse.sync("items");
      assert.deepEqual([await linked(red.id), await linked(blue.id)], [sku, `${sku}-B`]);
      assert.deepEqual([await nameOf(sku), await nameOf(`${sku}-B`)], ["Red mug", "Blue mug!"]);
      assert.deepEqual(await warehouse.refusals(), []);
    });

    it("are in use while they can be sold, whatever another one of the SKU is, as people set it here", async () => {
      const sku = fresh("MUG");
      const mug = product(sku, "Mug");
      shop.addProduct([{ sku }], { title: "Mug, next year", status: "draft" });
      shop.addProduct([{ sku: `${sku}-U` }], { status: "unlisted" });
      await warehouse.sync("items");
      const isActive = (sku: string) => db.value<boolean>("select is_active from items where sku = $1", [sku]);
      assert.deepEqual([await isActive(sku), await isActive(`${sku}-U`)], [true, true]);
      await db.run("update items set is_active = false where sku = $1", [sku]);
      mug.change(sku, "Large mug");
      await warehouse.sync("items");
      assert.deepEqual([await nameOf(sku), await isActive(sku)], ["Large mug", false]);
    });

    it("are one row of the activity list for each version that is refused, however often it is tried", async () => {
      const sku = fresh("MUG");
      shop.addOrder([{ variant_id: 4711, sku, quantity: 1 }]);
      for (let run = 0; run < 3; run++) {
        assert.deepEqual(await warehouse.sync("orders"), { refused: 1 });
        const rows = await db.rows<{ payload: boolean }>(
          "select source_payload is not null as payload from inbound_refusals where source_system = $1",
          [sourceSystemOf("shopify", warehouse.id)],
        );
        assert.deepEqual(rows, [{ payload: true }]);
      }
    });

    it("are not found for an order by an SKU that is another one's", async () => {
      const sku = fresh("MUG");
      const red = product(sku, "Red mug");
      await warehouse.sync("items");
      const blue = product(sku, "Blue mug");
      shop.addOrder([{ variant_id: blue.id, sku, quantity: 1 }]);
      assert.deepEqual(await warehouse.sync("orders"), { refused: 1 });
      shop.addOrder([{ variant_id: null, sku, quantity: 1 }]);
      assert.deepEqual(await warehouse.sync("orders"), { refused: 1, written: 1 });
      assert.equal(await linked(red.id), sku);
    });
  });

  describe("at WooCommerce", () => {
    let shop: WooShop;
    let warehouse: ConnectedWarehouse;
    beforeEach(async () => {
      shop = await openWooShop();
      warehouse = await connectedWarehouse(service, woocommerce, shop.config);
    });
    afterEach(() => shop.close());

    const linked = (id: number) => linkedTo("woocommerce", warehouse, id);

    it("have an item for each size, also where the sizes have only the SKU of their product", async () => {
      const sku = fresh("SHIRT");
      const shirt = shop.product({ name: "Shirt", type: "variable", sku, global_unique_id: "4006381333931" });
      const sizes = ["S", "M", "L"].map((option) =>
        shop.variation(shirt, { attributes: [{ id: 7, name: "Size", option }] }),
      );
      assert.deepEqual(await warehouse.sync("items"), { written: 3 });
      for (const { id } of sizes) assert.equal(await linked(id), `WOO-${id}`);
      assert.equal(await nameOf(sku), undefined);
      const { n } = (await db.row<{ n: number }>("select count(*) as n from items where upc = '4006381333931'")) ?? {};
      assert.equal(n, 0);
      assert.deepEqual(await warehouse.refusals(), []);
    });

    it("are found for an order by the size", async () => {
      const shirt = shop.product({ name: "Shirt", type: "variable", sku: fresh("SHIRT") });
      const small = shop.variation(shirt);
      await item({ sku: shirt.sku });
      shop.order({ line_items: [shop.line(shirt, 1, small)] });
      assert.deepEqual(await warehouse.sync("orders"), { refused: 1 });
      await warehouse.sync("items");
      assert.deepEqual(await warehouse.sync("orders"), { written: 1 });
    });
  });
});
