import assert from "node:assert/strict";
import proto from "@temporalio/proto";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { waveWorkflowId } from "../../src/picking/wave.js";
import { readConfig } from "../../src/platform/config/config.js";
import { returnWorkflowId } from "../../src/returns/workflow.js";
import { transferWorkflowId } from "../../src/transfers/workflow.js";
import { deploymentVersion, makeCurrent } from "../../workers/deployment.js";
import { startMissing } from "../../workers/reconcile.js";
import { type RunningWorker, startWorker } from "../../workers/worker.js";
import type { Caller } from "../support/caller.js";
import { commandOf } from "../support/compose.js";
import { bin, item, salesOrder, shippedOrder, stock, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { roleEnv, runRole } from "../support/roles.js";
import { LONG_HISTORY } from "../support/servers.js";
import { stopWorker, testService } from "../support/service.js";
import { newTransfer, type TwoHouses, twoHouses } from "../support/transfer-walks.js";
import { TRANSFERS } from "../support/transfers.js";
import { until } from "../support/until.js";
import { inThisThread } from "../support/workflow-thread.js";

const { TaskQueueType } = proto.temporal.api.enums.v1;

/** Temporal tells its task queues of a version by workflows of its own. */
const BY_TEMPORAL_MS = 60_000;

describe("Worker Versioning", function () {
  this.timeout(240_000);
  const workers = new Map<string, RunningWorker>();
  after(async () => {
    for (const worker of workers.values()) await stopWorker(worker);
  });
  const service = testService({ env: { SERVICE_WORKER_VERSIONING: "true" } });
  /** The build of this checkout, and the one after it. */
  let older: string;
  const newer = "9.9.9-newer";
  let warehouse_id: number;
  let houses: TwoHouses;
  let goods: Awaited<ReturnType<typeof item>>;
  before(async () => {
    older = deploymentVersion(service.config).buildId;
    warehouse_id = await warehouse();
    houses = await twoHouses();
    goods = await item();
    await stock(warehouse_id, await bin(warehouse_id), goods.item_id, 1_000);
  });
  afterEach(() => assertInvariants());

  const workflowService = () => temporalClient().workflowService;
  const deployment = () => ({
    namespace: service.config.temporalNamespace,
    deploymentName: deploymentVersion(service.config).deploymentName,
  });
  const versionOf = (buildId: string) => ({ deploymentName: deployment().deploymentName, buildId });

  async function start(buildId: string): Promise<void> {
    const version = versionOf(buildId);
    workers.set(
      buildId,
      await startWorker(service.config, {
        ...inThisThread,
        workerDeploymentOptions: { version, useWorkerVersioning: true, defaultVersioningBehavior: "AUTO_UPGRADE" },
      }),
    );
    await until(() => makeCurrent(temporalClient(), version, "worker"), BY_TEMPORAL_MS);
  }
  async function stop(buildId: string): Promise<void> {
    await stopWorker(workers.get(buildId) as RunningWorker);
    workers.delete(buildId);
  }
  /** The build that the floor's task queue gives new workflows to. */
  async function current(): Promise<string | null | undefined> {
    const { versioningInfo } = await workflowService().describeTaskQueue({
      namespace: deployment().namespace,
      taskQueue: { name: service.config.temporalTaskQueue },
      taskQueueType: TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
    });
    return versioningInfo?.currentDeploymentVersion?.buildId;
  }
  const becomes = (buildId?: string) => until(async () => (await current()) === buildId, BY_TEMPORAL_MS);
  async function makeAgain(buildId: string): Promise<void> {
    await makeCurrent(temporalClient(), versionOf(buildId), "migrate");
    await becomes(buildId);
  }
  /** As `temporal workflow update-options --versioning-override-behavior auto_upgrade` does it. */
  const moveToCurrent = (workflowId: string) =>
    workflowService().updateWorkflowExecutionOptions({
      namespace: deployment().namespace,
      workflowExecution: { workflowId },
      workflowExecutionOptions: { versioningOverride: { autoUpgrade: true } },
      updateMask: { paths: ["versioning_override"] },
    });
  const turnOff = () => workflowService().setWorkerDeploymentCurrentVersion({ ...deployment(), buildId: "" });

  /** The builds that did the steps of a process, in order. */
  async function buildsOf(workflowId: string): Promise<string[]> {
    const { events } = await temporalClient().workflow.getHandle(workflowId).fetchHistory();
    const builds = (events ?? []).flatMap(({ workflowTaskCompletedEventAttributes: done }) =>
      done ? [`${done.deploymentVersion?.buildId ?? done.workerVersion?.buildId}`] : [],
    );
    return builds.filter((build, i) => build !== builds[i - 1]);
  }

  interface Wave {
    picker: Caller;
    batch_id: number;
    id: string;
  }
  /** A wave that is picked and not completed. */
  async function wave(): Promise<Wave> {
    const picker = await service.user({ warehouse_ids: [warehouse_id] });
    const { so_id } = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 2 }]);
    const begun = await picker.ok("POST", "/api/picking/wave-create", { so_ids: [so_id], warehouse_id });
    const { batch_id, first_pick } = begun;
    const scan = { pick_task_id: first_pick.pick_task_id, scanned_barcode: goods.upc, quantity_picked: 2 };
    await picker.ok("POST", "/api/picking/confirm", scan);
    return { picker, batch_id, id: waveWorkflowId(batch_id) };
  }
  /** Under a key, as scanners ask again. */
  const complete = async ({ picker, batch_id, id }: Wave) =>
    (await picker.with({ "idempotency-key": id }).post("/api/picking/complete-batch", { batch_id })).status;
  const transfer = async () => (await service.admin.ok("POST", TRANSFERS, newTransfer(houses))).to_id as number;
  const cancel = (to_id: number) => service.admin.ok("POST", `${TRANSFERS}/${to_id}/cancel`);
  const orderPath = (so_id: number, action: string) => `/api/admin/sales-orders/${so_id}/${action}`;

  it("makes the first version the current one, once it polls", async () => {
    await start(older);
    await becomes(older);
    await until(async () => (await service.anyone.get("/api/ready")).status === 200);
  });

  it("lets the version that began a wave end it, and all else go on with the current one", async () => {
    const early = await wave();
    const to_id = await transfer();
    const { so_id: shipped } = await shippedOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 1 }]);
    const lines = [{ item_id: goods.item_id, quantity: 1 }];
    const { so_id } = await service.admin.ok("POST", orderPath(shipped, "create-rma"), { lines });
    await start(newer);
    await becomes(newer);

    const late = await wave();
    assert.equal(await complete(early), 200);
    assert.equal(await complete(late), 200);
    await cancel(to_id);
    await service.admin.ok("POST", orderPath(so_id, "void-return"));
    assert.deepEqual(await buildsOf(early.id), [older]);
    assert.deepEqual(await buildsOf(late.id), [newer]);
    assert.deepEqual(await buildsOf(transferWorkflowId(to_id)), [older, newer]);
    assert.deepEqual(await buildsOf(returnWorkflowId(so_id)), [older, newer]);
  });

  it("stays as it is when a worker of the version before starts again", async () => {
    await stop(older);
    await start(older);
    assert.equal(await current(), newer);
  });

  it("goes back when `migrate` of the version before runs, and forward again", async () => {
    const to_id = await transfer();
    const env = { SERVICE_WORKER_VERSIONING: "true", TEMPORAL_TASK_QUEUE: service.config.temporalTaskQueue };
    const migrate = () => runRole(commandOf("migrate"), roleEnv(service.config.databaseUrl, env));
    assert.equal(await migrate(), 0);
    await becomes(older);
    await cancel(to_id);
    assert.deepEqual(await buildsOf(transferWorkflowId(to_id)), [newer, older]);
    assert.equal(await migrate(), 0);
    assert.equal(await current(), older);
    await makeAgain(newer);
  });

  it("lets a wave whose history grew long go on with the current version", async () => {
    await makeAgain(older);
    const long = await wave();
    await makeAgain(newer);
    const handle = temporalClient().workflow.getHandle(long.id);
    for (let sent = 0; sent < LONG_HISTORY; sent += 40)
      await Promise.all(Array.from({ length: 40 }, () => handle.signal("scanned", [])));
    await until(async () => (await buildsOf(long.id)).join() === newer);
    assert.equal(await complete(long), 200);
    assert.deepEqual(await buildsOf(long.id), [newer]);
  });

  it("keeps a wave whose version has no workers until one is there, or it is moved", async () => {
    await makeAgain(older);
    const [stays, moves] = [await wave(), await wave()];
    await makeAgain(newer);
    await stop(older);
    assert.deepEqual(await Promise.all([stays, moves].map(complete)), [503, 503]);
    const { started } = await startMissing(temporalClient(), service.config);
    assert.deepEqual(started, []);

    const version = `${deployment().deploymentName}:${older}`;
    const waiting = `WorkflowType="pickWave" and TemporalWorkerDeploymentVersion="${version}"`;
    const query = `${waiting} and ExecutionStatus="Running"`;
    await until(async () => (await temporalClient().workflow.count(query)).count === 2);
    await moveToCurrent(moves.id);
    await until(async () => (await complete(moves)) === 200, 30_000);
    assert.deepEqual(await buildsOf(moves.id), [older, newer]);
    await start(older);
    await until(async () => (await complete(stays)) === 200, 30_000);
    assert.deepEqual(await buildsOf(stays.id), [older]);
    for (const { id } of [stays, moves])
      assert.equal((await temporalClient().workflow.getHandle(id).describe()).status.name, "COMPLETED");
  });

  it("is switched off once no version is current, and on again, while processes run", async () => {
    const byDefault = readConfig({}, "all").workerVersioning;
    assert.equal(byDefault, false);
    const [pinned, to_id] = [await wave(), await transfer()];
    await turnOff();
    await becomes(undefined);
    await stop(newer);
    await stop(older);
    workers.set("off", await startWorker({ ...service.config, workerVersioning: byDefault }, inThisThread));
    const unversioned = await wave();
    await moveToCurrent(pinned.id);
    await until(async () => (await complete(pinned)) === 200, 30_000);
    await cancel(to_id);

    const again = "9.9.10-again";
    await stop("off");
    await start(again);
    await becomes(again);
    assert.equal(await complete(unversioned), 200);
    const [, by] = await buildsOf(unversioned.id);
    assert.equal(by, again);
    await stop(again);
  });
});
