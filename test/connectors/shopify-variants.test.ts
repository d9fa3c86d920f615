import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { db } from "../support/db.js";
import { testService } from "../support/service.js";
import { idOf, ShopifyPair } from "../support/shopify.js";

describe("a product with more variants than Shopify's REST API tells", () => {
  const service = testService();
  let pair: ShopifyPair;
  let name: string;
  beforeEach(async () => {
    pair = await ShopifyPair.open(service);
    name = `V-${randomUUID().slice(0, 8)}`;
  });
  afterEach(() => pair.close());

  const product = (count: number) =>
    pair.shop.addProduct(
      Array.from({ length: count }, (_, i) => ({
        ...{ sku: `${name}-${i}`, title: `Size ${i}`, barcode: `${name}${i}`, weight: 500, weight_unit: "g" },
      })),
      { title: "Shirt" },
    );
  const written = () =>
    db.rows<{ sku: string; item_name: string; upc: string; weight_lbs: string }>(
      "select sku, item_name, upc, weight_lbs from items where sku like $1 || '-%' order by item_id",
      [name],
    );
  const graphql = () => pair.shop.asked.filter(({ path }) => path === "graphql.json").length;

  it("comes with all of them, each as the others", async () => {
    product(250);
    assert.deepEqual([...new Set(await pair.sync("items"))], ["written"]);
    const items = await written();
    assert.equal(items.length, 250);
    const [first, last] = [items[0], items.at(-1)];
    assert.deepEqual([first?.item_name, last?.item_name], ["Shirt - Size 0", "Shirt - Size 249"]);
    assert.deepEqual([last?.upc, last?.weight_lbs], [`${name}249`, first?.weight_lbs]);
    assert.equal(graphql(), 3);
    assert.deepEqual([...new Set(await pair.sync("items"))], ["known"]);
  });

  it("costs nothing more where there are fewer", async () => {
    product(99);
    await pair.sync("items");
    assert.deepEqual([(await written()).length, graphql()], [99, 0]);
  });

  it("is waited for while the shop allows no more points", async () => {
    pair.shop.graphql.points = { most: 410, available: 0, perSecond: 4_000 };
    product(250);
    await pair.sync("items");
    assert.equal((await written()).length, 250);
  });

  it("is refused by its name where the shop does not tell them, and comes once it does", async () => {
    const { graphql: api } = pair.shop;
    api.refuses = { message: "Access denied for product field.", code: "ACCESS_DENIED" };
    const big = product(101);
    const other = pair.shop.addProduct([{ sku: `${name}-other` }]);
    const [page] = await pair.pages("items");
    const [refused, ...others] = page?.records ?? [];
    assert.deepEqual(
      [refused?.external_id, refused?.unreadable],
      [
        `${idOf(big)}`,
        '"Shirt" has more than 100 variants, which Shopify did not tell: Access denied for product field.',
      ],
    );
    assert.deepEqual(
      others.map(({ payload }) => (payload.product as { id: number }).id),
      [idOf(other)],
    );
    api.refuses = undefined;
    const again = await pair.connector.readAgain?.((await pair.source()) as never, "items", `${idOf(big)}`);
    assert.equal(again?.length, 101);
  });
});
