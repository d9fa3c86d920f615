import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { temporalClient } from "../../api/http/workflow-updates.js";
import woocommerce from "../../src/connectors/built-in/woocommerce.js";
import { runPushes } from "../../workers/outbound.js";
import { db } from "../support/db.js";
import { runAgeing } from "../support/polling.js";
import { pushesOf } from "../support/pushes.js";
import { openService, type TestService } from "../support/service.js";
import { idOf, ShopifyPair } from "../support/shopify.js";
import { connectedWarehouse } from "../support/shops/sync.js";
import { openWooShop } from "../support/shops/woocommerce.js";
import { pack, packBackorder, splitOff } from "../support/split-orders.js";
import { until } from "../support/until.js";

/**
 * Orders of shops that are split here: what the shops are told of each part, and what they say of the order meanwhile.
 */
describe("a shop's order that is split", function () {
  this.timeout(120_000);
  let service: TestService;
  const running: { stop: () => Promise<void> }[] = [];
  before(async () => {
    service = await openService({
      worker: true,
      env: { SERVICE_ALLOW_INTERNAL_CONNECTORS: "true", CONNECTOR_BACKOFF_MS: "1", CONNECTOR_RETRY_DELAY_MS: "50" },
    });
    running.push(runAgeing(), runPushes(temporalClient(), service.config, 100));
  });
  after(async () => {
    await Promise.all(running.map((one) => one.stop()));
    await service.close();
  });

  const ship = async (so_id: number, tracking_number: string) => {
    await service.admin.ok("POST", "/api/shipping/fulfill", { so_id, tracking_number, carrier: "UPS" });
    await until(async () => (await pushesOf(so_id)).at(-1)?.status === "pushed", 30_000);
  };
  const unship = async (so_id: number) => {
    await service.admin.ok("POST", `/api/admin/sales-orders/${so_id}/revert-status`, {
      ...{ new_status: "PACKED", release_pick_task_ids: [] },
    });
    await until(async () => {
      const { kind, status } = (await pushesOf(so_id)).at(-1) ?? assert.fail();
      return kind === "void" && status === "pushed";
    }, 30_000);
  };
  const itemOf = async (sku: string) =>
    (await db.row<{ item_id: number; sku: string }>("select item_id, sku from items where sku = $1", [sku])) ??
    assert.fail("no item");
  const orderHere = (so_id: number) =>
    db.row<{ memo: string; quantity: number }>(
      `select memo, (select sum(quantity_ordered) from sales_order_lines where so_id = so.so_id) as quantity
       from sales_orders so where so_id = $1`,
      [so_id],
    );

  it("is fulfilled in Shopify part by part, and syncs in between change nothing", async () => {
    const pair = await ShopifyPair.open(service);
    const { shop, warehouse_id } = pair;
    const sku = `S-${randomUUID().slice(0, 8)}`;
    const product = shop.addProduct([{ sku }]);
    const [{ id: variant_id }] = product.variants as [{ id: number }];
    await pair.sync("items");
    const item = await itemOf(sku);
    const id = idOf(shop.addOrder([{ variant_id, sku, quantity: 5 }]));
    await pair.sync("orders");
    const { so_id } = (await pair.order(id)) ?? assert.fail("no order");
    const parts = () =>
      (
        shop.order(id).fulfillments as { status: string; tracking_number: string; line_items: { quantity: number }[] }[]
      ).map(({ status, tracking_number, line_items }) => [tracking_number, status, line_items[0]?.quantity]);
    /** The shop says something new of the order, which is written here. */
    const told = async (note: string) => {
      shop.changeOrder(id, ({ fields }) => Object.assign(fields, { note }));
      assert.deepEqual(await pair.sync("orders"), ["written"]);
      assert.deepEqual(await orderHere(so_id), { memo: note, quantity: 3 });
    };

    const backorder = await splitOff(service.admin, so_id, 2);
    await told("before work has begun");
    await pack(service.admin, warehouse_id, { so_id }, item, 3);
    await told("packed");
    await ship(so_id, "A");
    assert.deepEqual(parts(), [["A", "success", 3]]);
    assert.equal(shop.order(id).fulfillment_status, "partial");
    await told("shipped in part");
    await packBackorder(service.admin, warehouse_id, backorder, item);
    await ship(backorder.so_id, "B");
    const first = ["A", "success", 3];
    assert.deepEqual(parts(), [first, ["B", "success", 2]]);
    assert.equal(shop.order(id).fulfillment_status, "fulfilled");
    await told("shipped");
    await unship(backorder.so_id);
    assert.deepEqual(parts(), [first, ["B", "cancelled", 2]]);
    await told("taken back in part");

    shop.changeOrder(id, ({ lines }) => Object.assign(lines[0] as object, { quantity: 7 }));
    assert.deepEqual(await pair.sync("orders"), ["written"]);
    assert.equal((await orderHere(so_id))?.quantity, 3);
    assert.deepEqual(
      await db.rows(
        `select so_number, quantity_ordered from sales_orders join sales_order_lines using (so_id)
         where parent_so_id = $1 and order_type = 'sale'`,
        [so_id],
      ),
      [{ so_number: `${backorder.so_number.replace("-BO", "-ADD")}`, quantity_ordered: 2 }],
    );
    await pair.close();
  });

  it("is completed in WooCommerce with its last part, and syncs in between change nothing", async () => {
    const shop = await openWooShop();
    const warehouse = await connectedWarehouse(service, woocommerce, shop.config);
    const sku = `W-${randomUUID().slice(0, 8)}`;
    const product = shop.product({ sku, name: "Mug" });
    await warehouse.sync("items");
    const item = await itemOf(sku);
    const order = shop.order({ line_items: [shop.line(product, 5)], number: `WS-${sku}` });
    await warehouse.sync("orders");
    const made = await db.row<{ so_id: number }>("select so_id from sales_orders where so_number = $1", [`WS-${sku}`]);
    const so_id = made?.so_id ?? assert.fail("no order");
    const notes = () => (shop.notes.get(order.id) ?? []).map(({ note }) => note);
    const told = async (customer_note: string) => {
      shop.change(order, { customer_note });
      assert.deepEqual(await warehouse.sync("orders"), { written: 1 });
      assert.deepEqual(await orderHere(so_id), { memo: customer_note, quantity: 3 });
    };

    const backorder = await splitOff(service.admin, so_id, 2);
    await told("before work has begun");
    await pack(service.admin, warehouse.id, { so_id }, item, 3);
    await ship(so_id, "A");
    assert.equal(order.status, "processing");
    await told("shipped in part");
    await packBackorder(service.admin, warehouse.id, backorder, item);
    await ship(backorder.so_id, "B");
    assert.equal(order.status, "completed");
    const service_level = "UPS Flat Rate";
    assert.deepEqual(notes(), [
      `Shipped by ${service_level}, tracking number A: Mug × 3; still to come: Mug × 2`,
      `Shipped by ${service_level}, tracking number B: Mug × 2`,
    ]);
    await told("shipped");
    await unship(backorder.so_id);
    assert.equal(order.status, "processing");
    assert.equal(notes().at(-1), "The warehouse took the shipment B back; not shipped: Mug × 2");
    await told("taken back in part");
    await shop.close();
  });
});
