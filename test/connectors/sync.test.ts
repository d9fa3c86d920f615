import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { startMissing } from "../../workers/reconcile.js";
import { statusAndBody } from "../support/caller.js";
import { db } from "../support/db.js";
import { item } from "../support/fixtures.js";
import { type ListedItem, ListShop, newItem, openSyncing } from "../support/list-shop.js";
import { pluck } from "../support/pluck.js";
import type { TestService } from "../support/service.js";
import { until } from "../support/until.js";
import { detailsOf, listedAs } from "../support/workflow-environment.js";

const SYNC = "/api/admin/connectors/list-shop/sync/items";
const RESET = "/api/admin/connectors/list-shop/sync-reset";

describe("a sync", () => {
  let service: TestService;
  let shop: ListShop;
  before(async () => {
    service = await openSyncing();
  });
  after(() => service.close());
  beforeEach(async () => {
    shop = await ListShop.open(service);
  });
  afterEach(() => shop.close());

  const completed = (counts: object) => ({ ended: "completed", read: 0, written: 0, known: 0, refused: 0, ...counts });
  const audits = (action: string) =>
    db.rows<{ details: object; user_id: string }>(
      "select details, user_id from audit_log where action_type = $1 and entity_type = 'CONNECTOR' and entity_id = $2",
      [action, shop.warehouse_id],
    );

  it("reads all pages and writes their records, and its second run changes nothing", async () => {
    const { warehouse_id } = shop;
    const started = await shop.start();
    assert.equal(started.status, 202);
    const task_id = `connector-sync-list-shop-${warehouse_id}-items`;
    const key = { connector: "list-shop", warehouse_id, sync_type: "items" };
    assert.deepEqual(started.body, { message: "Sync started", task_id, ...key });
    assert.equal(started.headers.get("x-service-workflow-id"), task_id);
    assert.deepEqual(await shop.handle().result(), completed({ read: 7, written: 7 }));
    assert.deepEqual(await shop.stored(), shop.listed());
    const { sync_status, consecutive_errors, last_success_at, watermark } = await shop.state();
    assert.deepEqual([sync_status, consecutive_errors], ["idle", 0]);
    assert.ok(last_success_at);
    assert.equal(watermark, "2026-05-06T12:00:00+00:00");
    assert.deepEqual(pluck(await audits("SYNC_START"), "details"), [{ connector: "list-shop", sync_type: "items" }]);

    assert.deepEqual(await shop.sync(), completed({ read: 7, known: 7 }));
    const [asked] = shop.server.requests.slice(3);
    assert.match(asked?.path ?? "", /since=2026-05-06T11%3A55%3A00/);
    assert.equal(asked?.headers.authorization, "Bearer key-of-the-shop");
  });

  describe("leaves a row of each run", () => {
    const RUNS = "/api/admin/connectors/list-shop/sync-runs";
    const runs = async (query = "") =>
      (await service.admin.ok("GET", `${RUNS}?warehouse_id=${shop.warehouse_id}${query}`)).sync_runs;
    const begun = async () => {
      await shop.start();
      await until(() => shop.server.requests.length > 0);
    };

    it("with what was read, in however many attempts", async () => {
      shop.server.answerNext(shop.answer({ path: "/items" }), { status: 500, body: { error: "busy" } });
      await shop.sync();
      const [{ run_id, started_at, ended_at, error_message, ...run }] = await runs();
      assert.ok(run_id && started_at <= ended_at);
      assert.match(error_message, /500/);
      assert.deepEqual(run, {
        ...{ connector: "list-shop", warehouse_id: shop.warehouse_id, sync_type: "items", status: "completed" },
        ...{ pages: 3, read: 7, written: 7, known: 0, refused: 0, failures: 1 },
        workflow_id: shop.handle().workflowId,
      });
    });

    it("which tells how far the run is while it goes on", async () => {
      shop.server.answerNext(shop.answer({ path: "/items" }));
      const release = shop.hold();
      await shop.start();
      await until(async () => (await runs())[0].pages === 1);
      const [{ status, ended_at, read, written }] = await runs();
      assert.deepEqual({ status, ended_at, read, written }, { status: "running", ended_at: null, read: 3, written: 3 });
      release();
      await shop.ended();
      assert.deepEqual((await runs("&status=completed&sync_type=items"))[0].read, 7);
      assert.deepEqual(await runs("&sync_type=orders"), []);
    });

    it("with how it ended: failed, reset, cancelled", async () => {
      shop.server.usual = () => ({ status: 404, body: { error: "gone" } });
      await assert.rejects(shop.sync());
      shop.server.usual = (request) => shop.answer(request);
      const release = shop.hold();
      shop.server.requests.length = 0;
      await begun();
      await service.admin.ok("POST", RESET, { warehouse_id: shop.warehouse_id });
      await shop.handle().result();
      shop.server.requests.length = 0;
      await begun();
      await shop.handle().cancel();
      await assert.rejects(shop.handle().result());
      release();
      const ended = (await runs()).map(({ status, failures }: Record<string, unknown>) => [status, failures]);
      assert.deepEqual(ended, [
        ["cancelled", 0],
        ["superseded", 0],
        ["failed", 3],
      ]);
    });
  });

  it("takes an item that is here for the source's, by its SKU", async () => {
    const here = await item();
    const [first] = shop.items as [ListedItem];
    Object.assign(first, { sku: here.sku, name: "As the shop calls it" });
    assert.deepEqual(await shop.sync(), completed({ read: 7, written: 7 }));
    const row = await db.row<{ item_name: string }>("select item_name from items where item_id = $1", [here.item_id]);
    assert.equal(row?.item_name, "As the shop calls it");
  });

  it("links an item again that was unlinked, and writes it where another has its SKU now", async () => {
    const [first] = shop.items as [ListedItem];
    await shop.sync();
    const links = `/api/admin/source-links?source_system=list-shop-${shop.warehouse_id}&source_id=${first.id}`;
    const linked = async () => (await service.admin.ok("GET", links)).source_links[0];
    const { link_id, canonical_id } = await linked();
    await service.admin.ok("DELETE", `/api/admin/source-links/${link_id}`);
    assert.deepEqual(await shop.sync(), completed({ read: 7, known: 7 }));
    const again = await linked();
    assert.equal(again.canonical_id, canonical_id);
    await service.admin.ok("DELETE", `/api/admin/source-links/${again.link_id}`);
    await db.run("update items set sku = sku || '-OLD' where external_id = $1", [canonical_id]);
    assert.deepEqual(await shop.sync(), completed({ read: 7, written: 1, known: 6 }));
    assert.notEqual((await linked()).canonical_id, canonical_id);
  });

  it("writes the other items of a page where one is refused, and two items for two ids of a SKU", async () => {
    const [first, second, third] = shop.items as [ListedItem, ListedItem, ListedItem];
    second.sku = first.sku;
    third.name = "";
    assert.deepEqual(await shop.sync(), completed({ read: 7, written: 6, refused: 1 }));
    const ids = await db.rows<{ source_id: string; sku: string }>(
      `select source_id, sku from cross_system_mappings join items on external_id = canonical_id
       where source_system = $1 order by source_id`,
      [`list-shop-${shop.warehouse_id}`],
    );
    const here = shop.items
      .filter((one) => one !== third)
      .map(({ id, sku }) => ({ source_id: id, sku: id === second.id ? `LIST-SHOP-${id}` : sku }));
    assert.deepEqual(ids, here);
    third.name = "Named";
    await shop.sync();
    assert.equal((await shop.stored()).length, 7);
  });

  it("writes what was refused as soon as it can be written", async () => {
    const [first] = shop.items as [ListedItem];
    shop.orders = [{ id: "o1", version: "1", number: `SO-${randomUUID()}`, item: first.id, quantity: 2 }];
    assert.deepEqual(await shop.sync("orders"), completed({ read: 1, refused: 1 }));
    const list = `/api/admin/connectors/list-shop/refused-records?warehouse_id=${shop.warehouse_id}`;
    const { refused_records, total } = (await service.admin.get(list)).body;
    assert.equal(total, 1);
    const { first_refused_at, last_refused_at, ...refused } = refused_records[0];
    assert.ok(first_refused_at <= last_refused_at);
    assert.deepEqual(refused, {
      ...{ connector: "list-shop", warehouse_id: shop.warehouse_id, sync_type: "orders" },
      ...{ external_id: "o1", external_version: "1", attempts: 1 },
      error_kind: "cross_system_lookup_miss",
      error_message: `list-shop-${shop.warehouse_id} has not sent item ${first.id} yet`,
    });
    await shop.sync();
    // The shop no longer lists the order: it has not changed since.
    const { number } = shop.orders[0] as { number: string };
    shop.orders = [];
    assert.deepEqual(await shop.sync("orders"), completed({ read: 1, written: 1 }));
    assert.ok(await db.row("select from sales_orders where so_number = $1 and status = 'OPEN'", [number]));
    assert.equal((await service.admin.get(list)).body.total, 0);
  });

  it("is refused while one is under way; a repeat under the same key gets the first answer", async () => {
    const release = shop.hold();
    const { warehouse_id } = shop;
    const keyed = service.admin.with({ "Idempotency-Key": randomUUID() });
    const same = await Promise.all(Array.from({ length: 4 }, () => keyed.post(SYNC, { warehouse_id })));
    assert.deepEqual(pluck(same, "status"), [202, 202, 202, 202]);
    const second = await shop.start();
    const key = { connector: "list-shop", warehouse_id, sync_type: "items" };
    assert.deepEqual([second.status, second.body], [409, { error: "Sync already running", ...key }]);
    release();
    assert.deepEqual(await shop.handle().result(), completed({ read: 7, written: 7 }));
  });

  it("asks a failing source three times, and is in error after that", async () => {
    shop.server.usual = () => ({ status: 404, body: { error: "gone" } });
    await assert.rejects(shop.sync());
    assert.equal(shop.server.requests.length, 3);
    const { sync_status, consecutive_errors, last_error_message } = await shop.state();
    assert.deepEqual([sync_status, consecutive_errors], ["error", 3]);
    assert.match(last_error_message ?? "", /404/);
    assert.deepEqual((await listedAs(shop.handle())).outcome, "failed");
    assert.match(await detailsOf(shop.handle()), /all 3 attempts failed/);
    shop.server.usual = (request) => shop.answer(request);
    assert.deepEqual(await shop.sync(), completed({ read: 7, written: 7 }));
    assert.deepEqual([(await shop.state()).sync_status, (await shop.state()).consecutive_errors], ["idle", 0]);
  });

  it("goes on at the page that failed", async () => {
    shop.server.answerNext(shop.answer({ path: "/items" }), { status: 500 });
    assert.deepEqual(await shop.sync(), completed({ read: 7, written: 7 }));
    const cursors = shop.server.requests.map(({ path }) => new URL(path, shop.server.url).searchParams.get("cursor"));
    assert.deepEqual(cursors, [null, "3", "3", "6"]);
    assert.equal((await shop.state()).consecutive_errors, 0);
  });

  it("is ended by a reset, and can be started again at once", async () => {
    const release = shop.hold();
    await shop.start();
    const first = await shop.handle().describe();
    const { warehouse_id } = shop;
    const reset = await service.admin.post(RESET, { warehouse_id });
    assert.deepEqual(statusAndBody(reset), [
      200,
      { message: "Reset 1 sync(s)", connector: "list-shop", warehouse_id, sync_type: null, rows_reset: 1 },
    ]);
    assert.equal((await shop.state()).sync_status, "idle");
    assert.equal((await shop.start()).status, 202);
    release();
    await shop.ended();
    assert.deepEqual(await shop.stored(), shop.listed());
    const { status } = await temporalClient().workflow.getHandle(first.workflowId, first.runId).describe();
    assert.notEqual(status.name, "FAILED");
    assert.equal((await service.admin.post(RESET, { warehouse_id, sync_type: "orders" })).body.rows_reset, 0);
    assert.equal((await audits("SYNC_RESET")).length, 2);
  });

  it("is taken over when it is older than an hour, and its own late pages write nothing", async () => {
    const release = shop.hold();
    await shop.start();
    await until(() => shop.server.requests.length > 0);
    assert.equal((await shop.start()).status, 409);
    await db.run("update sync_state set running_since = now() - interval '61 minutes' where warehouse_id = $1", [
      shop.warehouse_id,
    ]);
    const { run_id } = await shop.state();
    assert.equal((await shop.start()).status, 202);
    assert.notEqual((await shop.state()).run_id, run_id);
    release();
    await shop.ended();
    assert.deepEqual(await shop.handle().result(), completed({ read: 7, written: 7 }));
  });

  it("ends when its cancellation is requested in the Temporal UI, with its row free", async () => {
    shop.hold();
    await shop.start();
    await until(() => shop.server.requests.length > 0);
    await shop.handle().cancel();
    await assert.rejects(shop.handle().result());
    const { status, outcome } = await listedAs(shop.handle());
    assert.deepEqual([status, outcome], ["CANCELLED", "cancelled"]);
    const { sync_status, consecutive_errors } = await shop.state();
    assert.deepEqual([sync_status, consecutive_errors], ["idle", 0]);
  });

  it("is started again from its row when Temporal lost it", async () => {
    const release = shop.hold();
    await shop.start();
    await until(() => shop.server.requests.length > 0);
    await shop.handle().terminate("lost");
    release();
    await until(async () => {
      await startMissing(temporalClient(), { ...service.config, dispatcherEnabled: false });
      return (await shop.state()).sync_status === "idle";
    });
    assert.deepEqual(await shop.stored(), shop.listed());
  });

  it("of fulfilments only asks the source whether it answers", async () => {
    assert.deepEqual(await shop.sync("fulfillment"), completed({}));
    assert.deepEqual(pluck(shop.server.requests, "path"), ["/ping"]);
  });

  it("refuses what it cannot sync, and who may not", async () => {
    const { warehouse_id } = shop;
    const post = (path: string, body: object) => service.admin.post(path, body);
    const at = "/api/admin/connectors";
    assert.equal((await post(`${at}/no-such/sync/items`, { warehouse_id })).status, 404);
    assert.equal((await post(`${at}/list-shop/sync/everything`, { warehouse_id })).status, 400);
    assert.equal((await post(`${at}/list-shop/sync/inventory`, { warehouse_id })).code, "sync_not_supported");
    assert.equal((await post(SYNC, {})).status, 400);
    assert.equal((await post(SYNC, { warehouse_id: 999_999 })).status, 404);
    assert.equal((await post(`${SYNC}?warehouse_id=${warehouse_id}`, {})).status, 202);
    assert.equal((await post(RESET, { warehouse_id: 999_999 })).status, 404);
    const reads = ["schedule", "refused-records", "sync-runs"].map(
      (what) => `${at}/list-shop/${what}?warehouse_id=999999`,
    );
    for (const path of reads) assert.equal((await service.admin.get(path)).status, 404);
    await service.withoutTemporal(async () => {
      assert.equal((await post(`${at}/list-shop/sync/orders`, { warehouse_id })).status, 503);
    });
    const stranger = await service.user({ page_keys: ["integrations"], warehouse_ids: [] });
    assert.equal((await stranger.post(SYNC, { warehouse_id })).status, 403);
    assert.equal((await stranger.post(RESET, { warehouse_id })).status, 403);
    const nobody = await service.user({ warehouse_ids: [warehouse_id] });
    assert.equal((await nobody.post(SYNC, { warehouse_id })).status, 403);
    await shop.ended();
  });

  describe("of a source that lies", () => {
    for (const [what, odd] of Object.entries({
      "an id that is too long": { id: "9".repeat(300) },
      "a version that is too long": { version: "9".repeat(3_000) },
      "an id that is none": { id: null as never },
      "a version that is none": { version: {} as never },
      "an id without anything": { id: "" },
    }))
      it(`refuses a record with ${what}, and writes the others`, async () => {
        Object.assign(shop.items[1] as ListedItem, odd);
        assert.deepEqual(await shop.sync(), completed({ read: 7, written: 6, refused: 1 }));
        assert.equal((await shop.stored()).length, 6);
        assert.equal((await shop.state()).sync_status, "idle");
      });

    it("ends with one record of each that it sends twice, whatever comes first", async () => {
      const [first] = shop.items as [ListedItem];
      const older = { ...newItem(first.id), ...shop.items[0], version: "0", name: "older" };
      shop.items = [...shop.items, ...shop.items.slice(0, 3), older];
      await shop.sync();
      assert.deepEqual(await shop.stored(), shop.listed().slice(0, 7));
    });

    it("catches up with what a page lacked once the source sends it", async () => {
      const all = shop.items;
      shop.items = all.filter(({ id }) => id !== "4");
      await shop.sync();
      shop.items = all;
      await shop.sync();
      assert.deepEqual(await shop.stored(), shop.listed());
    });

    it("does not begin in the future when its clock runs ahead", async () => {
      shop.newest = "2099-01-01T00:00:00Z";
      await shop.sync();
      const { watermark } = await shop.state();
      assert.ok(Date.parse(watermark ?? "") <= Date.now());
    });

    it("fails when its next page is the same one again, or is no page", async () => {
      shop.server.usual = () => ({ body: { items: [], next: "3", newest: null } });
      await assert.rejects(shop.sync());
      assert.match((await shop.state()).last_error_message ?? "", /same one again/);
      shop.server.usual = () => ({ body: "{}" });
      await assert.rejects(shop.sync());
      assert.match((await shop.state()).last_error_message ?? "", /unexpected answer/);
    });
  });
});
