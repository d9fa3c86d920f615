import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { runPushes } from "../../workers/outbound.js";
import { connectorWarehouse } from "../support/connectors.js";
import { db } from "../support/db.js";
import { pluckAll } from "../support/pluck.js";
import { runAgeing } from "../support/polling.js";
import { pushesOf } from "../support/pushes.js";
import { openService, type TestService } from "../support/service.js";
import { ShopifyShop } from "../support/shops/shopify.js";
import { until } from "../support/until.js";
import { walked } from "../support/walk.js";

/** An order's way from a shop through the warehouse and back, over the routes and with all that runs by itself. */
describe("an order of a Shopify shop", function () {
  this.timeout(120_000);
  let service: TestService;
  let shop: ShopifyShop;
  let warehouse_id: number;
  const running: { stop: () => Promise<void> }[] = [];
  before(async () => {
    service = await openService({
      worker: true,
      env: { SERVICE_ALLOW_INTERNAL_CONNECTORS: "true", CONNECTOR_BACKOFF_MS: "1", CONNECTOR_RETRY_DELAY_MS: "50" },
    });
    shop = await ShopifyShop.open();
    warehouse_id = await connectorWarehouse();
    running.push(runAgeing(), runPushes(temporalClient(), service.config, 100));
  });
  after(async () => {
    await Promise.all(running.map((one) => one.stop()));
    await shop.close();
    await service.close();
  });

  const connector = (what: string, body: object = {}) =>
    service.admin.ok("POST", `/api/admin/connectors/shopify/${what}`, { warehouse_id, ...body });
  /** Syncs, and waits until it has succeeded. */
  async function sync(type: "items" | "orders") {
    const state = () =>
      db.row<{ sync_status: string; last_error_message: string | null; run: string | null }>(
        "select sync_status, last_error_message from sync_state where warehouse_id = $1 and sync_type = $2",
        [warehouse_id, type],
      );
    await connector(`sync/${type}`);
    await until(async () => (await state())?.sync_status !== "running", 30_000);
    assert.deepEqual(await state(), { sync_status: "idle", last_error_message: null });
  }
  const refused = () =>
    db.rows("select external_id, error_kind from connector_refusals where warehouse_id = $1", [warehouse_id]);
  const orderHere = async () => {
    const order = await db.row<{ so_id: number; so_number: string; status: string; quantity: number }>(
      `select so_id, so_number, so.status, quantity_ordered as quantity
       from sales_orders so join sales_order_lines using (so_id) where warehouse_id = $1`,
      [warehouse_id],
    );
    return order ?? assert.fail("no order");
  };

  it("comes by itself, is shipped, told to the shop, and taken back; no sync in between changes anything", async () => {
    await connector("credentials", { credentials: shop.config });
    assert.equal((await connector("test")).message, "Connected to John's Apparel");
    const sku = `S-${randomUUID().slice(0, 8)}`;
    shop.addProduct([{ sku }]);
    await sync("items");
    const { id } = shop.addOrder([{ variant_id: null, sku, quantity: 2 }]) as { id: number };
    await sync("orders");
    const { so_id, so_number, quantity } = await orderHere();
    assert.equal(quantity, 2);

    const item = await db.row<{ item_id: number }>("select item_id from items where sku = $1", [sku]);
    const goods = { sku, item_id: item?.item_id ?? 0 };
    await walked(service.admin, warehouse_id, { so_id }, [{ item: goods, quantity }]);
    await service.admin.ok("POST", "/api/packing/verify", { so_id, scanned_barcode: sku, quantity });
    await service.admin.ok("POST", "/api/packing/complete", { so_id });
    await service.admin.ok("POST", "/api/shipping/fulfill", { so_id, tracking_number: "1Z9", carrier: "UPS" });
    await until(async () => (await pushesOf(so_id))[0]?.status === "pushed", 30_000);
    const fulfillments = () => shop.order(id).fulfillments as { status: string; tracking_number: string }[];
    assert.deepEqual(pluckAll(fulfillments(), "status", "tracking_number"), [["success", "1Z9"]]);

    await sync("orders");
    const address = `${service.url}/api/v1/connectors/shopify/${warehouse_id}/webhooks`;
    assert.equal((await shop.send(address, "orders/fulfilled", shop.order(id))).status, 200);
    assert.deepEqual(await orderHere(), { so_id, so_number, status: "SHIPPED", quantity: 2 });

    await service.admin.ok("POST", `/api/admin/sales-orders/${so_id}/revert-status`, {
      ...{ new_status: "PACKED", release_pick_task_ids: [] },
    });
    await until(async () => fulfillments()[0]?.status === "cancelled", 30_000);
    await sync("orders");
    assert.deepEqual(await orderHere(), { so_id, so_number, status: "PACKED", quantity: 2 });
    assert.deepEqual(await refused(), []);
  });
});
