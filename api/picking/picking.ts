import { z } from "zod";
import { cancelWave, completeWave } from "../../activities/picking/index.js";
import * as activities from "../../activities/picking/scan.js";
import { takeBatch } from "../../activities/picking/take-batch.js";
import { withdrawPastSale } from "../../activities/sales-orders/withdraw-past-sale.js";
import { countWorkflowId } from "../../src/counting/workflow.js";
import { LeaseLost } from "../../src/picking/leases/problems.js";
import {
  BatchNotActive,
  BatchNotFound,
  BatchWaits,
  LotExpiresLater,
  LotNotFree,
  NoSuchTask,
  NotTransferBatch,
  PicksMoreThanTask,
  SilentShortfall,
  TaskNotFound,
  TaskNotPending,
  TasksPending,
  TransferOverPick,
  UnitsPastSale,
  UnknownBatch,
  WrongItem,
  WrongLot,
} from "../../src/picking/problems.js";
import { activeBatch, batchHeader, batchWithOrders } from "../../src/picking/queries.js";
import {
  ActiveBatch,
  BatchInBody,
  CompletedBatch,
  ConfirmedPick,
  NextPickTask,
  PickBatch,
  PickConfirmation,
  RecordedShortPick,
  ShortPickReport,
  TakenBatch,
} from "../../src/picking/shapes.js";
import { nextPick, tasksOf } from "../../src/picking/tasks.js";
import { type Scan, waveWorkflowId } from "../../src/picking/wave.js";
import { taskToExplain, whyPick } from "../../src/picking/why.js";
import { WhyPick } from "../../src/picking/why-shapes.js";
import { checkWarehouse } from "../../src/platform/actor.js";
import { db } from "../../src/platform/db/db.js";
import * as field from "../../src/platform/fields/index.js";
import { Message, QueryInt } from "../../src/platform/fields.js";
import { WorkflowEngineUnavailable } from "../../src/platform/problem.js";
import { OrderHeld } from "../../src/sales-orders/holds.js";
import type * as count from "../../workflows/cycle-count.js";
import type * as wave from "../../workflows/pick-wave.js";
import { workflowsUrl } from "../http/options.js";
import { floor, route } from "../http/route.js";
import { signalSoon } from "../http/workflow-signals.js";
import { startFromRows, type WorkflowCall } from "../http/workflow-updates.js";
import { updateWave } from "./wave-update.js";

/**
 * Picking a batch: docs/interface.md, Picking. Completing and cancelling are updates of the workflow `pickWave`; scans
 * write the rows directly and are signalled to it.
 */

const BatchPath = z.strictObject({ batch_id: field.BatchIdParam });

export const getActivePickBatch = route("get /api/picking/active-batch", {
  for: floor("pick"),
  summary: "The batch that the caller is picking",
  answers: {
    200: z.union([z.strictObject({ active: z.literal(false).describe("That there is none.") }), ActiveBatch]),
  },
  run: async ({ by }) => {
    const batch = await activeBatch(by.userId);
    return batch ? { active: true as const, ...batch } : { active: false as const };
  },
});

export const getPickBatch = route("get /api/picking/batch/:batch_id", {
  for: floor("pick"),
  summary: "A batch with its orders, and its tasks in the order of picking",
  params: BatchPath,
  answers: { 200: PickBatch },
  errors: [BatchNotFound],
  run: async ({ params, by, options }) => {
    const batch = await batchWithOrders(params.batch_id);
    if (!batch) throw BatchNotFound();
    checkWarehouse(by, batch.warehouse_id);
    return {
      ...batch,
      tasks: await tasksOf(db, params.batch_id),
      workflow_id: waveWorkflowId(params.batch_id),
      workflows_url: workflowsUrl(options),
    };
  },
});

export const getNextPickTask = route("get /api/picking/batch/:batch_id/next", {
  for: floor("pick"),
  summary: "The next pending task of a batch",
  params: BatchPath,
  answers: { 200: z.union([NextPickTask, Message]) },
  run: async ({ params, by }) => {
    const batch = await batchHeader(params.batch_id);
    if (batch) checkWarehouse(by, batch.warehouse_id);
    const next = batch && (await nextPick(db, params.batch_id));
    // Scanners compare this exact text (docs/interface.md, What stays as it was).
    return next ?? { message: "All tasks complete" };
  },
});

export const getWhyPickTask = route("get /api/picking/tasks/:pick_task_id/why", {
  for: floor("pick"),
  summary: "Why a pending task goes to its bin and lot, and why other units of the item are not picked",
  params: z.strictObject({ pick_task_id: QueryInt.describe("Id of the pick task, by which routes name it.") }),
  answers: { 200: WhyPick },
  errors: [NoSuchTask, TaskNotPending],
  run: async ({ params, by }) => {
    const task = await taskToExplain(params.pick_task_id);
    if (!task) throw NoSuchTask();
    const { warehouse_id, status } = task;
    checkWarehouse(by, warehouse_id);
    if (status !== "PENDING") throw TaskNotPending({ status });
    return whyPick(task);
  },
});

export const takePickBatch = route("post /api/picking/batch/:batch_id/take", {
  for: floor("pick"),
  summary: "Takes over the batch of a transfer order that somebody else began",
  params: BatchPath,
  answers: { 200: TakenBatch },
  errors: [BatchNotFound, BatchNotActive, NotTransferBatch],
  run: ({ params, by }) => takeBatch(params.batch_id, by),
});

/** Signals a committed scan to the workflow of its wave. */
function signalScan(res: WorkflowCall["res"], batchId: number, scan: Scan): void {
  const workflowId = waveWorkflowId(batchId);
  signalSoon<typeof wave.scanned>({ res }, workflowId, "scanned", scan);
}

export const confirmPick = route("post /api/picking/confirm", {
  for: floor("pick"),
  summary: "Confirms a pick by scanning the item",
  body: PickConfirmation,
  answers: { 200: ConfirmedPick },
  errors: [
    ...[TaskNotFound, TaskNotPending, BatchWaits, OrderHeld, WrongItem, WrongLot, LotExpiresLater, LotNotFree],
    ...[PicksMoreThanTask, TransferOverPick, UnitsPastSale, LeaseLost],
  ],
  run: async ({ body, by, res }) => {
    const { batch_id, ...answer } = await withdrawPastSale(activities.confirmPick(body, by));
    signalScan(res, batch_id, { ...answer.task, remaining_tasks: answer.remaining_tasks, by: by.username });
    return answer;
  },
});

export const reportShortPick = route("post /api/picking/short", {
  for: floor("pick"),
  summary: "Reports that a bin holds less than the task asks for; the rest is offered from other bins",
  body: ShortPickReport,
  answers: { 200: RecordedShortPick },
  errors: [TaskNotFound, TaskNotPending, BatchWaits, PicksMoreThanTask, TransferOverPick, UnitsPastSale, LeaseLost],
  run: async ({ body, by, res }) => {
    const short = await withdrawPastSale(activities.shortPick(body, by));
    const { batch_id, warehouse_id: warehouseId, remaining_tasks, ...answer } = short;
    const { count_id } = answer;
    if (count_id)
      startFromRows<typeof count.cycleCount>("cycleCount", countWorkflowId(count_id), {
        args: [count_id, by],
        warehouseId,
      });
    signalScan(res, batch_id, { ...answer.task, remaining_tasks, by: by.username });
    return answer;
  },
});

export const completePickBatch = route("post /api/picking/complete-batch", {
  for: floor("pick"),
  summary: "Completes a batch: its orders are picked",
  body: BatchInBody,
  answers: { 200: CompletedBatch },
  errors: [UnknownBatch, BatchNotActive, TasksPending, SilentShortfall, WorkflowEngineUnavailable],
  run: ({ body, by, res }) => updateWave({ by, res }, body.batch_id, "complete", completeWave),
});

export const cancelPickBatch = route("post /api/picking/cancel-batch", {
  for: floor("pick"),
  destructive: true,
  summary: "Cancels a batch: its picks are returned to their bins and its orders stay open",
  body: BatchInBody,
  answers: { 200: Message },
  errors: [BatchNotFound, BatchNotActive, WorkflowEngineUnavailable],
  run: ({ body, by, res }) => updateWave({ by, res }, body.batch_id, "cancel", cancelWave),
});
