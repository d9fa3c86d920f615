import assert from "node:assert/strict";
import { connectorWarehouse } from "../support/connectors.js";
import { db } from "../support/db.js";
import { fresh } from "../support/inbound.js";
import { openService, type TestService } from "../support/service.js";
import { type CsvDrop, openCsvDrop } from "../support/shops/csv.js";
import { until } from "../support/until.js";

describe("a sync of CSV files", function () {
  this.timeout(120_000);
  let service: TestService;
  let drop: CsvDrop;
  let warehouse_id: number;
  before(async () => {
    service = await openService({
      worker: true,
      env: { SERVICE_ALLOW_INTERNAL_CONNECTORS: "true", CONNECTOR_BACKOFF_MS: "1", CONNECTOR_RETRY_DELAY_MS: "50" },
    });
    drop = await openCsvDrop();
    warehouse_id = await connectorWarehouse();
  });
  after(async () => {
    await drop.close();
    await service.close();
  });

  const connector = (what: string, body: object = {}) =>
    service.admin.ok("POST", `/api/admin/connectors/csv-drop/${what}`, { warehouse_id, ...body });
  async function sync(type: "items" | "orders" | "inventory") {
    await connector(`sync/${type}`);
    const state = () =>
      db.row<{ sync_status: string; last_error_message: string | null }>(
        "select sync_status, last_error_message from sync_state where warehouse_id = $1 and sync_type = $2",
        [warehouse_id, type],
      );
    await until(async () => (await state())?.sync_status !== "running", 30_000);
    return state();
  }
  const versions = () =>
    db.value<number>("select count(*)::int as count from inbound_items where source_system = $1", [
      `csv-drop-${warehouse_id}`,
    ]);

  it("reads all pages, and a second time writes nothing", async () => {
    const skus = Array.from({ length: 600 }, () => fresh("CSV"));
    drop.put("items", `sku,item_name\n${skus.map((sku) => `${sku},Item ${sku}\n`).join("")}`);
    await connector("credentials", { credentials: drop.config() });
    assert.equal((await connector("test")).message, "Connected: items_url has 2 columns");
    assert.deepEqual(await sync("items"), { sync_status: "idle", last_error_message: null });
    assert.equal(await versions(), 600);
    assert.deepEqual(await sync("items"), { sync_status: "idle", last_error_message: null });
    assert.equal(await versions(), 600);
  });

  it("writes the rows that are right, and fails with the others", async () => {
    const [good, last] = [fresh("CSV"), fresh("CSV")];
    drop.put("items", `sku,item_name,weight_lbs\n${good},Mug,1\n${fresh("BAD")},Bowl,heavy\n${last},Cup,2\n`);
    await connector("credentials", { credentials: drop.config() });
    assert.deepEqual(await sync("items"), {
      sync_status: "error",
      last_error_message: 'items_url: wrong rows were left out (1): row 3: weight_lbs: "heavy" is not a number',
    });
    const here = await db.rows<{ sku: string }>("select sku from items where sku = any($1)", [[good, last]]);
    assert.equal(here.length, 2);
  });

  it("is refused without its file", async () => {
    const { status, body } = await service.admin.post(`/api/admin/connectors/csv-drop/sync/orders`, { warehouse_id });
    assert.deepEqual([status, body.missing], [400, ["orders_url"]]);
  });
});
