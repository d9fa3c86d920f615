import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { JOBS } from "../../src/platform/temporal/maintenance.js";
import { priorities } from "../../src/platform/temporal/priorities.js";
import { transferWorkflowId } from "../../src/transfers/workflow.js";
import { startMissing } from "../../workers/reconcile.js";
import { runSchedules } from "../../workers/schedules.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { testService } from "../support/service.js";
import { newTransfer, pickTransfer, twoHouses } from "../support/transfer-walks.js";
import { TRANSFERS } from "../support/transfers.js";
import { until } from "../support/until.js";

describe("the priority of workflows", () => {
  const service = testService({ worker: true });
  afterEach(() => assertInvariants());

  const handle = (id: string) => temporalClient().workflow.getHandle(id);
  /** As the server has it. */
  const priorityOf = async (id: string) => {
    const { priorityKey, fairnessKey } = (await handle(id).describe()).priority ?? {};
    return [priorityKey, fairnessKey];
  };

  it("is said for each of them, that of the floor first", () => {
    const index = readFileSync(new URL("../../../workflows/index.ts", import.meta.url), "utf8");
    const names = [...index.matchAll(/export \{ (\w+) \}/g)].map(([, name]) => name);
    assert.deepEqual(Object.keys(priorities).sort(), names.sort());
    assert.ok(Math.max(...["pickWave", "cycleCount"].map((name) => priorities[name] ?? 9)) < 2);
    assert.ok((priorities.connectorSync ?? 0) > (priorities.fulfillmentPush ?? 9));
  });

  it("goes with a wave and a count, in their warehouse's share, and stays when they start again", async () => {
    const warehouse_id = await warehouse();
    const picker = await service.user({ warehouse_ids: [warehouse_id] });
    const { item_id } = await item();
    const bin_id = await bin(warehouse_id);
    await stock(warehouse_id, bin_id, item_id, 5);
    const { so_id } = await salesOrder(warehouse_id, [{ item_id, quantity: 5 }]);
    const { batch_id } = await picker.ok("POST", "/api/picking/wave-create", { so_ids: [so_id], warehouse_id });
    const count = { warehouse_id, bin_ids: [bin_id] };
    const { counts } = await picker.ok("POST", "/api/inventory/cycle-count/create", count);
    const ids = [`pick-wave-${batch_id}`, `cycle-count-${counts[0].count_id}`];
    const ofFloor = [1, `warehouse:${warehouse_id}`];
    for (const id of ids) assert.deepEqual(await priorityOf(id), ofFloor, id);

    const runs = await Promise.all(ids.map(async (id) => (await handle(id).describe()).runId));
    for (const id of ids) await handle(id).terminate("lost");
    await until(async () => {
      await startMissing(temporalClient(), service.config);
      const now = await Promise.all(ids.map(async (id) => (await handle(id).describe()).runId));
      return now.every((run, i) => run !== runs[i]);
    });
    for (const id of ids) assert.deepEqual(await priorityOf(id), ofFloor, id);

    const [wave = ""] = ids;
    const { runId } = await handle(wave).describe();
    await until(async () => {
      await Promise.all(Array.from({ length: 50 }, () => handle(wave).signal("scanned", [])));
      return (await handle(wave).describe()).runId !== runId;
    });
    assert.deepEqual(await priorityOf(wave), ofFloor, "continued as new");
  });

  it("is handed on to the batch of a transfer order", async () => {
    const houses = await twoHouses();
    const { to_id } = await service.admin.ok("POST", TRANSFERS, newTransfer(houses));
    const ofSource = [1, `warehouse:${houses.source}`];
    assert.deepEqual(await priorityOf(transferWorkflowId(to_id)), ofSource);
    const batch_id = await pickTransfer(service.admin, to_id);
    assert.deepEqual(await priorityOf(`pick-wave-${batch_id}`), ofSource);
  });

  it("goes with what schedules start", async () => {
    const schedules = runSchedules(temporalClient(), service.config);
    try {
      for (const job of Object.keys(JOBS)) {
        const schedule = temporalClient().schedule.getHandle(`maintenance-${job}`);
        const priority = async () => (await schedule.describe().catch(() => undefined))?.action.priority?.priorityKey;
        await until(async () => (await priority()) === priorities.maintenance);
      }
    } finally {
      await schedules.stop();
    }
  });
});
