import assert from "node:assert/strict";
import { CONNECTORS, connectorWarehouse } from "../support/connectors.js";
import { db } from "../support/db.js";
import { fresh } from "../support/inbound.js";
import { logged } from "../support/log.js";
import { testService } from "../support/service.js";
import { openWooShop, type WooShop } from "../support/shops/woocommerce.js";
import { until } from "../support/until.js";

describe("a WooCommerce shop whose server takes the header Authorization away", () => {
  const service = testService({
    worker: true,
    env: { SERVICE_ALLOW_INTERNAL_CONNECTORS: "true", CONNECTOR_BACKOFF_MS: "1", CONNECTOR_RETRY_DELAY_MS: "50" },
  });
  let shop: WooShop;
  let warehouse_id: number;
  beforeEach(async () => {
    shop = await openWooShop();
    shop.takesHeaderAway = true;
    warehouse_id = await connectorWarehouse();
  });
  afterEach(() => shop.close());

  const connector = (what: string, body: object = {}) =>
    service.admin.ok("POST", `${CONNECTORS}/woocommerce/${what}`, { warehouse_id, ...body });
  const store = (more: object = {}) => connector("credentials", { credentials: { ...shop.config, ...more } });
  const state = () =>
    db.row<{ sync_status: string; last_error_message: string | null }>(
      "select sync_status, last_error_message from sync_state where warehouse_id = $1 and sync_type = 'items'",
      [warehouse_id],
    );
  async function sync() {
    await connector("sync/items");
    await until(async () => (await state())?.sync_status !== "running", 30_000);
    return (await state())?.last_error_message;
  }

  it("is asked with the key in the address, and in no header", async () => {
    const sku = fresh("WOO");
    shop.product({ sku });
    await store();
    assert.match((await connector("test")).message, /HTTP status 401/);
    await store({ auth: "query" });
    assert.equal((await connector("test")).message, "Connected: 1 products and 0 orders");
    shop.requests.length = 0;
    assert.equal(await sync(), null);
    assert.ok(await db.row("select from items where sku = $1", [sku]));
    for (const { path, headers } of shop.requests) {
      assert.match(path, /[?&]consumer_key=ck_\w+&consumer_secret=cs_\w+/);
      assert.equal(headers.authorization, undefined);
    }
  });

  it("is told of no other place for the key", async () => {
    const answer = await service.admin.post(`${CONNECTORS}/woocommerce/credentials`, {
      ...{ warehouse_id, credentials: { ...shop.config, auth: "cookie" } },
    });
    assert.equal(answer.status, 200);
    const { status, body } = await service.admin.post(`${CONNECTORS}/woocommerce/sync/items`, { warehouse_id });
    assert.deepEqual([status, body.invalid], [400, ["auth"]]);
  });

  it("leaves the key nowhere: in no message, record or log, whatever the shop says", async () => {
    await store({ auth: "query" });
    const { consumer_key, consumer_secret } = shop.config as Record<string, string>;
    const lines = await logged("trace", async () => {
      shop.usual = ({ path }) => ({ status: 400, body: { code: "failed", message: `Failed: ${path}` } });
      assert.match(String(await sync()), /HTTP status 400: Failed: .*consumer_key=\*\*\*&consumer_secret=\*\*\*/);
      shop.answerNext((response) => void response.socket?.destroy());
      await sync();
      shop.usual = ({ path }) => ({ status: 302, headers: { location: `https://elsewhere.example${path}` } });
      await sync();
      assert.doesNotMatch((await connector("test")).message, /c[ks]_/);
    });
    const tables = ["sync_runs", "sync_state", "connector_refusals", "audit_log", "inbound_items", "command_log"];
    const kept = await Promise.all(
      tables.map((table) => db.rows<{ text: string }>(`select t::text as text from ${table} t`)),
    );
    const texts = [...lines.map((line) => JSON.stringify(line)), ...kept.flat().map(({ text }) => text)].join("\n");
    for (const secret of [consumer_key, consumer_secret]) assert.ok(!texts.includes(secret as string), secret);
  });
});
