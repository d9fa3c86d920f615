import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Connection } from "@temporalio/client";
import proto from "@temporalio/proto";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { waveWorkflowId } from "../../src/picking/wave.js";
import { searchAttributes } from "../../src/platform/temporal/search-attributes.js";
import { runSchedules } from "../../workers/schedules.js";
import type { Caller } from "../support/caller.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { openService, type TestService } from "../support/service.js";
import { until } from "../support/until.js";

const { INDEXED_VALUE_TYPE_INT, INDEXED_VALUE_TYPE_KEYWORD } = proto.temporal.api.enums.v1.IndexedValueType;

describe("search attributes", function () {
  this.timeout(120_000);
  const namespace = `ns-${randomUUID()}`;
  let connection: Connection;
  let service: TestService;
  let picker: Caller;
  let warehouse_id: number;

  const registered = async () =>
    Object.keys((await connection.operatorService.listSearchAttributes({ namespace })).customAttributes);
  const missing = async () => (await service.anyone.get("/api/ready")).body.missing ?? [];

  before(async () => {
    connection = await Connection.connect({ address: process.env.TEST_TEMPORAL_ADDRESS as string });
    await newNamespace(connection, namespace);
    // A namespace has room for three numbers: so no worker can add ours.
    const others = { A: INDEXED_VALUE_TYPE_INT, B: INDEXED_VALUE_TYPE_INT, C: INDEXED_VALUE_TYPE_INT };
    await until(() =>
      connection.operatorService.addSearchAttributes({ namespace, searchAttributes: others }).then(
        () => true,
        () => false,
      ),
    );
    await until(async () => (await registered()).includes("C"), 30_000);
    service = await openService({ worker: true, env: { TEMPORAL_NAMESPACE: namespace } });
    warehouse_id = await warehouse();
    picker = await service.user({ warehouse_ids: [warehouse_id] });
  });
  after(async () => {
    await service?.close();
    await connection?.close();
  });

  it("that the server has no room for are named by readiness", async () => {
    await until(async () => !(await missing()).includes("worker"), 30_000);
    assert.deepEqual(
      await missing(),
      ["WarehouseId", "BatchId", "CountId"].map((name) => `search attribute ${name}`),
    );
  });

  it("are left out by the processes where they are missing", async () => {
    const { item_id, bin_id, batch_id } = await pickedWave(picker, warehouse_id);
    await picker.ok("POST", "/api/picking/complete-batch", { batch_id });
    const { counts } = await picker.ok("POST", "/api/inventory/cycle-count/create", {
      warehouse_id,
      bin_ids: [bin_id],
    });
    await picker.ok("POST", "/api/inventory/cycle-count/submit", {
      count_id: counts[0].count_id,
      lines: [{ item_id, counted_quantity: 1, unexpected: true }],
    });
  });

  it("that are gone are registered again by a running worker", async () => {
    await connection.operatorService.removeSearchAttributes({ namespace, searchAttributes: ["SoNumbers"] });
    await until(async () => (await missing()).includes("search attribute SoNumbers"), 30_000);
    const schedules = runSchedules(temporalClient(), service.config);
    try {
      await until(async () => !(await missing()).includes("search attribute SoNumbers"), 30_000);
    } finally {
      await schedules.stop();
    }
  });

  it("are the same in the list, the compose file and the operations page", () => {
    const typeNames = { INT: "Int", KEYWORD: "Keyword", KEYWORD_LIST: "KeywordList" };
    const ours = searchAttributes.map(({ name, type }) => `${name}=${typeNames[type]}`);
    for (const file of ["docker-compose.yml", "docs/operations.md"]) {
      const named = readFileSync(file, "utf8").match(/\b[A-Z]\w+=(Int|Keyword|KeywordList)\b/g);
      assert.deepEqual(named, ours, file);
    }
  });
});

describe("search attributes that are removed while a wave runs", function () {
  this.timeout(180_000);
  const namespace = `ns-${randomUUID()}`;
  let connection: Connection;
  let service: TestService;
  let picker: Caller;
  let warehouse_id: number;
  before(async () => {
    connection = await Connection.connect({ address: process.env.TEST_TEMPORAL_ADDRESS as string });
    await newNamespace(connection, namespace);
    service = await openService({ worker: true, env: { TEMPORAL_NAMESPACE: namespace } });
    warehouse_id = await warehouse();
    picker = await service.user({ warehouse_ids: [warehouse_id] });
    await until(async () => (await service.anyone.get("/api/ready")).status === 200, 30_000);
  });
  after(async () => {
    await service?.close();
    await connection?.close();
  });

  async function picked() {
    const { batch_id } = await pickedWave(picker, warehouse_id);
    return { batch_id, workflow: temporalClient().workflow.getHandle(waveWorkflowId(batch_id)) };
  }

  /** One whose start has set its attributes: right after it was made, the server does not know those of a namespace. */
  async function attributed() {
    for (;;) {
      const wave = await picked();
      const [start] = (await wave.workflow.fetchHistory()).events ?? [];
      if (start?.workflowExecutionStartedEventAttributes?.searchAttributes?.indexedFields?.Stage) return wave;
      await pause(500);
    }
  }

  const remove = (name: string) =>
    connection.operatorService.removeSearchAttributes({ namespace, searchAttributes: [name] });
  const fieldOf = async (name: string) => {
    const { config } = await connection.workflowService.describeNamespace({ namespace });
    const found = Object.entries(config?.customSearchAttributeAliases ?? {}).find(([, alias]) => alias === name);
    return found?.[0];
  };
  /** Removes it, and has the server keep it elsewhere when it is added again: what workflows had set is lost. */
  async function removeForGood(name: string): Promise<void> {
    const before = await fieldOf(name);
    await remove(name);
    const others = { One: INDEXED_VALUE_TYPE_KEYWORD, Two: INDEXED_VALUE_TYPE_KEYWORD };
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: others });
    await until(async () => Boolean((await fieldOf("One")) && (await fieldOf("Two"))), 30_000);
    await remove((await fieldOf("One")) === before ? "Two" : "One");
  }

  it("hold it up as long as they are gone, and no longer", async () => {
    const { batch_id, workflow } = await attributed();
    const task = async () => (await workflow.describe()).raw.pendingWorkflowTask;
    await removeForGood("Stage");
    // Scans that change the stage, until the server refuses a task for it.
    for (let left = 1; ((await task())?.attempt ?? 1) < 2; left = 1 - left) {
      await workflow.signal("scanned", [{ sku: "MUG", remaining_tasks: left }]);
      await pause(250);
    }
    const schedules = runSchedules(temporalClient(), service.config);
    try {
      await until(async () => !(await task()), 60_000);
    } finally {
      await schedules.stop();
    }
    await picker.ok("POST", "/api/picking/complete-batch", { batch_id });
    assert.equal(((await workflow.result()) as { ended: string }).ended, "completed");
  });
});

/** Makes a namespace, and waits until it is known. */
async function newNamespace(connection: Connection, namespace: string): Promise<void> {
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  });
  const known = () => connection.operatorService.listSearchAttributes({ namespace });
  await until(() => known().then(Boolean, () => false), 30_000);
}

/** A wave of one task that is picked. */
async function pickedWave(picker: Caller, warehouse_id: number) {
  const { item_id, sku } = await item();
  const bin_id = await bin(warehouse_id);
  await stock(warehouse_id, bin_id, item_id, 5);
  const { so_id } = await salesOrder(warehouse_id, [{ item_id, quantity: 5 }]);
  const { batch_id, first_pick } = await picker.ok("POST", "/api/picking/wave-create", {
    so_ids: [so_id],
    warehouse_id,
  });
  const { pick_task_id } = first_pick;
  await picker.ok("POST", "/api/picking/confirm", { pick_task_id, scanned_barcode: sku, quantity_picked: 5 });
  return { item_id, bin_id, batch_id: batch_id as number };
}
