import assert from "node:assert/strict";
import woocommerce from "../../src/connectors/built-in/woocommerce.js";
import { SourceError } from "../../src/connectors/connector.js";
import { db } from "../support/db.js";
import { item } from "../support/fixtures.js";
import { fresh } from "../support/inbound.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { type ConnectedWarehouse, connectedWarehouse } from "../support/shops/sync.js";
import { openWooShop, type WooShop } from "../support/shops/woocommerce.js";

describe("items of WooCommerce", () => {
  const service = testService();
  let shop: WooShop;
  let warehouse: ConnectedWarehouse;
  beforeEach(async () => {
    shop = await openWooShop();
    warehouse = await connectedWarehouse(service, woocommerce, shop.config);
  });
  afterEach(() => shop.close());

  const configured = async (config: Record<string, string>) =>
    connectedWarehouse(service, woocommerce, { ...shop.config, ...config });
  const stored = (sku: string) =>
    db.row<Record<string, unknown>>(
      `select sku, item_name, upc, weight_lbs, length_in, width_in, height_in, is_active, external_id
       from items where sku = $1`,
      [sku],
    );
  const refused = (message: RegExp) => (error: unknown) => error instanceof SourceError && message.test(error.message);

  it("takes each field of a simple product, with its measures in pounds and inches", async () => {
    const sku = fresh("MUG");
    shop.product({
      name: "Salt &amp; Pepper <em>Mug</em>",
      sku,
      global_unique_id: "4006381333931",
      weight: "1.25",
      dimensions: { length: "10", width: "7.62", height: "12.7" },
    });
    assert.deepEqual(await warehouse.sync("items"), { written: 1 });
    const { external_id, ...row } = (await stored(sku)) ?? {};
    assert.deepEqual(row, {
      sku,
      item_name: "Salt & Pepper Mug",
      upc: "4006381333931",
      weight_lbs: "2.7558",
      length_in: "3.94",
      width_in: "3.00",
      height_in: "5.00",
      is_active: true,
    });
  });

  for (const [weight_unit, weight] of [
    ["kg", "0.45359237"],
    ["g", "453.59237"],
    ["lbs", "1"],
    ["oz", "16"],
  ] as const)
    for (const [dimension_unit, length] of [
      ["cm", "91.44"],
      ["m", "0.9144"],
      ["mm", "914.4"],
      ["in", "36"],
      ["yd", "1"],
    ] as const)
      it(`knows that a pound is ${weight} ${weight_unit} and a yard ${length} ${dimension_unit}`, async () => {
        shop.settings = { weight_unit, dimension_unit };
        shop.product({ weight, dimensions: { length, width: "", height: "" } });
        const [record] = await (await configured({ weight_unit, dimension_unit })).records("items");
        assert.equal(record?.values.weight_lbs, "1");
        assert.equal(record?.values.length_in, "36");
      });

  it("has an item for each variation, with the product's name, and its measures where it has none itself", async () => {
    const shirt = shop.product({ name: "Shirt", type: "variable", weight: "0.2" });
    const black = fresh("BLACK");
    shop.variation(shirt, { sku: black, global_unique_id: "4006381333948" });
    const heavy = fresh("HEAVY");
    const options = [
      { id: 6, name: "Color", option: "Blue" },
      { id: 7, name: "Size", option: "XXL" },
      { id: 8, name: "Print", option: "" },
    ];
    shop.variation(shirt, { sku: heavy, attributes: options, weight: "0.4" });
    assert.deepEqual(await warehouse.sync("items"), { written: 2 });
    const one = await stored(black);
    assert.equal(one?.item_name, "Shirt - Black");
    assert.equal(one?.upc, "4006381333948");
    assert.equal(one?.weight_lbs, "0.4409");
    const other = await stored(heavy);
    assert.equal(other?.item_name, "Shirt - Blue, XXL");
    assert.equal(other?.weight_lbs, "0.8818");
  });

  it("reads more variations than are on one of WooCommerce's pages", async () => {
    const shirt = shop.product({ type: "variable" });
    for (let i = 0; i < 230; i++) shop.variation(shirt);
    const ids = (await warehouse.records("items")).map((record) => record.external_id);
    assert.equal(new Set(ids).size, 230);
  });

  it("writes the variations again when their product got another name, and else nothing", async () => {
    const shirt = shop.product({ name: "Shirt", type: "variable" });
    const sku = fresh("SHIRT");
    shop.variation(shirt, { sku });
    await warehouse.sync("items");
    assert.deepEqual(await warehouse.sync("items"), { known: 1 });
    shop.change(shirt, { name: "Polo shirt" });
    assert.deepEqual(await warehouse.sync("items"), { written: 1 });
    assert.equal((await stored(sku))?.item_name, "Polo shirt - Black");
  });

  it("takes what is not published as inactive, and a variation when its product is a draft", async () => {
    const [kept, hidden, draft, staff] = [fresh("P"), fresh("P"), fresh("P"), fresh("P")];
    shop.product({ sku: draft, status: "draft" });
    shop.product({ sku: staff, status: "private" });
    const shirt = shop.product({ type: "variable" });
    shop.variation(shirt, { sku: kept });
    shop.variation(shirt, { sku: hidden, status: "draft" });
    await warehouse.sync("items");
    const active = async (sku: string) => (await stored(sku))?.is_active;
    assert.deepEqual(await Promise.all([kept, hidden, draft, staff].map(active)), [true, false, false, true]);
    shop.change(shirt, { status: "draft" });
    await warehouse.sync("items");
    assert.equal(await active(kept), false);
  });

  it("leaves as it is here what the shop has empty, or writes as no number", async () => {
    const sku = fresh("SKU");
    const product = shop.product({ sku, weight: "1", global_unique_id: "123" });
    await warehouse.sync("items");
    shop.change(product, { weight: "", global_unique_id: "", dimensions: { length: "ca. 3", width: "", height: "" } });
    assert.deepEqual(await warehouse.sync("items"), { written: 1 });
    const row = await stored(sku);
    assert.equal(row?.weight_lbs, "2.2046");
    assert.equal(row?.upc, "123");
    assert.equal(row?.length_in, null);
  });

  it("takes an item that is here under its SKU for the shop's", async () => {
    const { sku } = await item();
    const before = await stored(sku);
    shop.product({ sku, name: "Mug of the shop" });
    await warehouse.sync("items");
    const after = await stored(sku);
    assert.equal(after?.external_id, before?.external_id);
    assert.equal(after?.item_name, "Mug of the shop");
  });

  it("gives a product without SKU one that names it, until the shop has one", async () => {
    const product = shop.product({ name: "Bowl" });
    await warehouse.sync("items");
    const before = await stored(`WOO-${product.id}`);
    assert.equal(before?.item_name, "Bowl");
    const sku = fresh("BOWL");
    shop.change(product, { sku });
    await warehouse.sync("items");
    assert.equal((await stored(sku))?.external_id, before?.external_id);
  });

  it("passes over what nobody keeps in a bin, and takes it out of use where it was kept", async () => {
    const sku = fresh("BOOK");
    const book = shop.product({ sku });
    await warehouse.sync("items");
    shop.change(book, { virtual: true });
    shop.product({ sku: fresh("EBOOK"), virtual: true, downloadable: true });
    shop.product({ sku: fresh("SET"), type: "grouped" });
    shop.product({ sku: fresh("ELSEWHERE"), type: "external" });
    shop.variation(shop.product({ type: "variable" }), { virtual: true });
    assert.deepEqual(await warehouse.sync("items"), { written: 1, known: 4 });
    assert.equal((await stored(sku))?.is_active, false);
  });

  it("keeps what is downloadable, too, but shipped", async () => {
    const sku = fresh("VINYL");
    shop.product({ sku, downloadable: true });
    await warehouse.sync("items");
    assert.equal((await stored(sku))?.is_active, true);
  });

  it("cuts a name that is too long, and refuses a SKU that is", async () => {
    const sku = fresh("LONG");
    shop.product({ sku, name: "n".repeat(400) });
    shop.product({ sku: "s".repeat(129) });
    assert.deepEqual(await warehouse.sync("items"), { written: 1, refused: 1 });
    assert.deepEqual(await warehouse.refusals(), ["canonical_constraint_violation"]);
    assert.equal(`${(await stored(sku))?.item_name}`.length, 256);
  });

  it("reads what changed at a time or later", async () => {
    const [, second, third] = [shop.product(), shop.product(), shop.product()];
    const records = await warehouse.records("items", `${second?.date_modified_gmt}Z`);
    assert.deepEqual(pluck(records, "external_id"), [second?.id, third?.id].map(String));
  });

  describe("where the shop measures in other units than were configured", () => {
    beforeEach(() => {
      shop.settings = { weight_unit: "lbs", dimension_unit: "in" };
      shop.product({ weight: "1" });
    });

    it("does not sync", async () => {
      await assert.rejects(warehouse.sync("items"), refused(/measures in lbs, and weight_unit is kg/));
      await assert.rejects(
        (await configured({ weight_unit: "lbs" })).sync("items"),
        refused(/measures in in, and dimension_unit is cm/),
      );
    });

    it("says so when the connection is tested", async () => {
      await assert.rejects(woocommerce.testConnection(warehouse.source), refused(/set weight_unit/));
      const { source } = await configured({ weight_unit: "lbs", dimension_unit: "in" });
      assert.equal(await woocommerce.testConnection(source), "Connected: 1 products and 0 orders");
    });

    it("believes the configuration where the settings may not be read, and wants it then", async () => {
      const forbidden = { status: 403, body: { code: "woocommerce_rest_cannot_view", message: "No." } };
      shop.answerNext(forbidden);
      await assert.rejects(warehouse.sync("items"), refused(/set weight_unit and dimension_unit/));
      const { sync } = await configured({ weight_unit: "lbs", dimension_unit: "in" });
      shop.answerNext(forbidden);
      assert.deepEqual(await sync("items"), { written: 1 });
    });
  });

  it("says what is wrong when a product is not as documented", async () => {
    shop.product({ type: null });
    const [record] = await warehouse.records("items");
    assert.match(record?.unreadable ?? "", /a product that is not as documented: type/);
  });

  it("is not connected with a wrong key, or where another API answers", async () => {
    const { source } = await configured({ consumer_secret: "cs_wrong" });
    await assert.rejects(woocommerce.testConnection(source), refused(/401: Sorry, you cannot list resources/));
    const open = warehouse.source;
    shop.usual = () => ({ body: [] });
    await assert.rejects(woocommerce.testConnection(open), refused(/this is not WooCommerce's REST API/));
  });
});
