import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { loadConnectors } from "../../src/connectors/registry.js";
import { db } from "../../src/db/db.js";
import { connectorWarehouse, openShop, type Shop, storeConfig } from "../support/connectors.js";
import { openService, type TestService } from "../support/service.js";
import { until } from "../support/until.js";
import { detailsOf } from "../support/workflow-environment.js";

/** Syncs by hand, with a shop that answers pages of items. */

let service: TestService;
let shop: Shop;
let warehouse_id: number;
/** What the shop answers to a path, by page. */
let items: { id: string; version: string; sku: string; name: string }[];

const PAGE = 3;

/** A page of the shop: three items from the cursor on. */
function answer(path: string) {
  const { pathname, searchParams } = new URL(path, shop.url);
  if (pathname !== "/items") return {};
  const from = Number(searchParams.get("cursor") ?? 0);
  const next = from + PAGE < items.length ? `${from + PAGE}` : null;
  return { items: items.slice(from, from + PAGE), next, newest: "2026-05-06T12:00:00Z" };
}

const start = (type = "items") => service.admin.post(`/api/admin/connectors/list-shop/sync/${type}`, { warehouse_id });

interface State {
  sync_status: string;
  last_success_at: string | null;
  last_error_message: string | null;
  consecutive_errors: number;
  watermark: string | null;
}

async function state(type = "items"): Promise<State> {
  const row = await db.row<State>("select * from sync_state where warehouse_id = $1 and sync_type = $2", [
    warehouse_id,
    type,
  ]);
  return row ?? assert.fail("no row");
}

const finished = () => until(async () => (await state()).sync_status !== "running");

const handle = (type = "items") =>
  temporalClient().workflow.getHandle(`connector-sync-list-shop-${warehouse_id}-${type}`);

const stored = () =>
  db.rows<{ sku: string; item_name: string }>("select sku, item_name from items where sku = any($1) order by sku", [
    items.map(({ sku }) => sku),
  ]);

describe("a sync", () => {
  before(async () => {
    service = await openService({
      worker: true,
      env: { SERVICE_ALLOW_INTERNAL_CONNECTORS: "true", CONNECTOR_BACKOFF_MS: "1", CONNECTOR_RETRY_DELAY_MS: "50" },
    });
    await loadConnectors(new URL("../support/test-connectors/", import.meta.url));
    shop = await openShop();
  });

  after(async () => {
    await shop.close();
    await service.close();
  });

  beforeEach(async () => {
    warehouse_id = await connectorWarehouse();
    await storeConfig(
      "list-shop",
      warehouse_id,
      { base_url: shop.url, api_key: "the key of the shop" },
      service.config,
    );
    await db.run("insert into inbound_source_systems_allowlist (source_system, kind) values ($1, 'connector')", [
      `list-shop-${warehouse_id}`,
    ]);
    items = Array.from({ length: 7 }, (_, i) => ({
      id: `${i}`,
      version: "1",
      sku: `S-${randomUUID()}`,
      name: `Item ${i}`,
    }));
    shop.requests.length = 0;
    shop.usual = ({ path }) => ({ body: answer(path) });
  });

  it("reads all pages and writes their records, and its second run changes nothing", async () => {
    const started = await start();
    assert.equal(started.status, 202);
    assert.deepEqual(started.body, {
      message: "Sync started",
      task_id: `connector-sync-list-shop-${warehouse_id}-items`,
      connector: "list-shop",
      warehouse_id,
      sync_type: "items",
    });
    assert.deepEqual(await handle().result(), { ended: "completed", read: 7, written: 7, known: 0, refused: 0 });
    assert.equal((await stored()).length, 7);
    const { last_success_at, watermark, ...after } = await state();
    assert.ok(last_success_at);
    assert.equal(watermark, "2026-05-06T12:00:00+00:00");
    assert.deepEqual([after.sync_status, after.consecutive_errors], ["idle", 0]);

    await start();
    assert.deepEqual(await handle().result(), { ended: "completed", read: 7, written: 0, known: 7, refused: 0 });
    const [asked] = shop.requests.slice(3);
    assert.match(asked?.path ?? "", /since=2026-05-06T11%3A55%3A00/);
  });

  it("is refused while it runs, and a repeat under the same key gets the first answer", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    shop.usual = async ({ path }) => {
      await held;
      return { body: answer(path) };
    };
    const keyed = service.admin.with({ "Idempotency-Key": randomUUID() });
    const path = "/api/admin/connectors/list-shop/sync/items";
    const [first, ...others] = await Promise.all([
      keyed.post(path, { warehouse_id }),
      keyed.post(path, { warehouse_id }),
    ]);
    assert.equal(first.status, 202);
    assert.deepEqual(
      others.map(({ status }) => status),
      [202],
    );
    const second = await start();
    assert.equal(second.status, 409);
    assert.deepEqual(second.body, {
      error: "Sync already running",
      connector: "list-shop",
      warehouse_id,
      sync_type: "items",
    });
    release();
    await finished();
    assert.equal((await stored()).length, 7);
  });

  it("asks a failing source three times, and is in error after that", async () => {
    shop.usual = () => ({ status: 404, body: { error: "gone" } });
    await start();
    await assert.rejects(handle().result());
    const { sync_status, consecutive_errors, last_error_message } = await state();
    assert.deepEqual([sync_status, consecutive_errors], ["error", 3]);
    assert.match(last_error_message ?? "", /404/);
    assert.match(await detailsOf(handle()), /all 3 attempts failed/);
    shop.usual = ({ path }) => ({ body: answer(path) });
    await start();
    await finished();
    assert.deepEqual([(await state()).sync_status, (await state()).consecutive_errors], ["idle", 0]);
  });
});
