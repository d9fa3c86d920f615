import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { JOBS } from "../../src/platform/temporal/maintenance.js";
import { priorities } from "../../src/platform/temporal/priorities.js";
import { transferWorkflowId } from "../../src/transfers/workflow.js";
import { startMissing } from "../../workers/reconcile.js";
import { runSchedules } from "../../workers/schedules.js";
import { bin, item, salesOrder, shippedOrder, stock, warehouse } from "../support/fixtures.js";
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

  it("goes with a return, whoever starts it, and with the count of a bin that came up short", async () => {
    const warehouse_id = await warehouse();
    const ofFloor = [1, `warehouse:${warehouse_id}`];
    const { item_id } = await item();
    const { so_id: shipped } = await shippedOrder(warehouse_id, [{ item_id, quantity: 5 }]);
    const path = (of: number, action: string) => `/api/admin/sales-orders/${of}/${action}`;
    const body = { lines: [{ item_id, quantity: 3 }] };
    const { so_id } = await service.admin.ok("POST", path(shipped, "create-rma"), body);
    const rma = `rma-${so_id}`;
    assert.deepEqual(await priorityOf(rma), ofFloor);
    const goods = { item_id, quantity: 3, warehouse_id, bin_id: await bin(warehouse_id, { type: "Staging" }) };
    const { receipt_id } = await service.admin.ok("POST", path(so_id, "receive-return"), goods);
    await handle(rma).result();
    await service.admin.ok("POST", path(so_id, `return-receipts/${receipt_id}/reverse`), {});
    await until(async () => (await handle(rma).describe()).status.name === "RUNNING");
    assert.deepEqual(await priorityOf(rma), ofFloor, "told of a change after its end");

    const bin_id = await bin(warehouse_id);
    await stock(warehouse_id, bin_id, item_id, 5);
    const order = await salesOrder(warehouse_id, [{ item_id, quantity: 5 }]);
    const wave = { so_ids: [order.so_id], warehouse_id };
    const { first_pick } = await service.admin.ok("POST", "/api/picking/wave-create", wave);
    const short = { pick_task_id: first_pick.pick_task_id, quantity_available: 2 };
    const { count_id } = await service.admin.ok("POST", "/api/picking/short", short);
    await until(() => priorityOf(`cycle-count-${count_id}`).then(Boolean, () => false));
    assert.deepEqual(await priorityOf(`cycle-count-${count_id}`), ofFloor);
  });

  it("stays with what the next step starts again from its rows", async () => {
    const houses = await twoHouses();
    const { source: warehouse_id } = houses;
    const [{ item_id } = { item_id: 0 }] = houses.goods;
    const bin_id = await bin(warehouse_id);
    await stock(warehouse_id, bin_id, item_id, 5);
    const { so_id } = await salesOrder(warehouse_id, [{ item_id, quantity: 5 }]);
    const wave = { so_ids: [so_id], warehouse_id };
    const { batch_id } = await service.admin.ok("POST", "/api/picking/wave-create", wave);
    const asked = { warehouse_id, bin_ids: [bin_id] };
    const { counts } = await service.admin.ok("POST", "/api/inventory/cycle-count/create", asked);
    const { count_id } = counts[0];
    const { lines } = await service.admin.ok("GET", `/api/inventory/cycle-count/${count_id}`);
    const { to_id } = await service.admin.ok("POST", TRANSFERS, newTransfer(houses));
    const shipped = await shippedOrder(warehouse_id, [{ item_id, quantity: 5 }]);
    const orders = "/api/admin/sales-orders";
    const rma = await service.admin.ok("POST", `${orders}/${shipped.so_id}/create-rma`, {
      lines: [{ item_id, quantity: 3 }],
    });
    const steps: [id: string, path: string, body: object][] = [
      [`pick-wave-${batch_id}`, "/api/picking/cancel-batch", { batch_id }],
      [
        `cycle-count-${count_id}`,
        "/api/inventory/cycle-count/submit",
        { count_id, lines: [{ count_line_id: lines[0].count_line_id, counted_quantity: 5 }] },
      ],
      [transferWorkflowId(to_id), `${TRANSFERS}/${to_id}/cancel`, {}],
      [`rma-${rma.so_id}`, `${orders}/${rma.so_id}/void-return`, {}],
    ];
    for (const [id, path, body] of steps) {
      const { runId } = await handle(id).describe();
      await handle(id).terminate("lost");
      await service.admin.ok("POST", path, body);
      assert.notEqual((await handle(id).describe()).runId, runId, id);
      assert.deepEqual(await priorityOf(id), [1, `warehouse:${warehouse_id}`], id);
    }
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
