import assert from "node:assert/strict";
import { sourceSystemOf } from "../../src/connectors/connector.js";
import { storeConfig } from "../support/connectors.js";
import { db } from "../support/db.js";
import { salesOrder, warehouse } from "../support/fixtures.js";
import { testService } from "../support/service.js";

const configs = {
  shopify: { shop_url: "https://mugs.myshopify.com", access_token: "shpat_1" },
  woocommerce: { shop_url: "https://shop.example.com/wp/", consumer_key: "ck_1", consumer_secret: "cs_1" },
};

describe("the page of an order at its shop", () => {
  const service = testService();

  const pageOf = async (so_id: number) => {
    const { shop_url } = await service.admin.ok("GET", `/api/admin/sales-orders/${so_id}/story`);
    return shop_url as string | null;
  };

  /** An order that a source knows by an id. */
  async function linked(system: string, warehouse_id: number, source_id = "450789469") {
    const { so_id } = await salesOrder(warehouse_id, []);
    await db.run(
      `insert into inbound_source_systems_allowlist (source_system, kind) values ($1, 'connector')
       on conflict do nothing`,
      [system],
    );
    await db.run(
      `insert into cross_system_mappings (source_system, source_type, source_id, canonical_type, canonical_id)
       select $1, 'sales_order', $2, 'sales_order', external_id from sales_orders where so_id = $3`,
      [system, source_id, so_id],
    );
    return so_id;
  }

  for (const [name, page] of [
    ["shopify", "https://mugs.myshopify.com/admin/orders/450789469"],
    ["woocommerce", "https://shop.example.com/wp/wp-admin/post.php?post=450789469&action=edit"],
  ] as const)
    it(`is told in its story: ${name}`, async () => {
      const warehouse_id = await warehouse();
      const so_id = await linked(sourceSystemOf(name, warehouse_id), warehouse_id);
      assert.equal(await pageOf(so_id), null, "without an address");
      await storeConfig(name, warehouse_id, configs[name], service.config);
      assert.equal(await pageOf(so_id), page);
    });

  it("is none of an order from elsewhere, or of a shop that its connector led to before", async () => {
    const warehouse_id = await warehouse();
    await storeConfig("shopify", warehouse_id, configs.shopify, service.config);
    assert.equal(await pageOf((await salesOrder(warehouse_id, [])).so_id), null);
    assert.equal(await pageOf(await linked("erp", warehouse_id)), null);
    const system = sourceSystemOf("shopify", warehouse_id);
    assert.equal(await pageOf(await linked(`${system}@2`, warehouse_id)), null);
    const evil = "1/../../x?y=1";
    assert.equal(
      await pageOf(await linked(system, warehouse_id, evil)),
      `https://mugs.myshopify.com/admin/orders/${encodeURIComponent(evil)}`,
    );
  });
});
