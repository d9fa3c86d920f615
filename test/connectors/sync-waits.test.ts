import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { ListShop, openSyncing } from "../support/list-shop.js";
import type { TestService } from "../support/service.js";
import { until } from "../support/until.js";
import { detailsOf } from "../support/workflow-environment.js";

const RESET = "/api/admin/connectors/list-shop/sync-reset";

describe("a sync of a source that cannot be asked now", () => {
  let service: TestService;
  let shop: ListShop;
  before(async () => {
    service = await openSyncing({ CONNECTOR_CIRCUIT_OPEN_MS: "500" });
  });
  after(() => service.close());
  beforeEach(async () => {
    shop = await ListShop.open(service);
  });
  afterEach(() => shop.close());

  const run = () =>
    db.row<{ status: string; failures: number; error_message: string | null }>(
      "select status, failures, error_message from sync_runs where warehouse_id = $1 order by started_at desc limit 1",
      [shop.warehouse_id],
    );

  it("waits for an open circuit, and says so", async () => {
    await db.run(
      `insert into connector_circuits (connector_name, warehouse_id, failures, open_until)
       values ('list-shop', $1, 5, now() + interval '1 hour')`,
      [shop.warehouse_id],
    );
    await shop.start();
    await until(async () => /is not asked again before/.test(String((await run())?.error_message)));
    await until(async () => /waits for its source\n.*not asked again before/.test(await detailsOf(shop.handle())));
    assert.deepEqual([(await run())?.status, (await run())?.failures], ["running", 0]);
    assert.equal((await shop.state()).consecutive_errors, 0);
    assert.equal(shop.server.requests.length, 0);
    await service.admin.ok("POST", RESET, { warehouse_id: shop.warehouse_id });
  });

  it("goes on by itself once the circuit closes, however often the source is tried", async () => {
    // One attempt has three, the next one two that open the circuit; two trials fail.
    shop.server.answerNext(...Array(7).fill({ status: 503 }));
    const { ended, written } = (await shop.sync()) as { ended: string; written: number };
    assert.deepEqual([ended, written, (await run())?.failures], ["completed", 7, 1]);
    assert.equal(shop.server.requests.length, 10);
  });

  it("waits for a source that asks for it, however often", async () => {
    shop.server.answerNext(...Array(12).fill({ status: 429, headers: { "retry-after": "0" } }));
    const { ended } = (await shop.sync()) as { ended: string };
    assert.deepEqual([ended, (await run())?.failures], ["completed", 0]);
    assert.equal(shop.server.requests.length, 15);
  });

  it("is asked as seldom as it says itself, by whoever asks", async () => {
    shop.server.answerNext({ status: 429, headers: { "retry-after": "1800" }, body: { error: "Slow down" } });
    await shop.start();
    await until(async () => /Slow down/.test(String((await run())?.error_message)));
    await shop.start("orders");
    await until(async () => /allows no more requests/.test(await detailsOf(shop.handle("orders")).catch(() => "")));
    assert.equal(shop.server.requests.length, 1);
    assert.deepEqual(
      [(await shop.state()).sync_status, (await shop.state("orders")).sync_status],
      ["running", "running"],
    );
    await service.admin.ok("POST", RESET, { warehouse_id: shop.warehouse_id });
  });
});
