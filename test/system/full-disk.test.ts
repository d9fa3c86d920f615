import assert from "node:assert/strict";
import { open } from "node:fs/promises";
import { sequenceAll } from "../../activities/outbound/sequencer.js";
import { startApi } from "../support/api-process.js";
import { db } from "../support/db.js";
import { bin, item, stock, warehouse } from "../support/fixtures.js";
import { killRoles, roleEnv, startRole } from "../support/roles.js";
import { openService, type TestService } from "../support/service.js";
import { until } from "../support/until.js";

describe("a disk that is full", function () {
  this.timeout(60_000);
  let service: TestService;
  before(async () => {
    service = await openService();
  });
  after(async () => {
    killRoles();
    await service.close();
  });

  it("where the logs are ends neither an API nor a worker", async () => {
    const full = await open("/dev/full", "w");
    const { databaseUrl, tokenPepper } = service.config;
    const { api, caller } = await startApi(databaseUrl, tokenPepper, { LOG_LEVEL: "trace" }, full.fd);
    const env = roleEnv(databaseUrl, { LOG_LEVEL: "trace", SERVICE_TYPO: "1", TEMPORAL_TASK_QUEUE: "full-disk" });
    const worker = startRole([process.execPath, "dist/workers/main.js"], env, full.fd);
    for (let i = 0; i < 200; i++) assert.equal((await caller.get("/api/health")).status, 200);
    // What the worker does is seen, which nobody else does here.
    const [warehouse_id, { item_id }] = [await warehouse(), await item()];
    const change = { item_id, bin_id: await bin(warehouse_id), warehouse_id, adjustment_type: "ADD", quantity: 1 };
    await stock(warehouse_id, change.bin_id, item_id, 5);
    await service.admin.ok("POST", "/api/admin/adjustments/direct", { ...change, reason: "found" });
    const numbered = "select 1 from integration_events where event_id is not null";
    await until(async () => (await db.row(numbered)) !== undefined, 30_000);
    assert.deepEqual([api.exitCode, worker.exitCode], [null, null]);
    await full.close();
  });

  it("of Postgres is 503, as when it cannot be reached", async () => {
    for (const state of ["53100", "53200", "58030"]) {
      await db.run(`create or replace function fill() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file' using errcode = '${state}'; end $$`);
      await db.run("create trigger fill before insert on items for each row execute function fill()");
      const { status, code } = await service.admin.post("/api/admin/items", { sku: "FULL", item_name: "Mug" });
      await db.run("drop trigger fill on items");
      assert.deepEqual([status, code], [503, "database_unavailable"], state);
    }
    assert.equal((await service.admin.post("/api/admin/items", { sku: "FULL", item_name: "Mug" })).status, 201);
  });

  it("is nothing that later work is harmed by", () => sequenceAll());
});
