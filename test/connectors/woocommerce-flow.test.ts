import assert from "node:assert/strict";
import { temporalClient } from "../../api/http/workflow-updates.js";
import type { ReceivedWebhook } from "../../src/connectors/connector.js";
import { runPushes } from "../../workers/outbound.js";
import { connectorWarehouse } from "../support/connectors.js";
import { db } from "../support/db.js";
import { fresh } from "../support/inbound.js";
import { runAgeing } from "../support/polling.js";
import { pushesOf } from "../support/pushes.js";
import { openService, type TestService } from "../support/service.js";
import { openWooShop, type WooShop } from "../support/shops/woocommerce.js";
import { until } from "../support/until.js";
import { walked } from "../support/walk.js";

/** An order's way from a shop through the warehouse and back, over the routes and with all that runs by itself. */
describe("an order of a shop with WooCommerce", function () {
  this.timeout(120_000);
  let service: TestService;
  let shop: WooShop;
  let warehouse_id: number;
  const running: { stop: () => Promise<void> }[] = [];
  before(async () => {
    service = await openService({
      worker: true,
      env: { SERVICE_ALLOW_INTERNAL_CONNECTORS: "true", CONNECTOR_BACKOFF_MS: "1", CONNECTOR_RETRY_DELAY_MS: "50" },
    });
    shop = await openWooShop();
    warehouse_id = await connectorWarehouse();
    running.push(runAgeing(), runPushes(temporalClient(), service.config, 100));
  });
  after(async () => {
    await Promise.all(running.map((one) => one.stop()));
    await shop.close();
    await service.close();
  });

  const connector = (what: string, body: object = {}) =>
    service.admin.ok("POST", `/api/admin/connectors/woocommerce/${what}`, { warehouse_id, ...body });
  async function sync(type: "items" | "orders") {
    const state = () =>
      db.row<{ sync_status: string; last_error_message: string | null }>(
        "select sync_status, last_error_message from sync_state where warehouse_id = $1 and sync_type = $2",
        [warehouse_id, type],
      );
    await connector(`sync/${type}`);
    await until(async () => (await state())?.sync_status !== "running", 30_000);
    assert.deepEqual(await state(), { sync_status: "idle", last_error_message: null });
  }
  const send = async ({ headers, body }: ReceivedWebhook) => {
    const url = `${service.url}/api/v1/connectors/woocommerce/${warehouse_id}/webhooks`;
    const answer = await fetch(url, { method: "POST", headers, body: new Uint8Array(body) });
    return [answer.status, ((await answer.json()) as { received?: number }).received];
  };
  const orderHere = async () =>
    (await db.row<{ so_id: number; status: string; memo: string | null }>(
      "select so_id, status, memo from sales_orders where warehouse_id = $1",
      [warehouse_id],
    )) ?? assert.fail("no order");

  it("comes by a webhook, is shipped, told to the shop, and taken back", async () => {
    await connector("credentials", { credentials: shop.config });
    const sku = fresh("WOO");
    const product = shop.product({ sku });
    assert.equal((await connector("test")).message, "Connected: 1 products and 0 orders");
    await sync("items");
    assert.deepEqual(await send(shop.ping()), [200, 0]);
    const order = shop.order({ line_items: [shop.line(product, 2)], number: fresh("WS") });
    const late = shop.webhook("order.created", structuredClone(order));
    assert.deepEqual(await send(shop.webhook("order.created", order, "another secret")), [401, undefined]);
    assert.deepEqual(
      await send(shop.webhook("order.updated", shop.change(order, { customer_note: "Ring" }))),
      [200, 1],
    );
    assert.deepEqual(await send(late), [200, 1]);
    const { so_id, memo } = await orderHere();
    assert.equal(memo, "Ring");

    const item = await db.row<{ item_id: number }>("select item_id from items where sku = $1", [sku]);
    await walked(service.admin, warehouse_id, { so_id }, [{ item: { sku, item_id: item?.item_id ?? 0 }, quantity: 2 }]);
    await service.admin.ok("POST", "/api/packing/verify", { so_id, scanned_barcode: sku, quantity: 2 });
    await service.admin.ok("POST", "/api/packing/complete", { so_id });
    await service.admin.ok("POST", "/api/shipping/fulfill", { so_id, tracking_number: "1Z9", carrier: "UPS" });
    await until(async () => (await pushesOf(so_id))[0]?.status === "pushed", 30_000);
    assert.equal(order.status, "completed");
    assert.equal(shop.notes.get(order.id)?.length, 1);
    assert.match(shop.notes.get(order.id)?.[0]?.note, /^Shipped by UPS.*, tracking number 1Z9$/);

    await sync("orders");
    assert.equal((await orderHere()).status, "SHIPPED");
    await service.admin.ok("POST", `/api/admin/sales-orders/${so_id}/revert-status`, {
      ...{ new_status: "PACKED", release_pick_task_ids: [] },
    });
    await until(async () => order.status === "processing", 30_000);
    await sync("orders");
    assert.equal((await orderHere()).status, "PACKED");
    const refused = "select from connector_refusals where warehouse_id = $1";
    assert.deepEqual(await db.rows(refused, [warehouse_id]), []);
  });
});
