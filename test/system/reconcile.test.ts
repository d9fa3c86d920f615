import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { taskQueue, temporalClient } from "../../api/http/workflow-updates.js";
import { maintenanceQueue } from "../../src/platform/temporal/maintenance.js";
import { transferWorkflowId } from "../../src/transfers/workflow.js";
import { startMissing } from "../../workers/reconcile.js";
import { RunningWorkflows } from "../../workers/running-workflows.js";
import { isOverdue, runSchedules } from "../../workers/schedules.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { Scanner } from "../support/scanner.js";
import { testService } from "../support/service.js";
import { newTransfer, openApproval, pickTransfer, twoHouses } from "../support/transfer-walks.js";
import { TRANSFERS } from "../support/transfers.js";
import { until } from "../support/until.js";
import { actor } from "../support/walk.js";

describe("reconciling", () => {
  const service = testService({ worker: true });
  let warehouse_id: number;
  let counter: Scanner;
  before(async () => {
    warehouse_id = await warehouse();
    counter = new Scanner(await service.user({ warehouse_ids: [warehouse_id] }));
  });
  afterEach(() => assertInvariants());

  /** A wave of a picker of its own, half of it walked. */
  async function wave() {
    const goods = await item();
    const picker = new Scanner(await service.user({ warehouse_ids: [warehouse_id] }));
    await stock(warehouse_id, await bin(warehouse_id), goods.item_id, 20);
    const { so_id } = await salesOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 5 }]);
    const { batch_id, first_pick } = await picker.post("/api/picking/wave-create", { so_ids: [so_id], warehouse_id });
    const id = `pick-wave-${batch_id}`;
    const complete = async () => {
      await picker.post("/api/picking/confirm", {
        pick_task_id: first_pick.pick_task_id,
        scanned_barcode: goods.upc,
        quantity_picked: 5,
      });
      await picker.post("/api/picking/complete-batch", { batch_id });
      return endOf(id);
    };
    return { id, complete };
  }

  /** A count of a bin with 5 units; when `found` is said, it was submitted. */
  async function count(found?: number) {
    const bin_id = await bin(warehouse_id);
    await stock(warehouse_id, bin_id, (await item()).item_id, 5);
    const path = "/api/inventory/cycle-count";
    const { counts } = await counter.post(`${path}/create`, { warehouse_id, bin_ids: [bin_id] });
    const { count_id } = counts[0];
    const id = `cycle-count-${count_id}`;
    const submit = async (counted_quantity: number) => {
      const { lines } = await counter.get(`${path}/${count_id}`);
      await counter.post(`${path}/submit`, {
        count_id,
        lines: [{ count_line_id: lines[0].count_line_id, counted_quantity }],
      });
    };
    if (found !== undefined) await submit(found);
    const complete = async () => {
      await submit(5);
      return endOf(id);
    };
    return { id, complete };
  }

  const handle = (id: string) => temporalClient().workflow.getHandle(id);
  const endOf = async (id: string) => ((await handle(id).result()) as { ended: string }).ended;
  const statusOf = async (id: string) =>
    handle(id)
      .describe()
      .then(
        ({ status }) => status.name,
        () => "GONE",
      );
  const run = async () =>
    (
      (await temporalClient().workflow.execute("maintenance", {
        workflowId: `reconcile-${randomUUID()}`,
        taskQueue,
        args: ["reconcile"],
      })) as { started: string[] }
    ).started;
  /** Until the engine's list, which lags a little, shows what was lost. */
  const runUntilRunning = (ids: string[]) =>
    until(async () => {
      await run();
      const statuses = await Promise.all(ids.map(statusOf));
      return statuses.every((status) => status === "RUNNING");
    });
  const forget = (workflowId: string) =>
    temporalClient().workflowService.deleteWorkflowExecution({
      namespace: service.config.temporalNamespace,
      workflowExecution: { workflowId },
    });

  it("gives lost waves and counts a process from their rows, and they go on to their ends", async () => {
    const waves = [await wave(), await wave(), await wave()] as const;
    const counts = [await count(), await count()] as const;
    const differing = await count(3);
    const lost = [...waves, ...counts, differing].map(({ id }) => id);
    await handle(waves[0].id).terminate("lost");
    await handle(counts[0].id).terminate("lost");
    for (const id of [waves[1].id, waves[2].id, counts[1].id, differing.id]) {
      await forget(id);
      await until(async () => (await statusOf(id)) === "GONE");
    }
    await runUntilRunning(lost);
    for (const { complete } of waves) assert.equal(await complete(), "completed");
    for (const { complete } of counts) assert.equal(await complete(), "no variance");
    await handle(differing.id).executeUpdate("reject", { args: [actor(service.admin)] });
    assert.equal(await endOf(differing.id), "rejected");
  });

  it("gives lost transfer orders a process from their rows, in whatever stage they are", async () => {
    const houses = await twoHouses();
    const approver = await service.user({ role: "ADMIN" });
    const create = async () => (await service.admin.ok("POST", TRANSFERS, newTransfer(houses))).to_id as number;
    const [waiting, picked] = [await create(), await create()];
    const batch_id = await pickTransfer(service.admin, picked);
    await service.admin.ok("POST", "/api/picking/complete-batch", { batch_id });
    const ids = [waiting, picked].map(transferWorkflowId);
    await handle(ids[0] as string).terminate("lost");
    await forget(ids[1] as string);
    await until(async () => (await statusOf(ids[1] as string)) === "GONE");
    await runUntilRunning(ids);
    await service.admin.ok("POST", `${TRANSFERS}/${waiting}/cancel`);
    await approver.ok("POST", `${TRANSFERS}/${picked}/approvals/${await openApproval(picked)}/approve`);
    assert.deepEqual(await Promise.all(ids.map(endOf)), ["cancelled", "closed"]);
    const started = await run();
    assert.ok(ids.every((id) => !started.includes(id)));
  });

  it("leaves alone what runs and what has ended", async () => {
    const [running, ended] = [await wave(), await count(5)];
    assert.equal(await endOf(ended.id), "no variance");
    const { runId } = await handle(running.id).describe();
    const started = await run();
    assert.ok(!started.includes(ended.id));
    assert.equal((await handle(running.id).describe()).runId, runId);
    assert.equal(await running.complete(), "completed");
  });

  describe("on its schedule", () => {
    const SCHEDULE = "maintenance-reconcile";
    const schedule = () => temporalClient().schedule.getHandle(SCHEDULE);
    // Two jobs of once a day, as no hour may end while they are looked at, and the one that is set up last.
    const daily = ["maintenance-retention", "maintenance-inbound-retention"];
    const last = "maintenance-snapshot-cleanup";
    const forgetSchedules = async () => {
      for (const id of [SCHEDULE, ...daily, last])
        await temporalClient()
          .schedule.getHandle(id)
          .delete()
          .catch(() => {});
    };
    // All files share one engine: another file's workers may have left theirs.
    beforeEach(forgetSchedules);
    after(forgetSchedules);

    it("runs every minute, and at once when a worker starts", async () => {
      const lost = await count();
      await handle(lost.id).terminate("lost");
      const schedules = runSchedules(temporalClient(), service.config);
      try {
        await until(async () => (await statusOf(lost.id)) === "RUNNING");
        const { spec, policies, action } = await schedule().describe();
        assert.deepEqual([spec.intervals?.[0]?.every, policies.overlap], [60_000, "SKIP"]);
        assert.deepEqual([action.workflowType, action.args], ["maintenance", ["reconcile"]]);
      } finally {
        await schedules.stop();
      }
    });

    it("runs what is overdue, and nothing else, when a worker starts where the schedules are", async () => {
      const others = [...daily, last].map((id) => temporalClient().schedule.getHandle(id));
      const ofDaily = others.slice(0, -1);
      const taken = async () => Promise.all(ofDaily.map(async (of) => (await of.describe()).info.numActionsTaken));
      const wasHere = runSchedules(temporalClient(), service.config);
      await until(async () => (await taken().catch(() => [0])).every((count) => count > 0));
      await until(async () =>
        Boolean(
          await others
            .at(-1)
            ?.describe()
            .catch(() => undefined),
        ),
      );
      await wasHere.stop();
      const before = await taken();
      for (const of of others)
        await of.update(({ action, ...rest }) => ({ ...rest, action: { ...action, args: ["as before"] } as never }));
      const restarted = runSchedules(temporalClient(), service.config);
      try {
        // Jobs are looked at one after the other, this one last.
        await until(async () => (await others.at(-1)?.describe())?.action.args?.[0] === "snapshot-cleanup");
      } finally {
        await restarted.stop();
      }
      assert.deepEqual(await taken(), before);
      const minute = 60_000;
      const at = (ago: number) => ({ takenAt: new Date(Date.now() - ago) }) as never;
      const old = { createdAt: new Date(0) };
      assert.ok(!isOverdue({ ...old, recentActions: [at(3 * minute), at(minute / 2)] }, minute));
      assert.ok(isOverdue({ ...old, recentActions: [at(3 * minute), at(2 * minute)] }, minute));
      assert.ok(isOverdue({ ...old, recentActions: [] }, minute));
      assert.ok(!isOverdue({ createdAt: new Date(), recentActions: [] }, minute));
    });

    it("does not wait for a run that another version left and no worker of this one knows", async () => {
      const lost = await count();
      await handle(lost.id).terminate("lost");
      await temporalClient().schedule.create({
        scheduleId: SCHEDULE,
        spec: { intervals: [{ every: "1 minute" }] },
        state: { triggerImmediately: true },
        action: {
          ...{ type: "startWorkflow", workflowType: "reconcile", workflowId: SCHEDULE },
          taskQueue: maintenanceQueue(taskQueue),
        },
      });
      const lastRun = async () => (await schedule().describe()).info.recentActions.at(-1)?.action.workflow;
      await until(async () => (await lastRun()) !== undefined);
      const { workflowId = "", firstExecutionRunId } = (await lastRun()) ?? {};
      const left = temporalClient().workflow.getHandle(workflowId, firstExecutionRunId);
      assert.equal((await left.describe()).status.name, "RUNNING");
      const newer = runSchedules(temporalClient(), service.config);
      try {
        await until(async () => (await statusOf(lost.id)) === "RUNNING");
        assert.equal((await left.describe()).status.name, "TERMINATED");
      } finally {
        await newer.stop();
      }
    });

    it("is brought up to date by a newer worker, and stays paused where somebody paused it", async () => {
      await temporalClient().schedule.create({
        scheduleId: SCHEDULE,
        spec: { intervals: [{ every: "1 day" }] },
        state: { paused: true },
        // As another version has it.
        action: { type: "startWorkflow", workflowType: "reconcile", taskQueue: "a queue that is no more" },
      });
      const newer = runSchedules(temporalClient(), service.config);
      try {
        await until(async () => {
          const { action } = await schedule().describe();
          return action.taskQueue === maintenanceQueue(taskQueue);
        });
        const { action, spec, state } = await schedule().describe();
        assert.deepEqual([action.workflowType, action.args, state.paused], ["maintenance", ["reconcile"], true]);
        assert.equal(spec.intervals?.[0]?.every, 60_000);
      } finally {
        await newer.stop();
      }
    });
  });

  /** The lists that Temporal is asked for: of all that runs, of what ended, or of what began. */
  async function lists(during: () => Promise<unknown>): Promise<string[]> {
    const { workflow } = temporalClient();
    const list = workflow.list.bind(workflow);
    const asked: string[] = [];
    workflow.list = (options) => {
      const query = `${options?.query}`;
      asked.push(/StartTime >= /.test(query) ? "begun" : /!= "Running"/.test(query) ? "ended" : "all");
      return list(options);
    };
    try {
      await during();
    } finally {
      workflow.list = list;
    }
    return asked;
  }

  it("asks Temporal for its list once, then for what began and ended, and for all where some were lost", async () => {
    const running = new RunningWorkflows();
    const reconcile = () => startMissing(temporalClient(), service.config, running);
    const first = await count();
    assert.deepEqual(await lists(reconcile), ["all"]);
    assert.deepEqual(await lists(reconcile), ["ended", "begun"]);
    const [second, third] = [await count(), await count()];
    const now = async () => (await running.now(temporalClient())).map(({ workflowId }) => workflowId);
    const shows = async (...ids: string[]) => {
      const ours = [first, second, third].map(({ id }) => id);
      await until(async () => `${(await now()).filter((id) => ours.includes(id)).sort()}` === `${ids.sort()}`);
    };
    await shows(first.id, second.id, third.id);
    await handle(first.id).terminate("lost");
    await second.complete();
    await shows(third.id);
    await reconcile();
    await shows(first.id, third.id);

    const earlier = new RunningWorkflows(0);
    await earlier.now(temporalClient());
    await forget(third.id);
    await until(async () => (await temporalClient().workflow.count(`WorkflowId = "${third.id}"`)).count === 0);
    assert.deepEqual(await lists(() => earlier.now(temporalClient())), ["ended", "begun", "all"]);
  });
});
