import assert from "node:assert/strict";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { syncWorkflowId } from "../../src/connectors/sync.js";
import { ensureRowSchedules } from "../../workers/row-schedules.js";
import { db } from "../support/db.js";
import { ListShop, openSyncing } from "../support/list-shop.js";
import type { TestService } from "../support/service.js";
import { until } from "../support/until.js";

const PATH = "/api/admin/connectors/list-shop/schedule";

describe("the schedule of syncs", () => {
  let service: TestService;
  let shop: ListShop;
  before(async () => {
    service = await openSyncing();
  });
  after(() => service.close());
  beforeEach(async () => {
    shop = await ListShop.open(service);
  });
  afterEach(async () => {
    await schedule()
      .delete()
      .catch(() => {});
    await shop.close();
  });

  const schedule = () => temporalClient().schedule.getHandle(syncWorkflowId(shop.key("items")));
  const put = (body: object) =>
    service.admin.put(PATH, { warehouse_id: shop.warehouse_id, sync_type: "items", ...body });
  const read = async () => {
    const { status, body } = await service.admin.get(`${PATH}?warehouse_id=${shop.warehouse_id}`);
    assert.equal(status, 200);
    return body;
  };
  const never = { interval_minutes: null, enabled: false, last_run_at: null, next_run_at: null };

  it("has a row for each type, and none of them runs by itself at first", async () => {
    assert.deepEqual(await read(), {
      connector: "list-shop",
      warehouse_id: shop.warehouse_id,
      schedule: ["orders", "items", "inventory", "fulfillment"].map((sync_type) => ({ sync_type, ...never })),
    });
  });

  it("is a schedule in Temporal, which syncs and can be paused there", async () => {
    const { status, body } = await put({ interval_minutes: 15 });
    assert.equal(status, 200);
    const { next_run_at, ...set } = body;
    assert.deepEqual(set, { sync_type: "items", interval_minutes: 15, enabled: true, last_run_at: null });
    assert.ok(Date.parse(next_run_at) > Date.now() - 60_000);
    const { spec, policies, action } = await schedule().describe();
    assert.deepEqual([spec.intervals?.[0]?.every, policies.overlap], [900_000, "SKIP"]);
    assert.equal(action.taskQueue, `${service.config.temporalTaskQueue}-connectors`);

    await schedule().trigger();
    await until(async () => (await shop.state().catch(() => undefined))?.last_success_at != null);
    assert.deepEqual(await shop.stored(), shop.listed());
    const rows = async () => (await read()).schedule.find((row: { sync_type: string }) => row.sync_type === "items");
    await until(async () => (await rows()).last_run_at !== null);
    const starts = await db.row("select from audit_log where action_type = 'SYNC_START' and entity_id = $1", [
      shop.warehouse_id,
    ]);
    assert.equal(starts, undefined);

    await schedule().pause("looking at it");
    const { enabled, next_run_at: next } = await rows();
    assert.deepEqual([enabled, next], [false, null]);
    // A worker that starts, or looks again, leaves it paused.
    for (const _ of [1, 2]) await ensureRowSchedules(temporalClient(), service.config);
    assert.equal((await rows()).enabled, false);
  });

  it("does not wait for a run that another version left under a type of its own", async () => {
    await put({ interval_minutes: 15 });
    await schedule().update(({ action, ...rest }) => ({ ...rest, action: { ...action, workflowType: "sync" } }));
    await until(async () => (await schedule().describe()).action.workflowType === "sync");
    await schedule().trigger();
    const lastRun = async () => (await schedule().describe()).info.recentActions.at(-1)?.action.workflow;
    await until(async () => (await lastRun()) !== undefined);
    const { workflowId = "", firstExecutionRunId } = (await lastRun()) ?? {};
    const left = temporalClient().workflow.getHandle(workflowId, firstExecutionRunId);
    const leftIs = async () => (await left.describe()).status.name;
    assert.equal(await leftIs(), "RUNNING");

    await until(async () => {
      await ensureRowSchedules(temporalClient(), service.config);
      return (await leftIs()) === "TERMINATED";
    });
    await until(async () => (await shop.state().catch(() => undefined))?.last_success_at != null);
  });

  it("is changed, switched off and on, and taken away", async () => {
    await put({ interval_minutes: 15, enabled: false });
    assert.equal((await schedule().describe()).state.paused, true);
    assert.equal((await put({ interval_minutes: 60 })).body.enabled, false);
    assert.equal((await schedule().describe()).spec.intervals?.[0]?.every, 3_600_000);
    assert.equal((await put({ interval_minutes: 60, enabled: true })).body.enabled, true);
    assert.equal((await schedule().describe()).state.paused, false);
    const { enabled, interval_minutes, next_run_at } = (await put({ interval_minutes: null })).body;
    assert.deepEqual([enabled, interval_minutes, next_run_at], [true, null, null]);
    await assert.rejects(schedule().describe());
    const audited = await db.rows(
      "select from audit_log where entity_type = 'CONNECTOR_SCHEDULE' and entity_id = $1 and action_type = 'UPDATE'",
      [shop.warehouse_id],
    );
    assert.equal(audited.length, 4);
  });

  it("comes back when Temporal has lost it, and waits for Temporal while that is away", async () => {
    await put({ interval_minutes: 15 });
    await ensureRowSchedules(temporalClient(), service.config);
    await schedule().delete();
    await ensureRowSchedules(temporalClient(), service.config);
    assert.equal((await schedule().describe()).spec.intervals?.[0]?.every, 900_000);

    await service.withoutTemporal(async () => {
      const { status, body } = await put({ interval_minutes: 30, enabled: false });
      assert.deepEqual([status, body.interval_minutes, body.enabled, body.next_run_at], [200, 30, false, null]);
    });
    await ensureRowSchedules(temporalClient(), service.config);
    const { spec, state } = await schedule().describe();
    assert.deepEqual([spec.intervals?.[0]?.every, state.paused], [1_800_000, true]);
  });

  it("refuses intervals, types and warehouses that there are not, and who may not", async () => {
    for (const interval_minutes of [0, 10_081, 1.5]) assert.equal((await put({ interval_minutes })).status, 400);
    assert.equal((await put({ interval_minutes: 5, sync_type: "everything" })).status, 400);
    assert.equal((await put({ interval_minutes: 5, warehouse_id: 999_999 })).status, 404);
    const interval = { warehouse_id: shop.warehouse_id, sync_type: "items", interval_minutes: 5 };
    const unknown = "/api/admin/connectors/no-such";
    const about = (part: string) => `${unknown}/${part}?warehouse_id=${shop.warehouse_id}`;
    for (const answer of [
      await service.admin.put(`${unknown}/schedule`, interval),
      await service.admin.post(`${unknown}/sync-reset`, { warehouse_id: shop.warehouse_id, sync_type: "items" }),
      ...(await Promise.all(
        ["schedule", "config-schema", "refused-records", "sync-runs"].map((part) => service.admin.get(about(part))),
      )),
    ])
      assert.deepEqual([answer.status, answer.code], [404, "connector_not_found"]);
    assert.equal((await service.admin.get(PATH)).status, 400);
    const stranger = await service.user({ page_keys: ["integrations"] });
    assert.equal((await stranger.get(`${PATH}?warehouse_id=${shop.warehouse_id}`)).status, 403);
    assert.equal((await stranger.put(PATH, interval)).status, 403);
  });
});
