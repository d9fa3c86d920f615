import assert from "node:assert/strict";
import { taskQueue, temporalClient } from "../../api/http/workflow-updates.js";
import { connectorQueue } from "../../src/connectors/task-queue.js";
import { CONNECTORS, connectorWarehouse, storeConfig } from "../support/connectors.js";
import { db } from "../support/db.js";
import { ListShop, openSyncing } from "../support/list-shop.js";
import { PUSHES, pushingShop } from "../support/pushes.js";
import type { TestService } from "../support/service.js";
import { refusalOf } from "../support/workflow-environment.js";

describe("what a connector lacks of its configuration", () => {
  let service: TestService;
  let shop: ListShop;
  before(async () => {
    service = await openSyncing({ CONNECTOR_RETRY_DELAY_MS: "3600000" });
  });
  after(() => service.close());
  beforeEach(async () => {
    shop = await ListShop.open(service);
  });
  afterEach(() => shop.close());

  const sync = (connector: string, type: string, warehouse_id: number) =>
    service.admin.post(`${CONNECTORS}/${connector}/sync/${type}`, { warehouse_id });
  const forget = (key: string) =>
    db.run("delete from connector_credentials where warehouse_id = $1 and credential_key = $2", [
      shop.warehouse_id,
      key,
    ]);
  const syncs = (warehouse_id: number) => db.rows("select from sync_state where warehouse_id = $1", [warehouse_id]);

  it("refuses a sync by the names of its fields, before anything starts", async () => {
    const { warehouse_id } = shop;
    await forget("api_key");
    await storeConfig("list-shop", warehouse_id, { base_url: "no address", more: "x" }, service.config);
    for (const type of ["items", "orders", "fulfillment"]) {
      const { status, code, body } = await sync("list-shop", type, warehouse_id);
      const error = "Credentials of list-shop that are missing or not valid: base_url, api_key, more";
      assert.deepEqual(
        [status, code, body],
        [
          400,
          "connector_not_configured",
          {
            ...{ error, connector: "list-shop", warehouse_id, sync_type: type },
            ...{ missing: ["api_key"], invalid: ["base_url", "more"] },
          },
        ],
      );
    }
    assert.deepEqual(await syncs(warehouse_id), []);
    await assert.rejects(shop.handle().describe());
  });

  it("refuses each built-in connector that needs some, and not one that asks nobody", async () => {
    const warehouse_id = await connectorWarehouse();
    const missing = async (connector: string, type = "items") => {
      const { status, body } = await sync(connector, type, warehouse_id);
      return [status, body.missing];
    };
    assert.deepEqual(await missing("shopify"), [400, ["shop_url", "access_token"]]);
    assert.deepEqual(await missing("woocommerce"), [400, ["shop_url", "consumer_key", "consumer_secret"]]);
    assert.deepEqual(await missing("csv-drop"), [400, ["items_url"]]);
    assert.deepEqual(await missing("csv-drop", "fulfillment"), [400, ["items_url", "orders_url", "inventory_url"]]);
    await storeConfig("csv-drop", warehouse_id, { items_url: `${shop.server.url}/items.csv` }, service.config);
    assert.deepEqual(await missing("csv-drop", "orders"), [400, ["orders_url"]]);
    assert.deepEqual(await missing("csv-drop", "inventory"), [400, ["inventory_url"]]);
    for (const type of ["items", "orders", "inventory", "fulfillment"])
      assert.deepEqual(await missing("example", type), [202, undefined]);
    const partly = await connectorWarehouse();
    await storeConfig("example", partly, { api_key: "k" }, service.config);
    assert.equal((await sync("example", "fulfillment", partly)).status, 202);
  });

  it("says nothing of the configuration to who may not see it", async () => {
    await forget("api_key");
    const stranger = await service.user({ page_keys: ["integrations"], warehouse_ids: [] });
    const { warehouse_id } = shop;
    const path = `${CONNECTORS}/list-shop/sync/items`;
    assert.equal((await stranger.post(path, { warehouse_id })).status, 403);
  });

  it("fails a sync that is under way at once, and once", async () => {
    shop.server.usual = () => ({ status: 401, body: { error: "Unknown key" } });
    await assert.rejects(shop.sync());
    assert.equal(shop.server.requests.length, 1);
    const { consecutive_errors, last_error_message, sync_status } = await shop.state();
    assert.deepEqual([consecutive_errors, sync_status], [1, "idle"]);
    assert.match(String(last_error_message), /401: Unknown key$/);
  });

  it("fails a sync by schedule at once, and once", async () => {
    await forget("api_key");
    const run = temporalClient().workflow.execute("connectorSync", {
      ...{ taskQueue: connectorQueue(taskQueue), workflowId: `scheduled-${shop.warehouse_id}` },
      args: [{ ...shop.key("items"), begun: "schedule", retry_delay_ms: 3_600_000 }],
    });
    assert.equal(await refusalOf(run), "Credentials of list-shop that are missing or not valid: api_key");
    assert.equal((await shop.state()).consecutive_errors, 1);
  });
});

describe("a push whose connector lacks its configuration", () => {
  const shops = pushingShop();
  const { at, login, shipped, reached, newest } = shops;

  it("fails at the first attempt, and is refused to be tried again until it is there", async () => {
    await db.run("delete from connector_credentials where connector_name = 'test-shop'");
    const { so_id } = await shipped();
    await reached(so_id, "ship failed");
    const push = await newest(so_id);
    assert.equal(push.attempts, 1);
    const refused = {
      error: "No credentials of test-shop are stored for this warehouse",
      ...{ connector: "test-shop", warehouse_id: at.here },
    };
    const [one, all] = [
      await at.service.admin.post(`${PUSHES}/${push.push_id}/retry`),
      await at.service.admin.post(`${PUSHES}/retry`, { warehouse_id: at.here }),
    ];
    for (const { status, code, body } of [one, all]) {
      const { missing, invalid, ...said } = body;
      assert.deepEqual([status, code, said, invalid], [400, "connector_not_configured", refused, []]);
      assert.ok(missing.length > 0);
    }
    assert.equal((await newest(so_id)).status, "failed");
    await login();
    assert.equal((await at.service.admin.post(`${PUSHES}/${push.push_id}/retry`)).status, 202);
    await reached(so_id, "ship pushed");
  });
});
