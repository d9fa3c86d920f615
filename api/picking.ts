import { z } from "zod";
import { cancelWave, completeWave } from "../activities/picking/index.js";
import { confirmPick, shortPick } from "../activities/picking/scan.js";
import { checkWarehouse } from "../src/actor.js";
import { db } from "../src/db.js";
import {
  BatchNotActive,
  BatchNotFound,
  PicksMoreThanTask,
  SilentShortfall,
  TaskNotFound,
  TaskNotPending,
  TasksPending,
  UnknownBatch,
  WrongItem,
} from "../src/picking/problems.js";
import {
  activeBatch,
  batchHeader,
  batchWithOrders,
  nextPick,
  tasksOf,
} from "../src/picking/queries.js";
import { type Scan, waveWorkflowId } from "../src/picking/wave.js";
import { EngineUnavailable } from "../src/problem.js";
import type * as wave from "../workflows/pick-wave.js";
import {
  Barcode,
  Id,
  Message,
  Quantity,
  QueryInt,
  Time,
  Units,
} from "./fields.js";
import { kind, NextTask, salesOrders, Task, Tote } from "./pick-tasks.js";
import type { Asking } from "./process.js";
import { floor, route } from "./route.js";
import { tell } from "./signals.js";
import { stepOf } from "./wave-step.js";

/** The walk itself: spec 4.5, reference 02 §5. Steps of the walk go through its `pickWave` process, scans straight to the rows. */

const BatchPath = z.strictObject({ batch_id: QueryInt });

export const getActiveBatch = route("get /api/picking/active-batch", {
  for: floor("pick"),
  summary: "The batch that the caller is picking",
  answers: {
    200: z.union([
      z.strictObject({ active: z.literal(false) }),
      z.strictObject({
        active: z.literal(true),
        batch_id: Id,
        total_picks: z.int(),
        completed_picks: z.int(),
        total_orders: z.int(),
        created_at: Time,
        ...kind,
      }),
    ]),
  },
  run: async ({ by }) => {
    const batch = await activeBatch(by.userId);
    return batch
      ? { active: true as const, ...batch, ...salesOrders }
      : { active: false as const };
  },
});

export const getBatch = route("get /api/picking/batch/:batch_id", {
  for: floor("pick"),
  summary: "A batch with its orders and its tasks in walk order",
  params: BatchPath,
  answers: {
    200: z.strictObject({
      batch_id: Id,
      batch_number: z.string(),
      status: z.string(),
      total_orders: z.int(),
      total_items: Units,
      orders: z.array(Tote),
      tasks: z.array(Task),
      ...kind,
    }),
  },
  errors: [BatchNotFound],
  run: async ({ params, by }) => {
    const batch = await batchWithOrders(params.batch_id);
    if (!batch) throw BatchNotFound();
    const { warehouse_id, ...shown } = batch;
    checkWarehouse(by, warehouse_id);
    return {
      ...shown,
      tasks: await tasksOf(db, params.batch_id),
      ...salesOrders,
    };
  },
});

export const getNextTask = route("get /api/picking/batch/:batch_id/next", {
  for: floor("pick"),
  summary: "The next pending task of the walk",
  params: BatchPath,
  answers: { 200: z.union([NextTask, Message]) },
  run: async ({ params, by }) => {
    const batch = await batchHeader(params.batch_id);
    if (batch) checkWarehouse(by, batch.warehouse_id);
    const next = batch && (await nextPick(db, params.batch_id));
    // The scanner compares this very text (reference 09 §2).
    return next ?? { message: "All tasks complete" };
  },
});

/** Tells the walk's process of a scan that is committed. */
function tellScan(res: Asking["res"], batchId: number, scan: Scan): void {
  const workflowId = waveWorkflowId(batchId);
  tell<typeof wave.scanned>({ res }, workflowId, "scanned", scan);
}

export const confirm = route("post /api/picking/confirm", {
  for: floor("pick"),
  summary: "Confirms a pick by scanning the item",
  body: z.strictObject({
    pick_task_id: Id,
    scanned_barcode: Barcode,
    quantity_picked: Quantity,
  }),
  answers: {
    200: z.strictObject({
      message: z.string(),
      task: z.strictObject({
        pick_task_id: Id,
        status: z.literal("PICKED"),
        sku: z.string(),
        quantity_picked: Units,
        bin_code: z.string(),
        tote_number: z.string().nullable(),
      }),
      remaining_tasks: z.int(),
    }),
  },
  errors: [TaskNotFound, TaskNotPending, WrongItem, PicksMoreThanTask],
  run: async ({ body, by, res }) => {
    const { batch_id, ...answer } = await confirmPick(body, by);
    tellScan(res, batch_id, {
      ...answer.task,
      remaining_tasks: answer.remaining_tasks,
      by: by.username,
    });
    return answer;
  },
});

export const short = route("post /api/picking/short", {
  for: floor("pick"),
  summary: "Reports that a bin holds less than the task asks for",
  body: z.strictObject({
    pick_task_id: Id,
    quantity_available: z.int().min(0).max(100_000).default(0),
  }),
  answers: {
    200: z.strictObject({
      message: z.string(),
      task: z.strictObject({
        pick_task_id: Id,
        status: z.literal("SHORT"),
        sku: z.string(),
        quantity_to_pick: Units,
        quantity_picked: Units,
        shortage: Units,
        bin_code: z.string(),
      }),
    }),
  },
  errors: [TaskNotFound, TaskNotPending, PicksMoreThanTask],
  run: async ({ body, by, res }) => {
    const { batch_id, remaining_tasks, ...answer } = await shortPick(body, by);
    tellScan(res, batch_id, {
      ...answer.task,
      remaining_tasks,
      by: by.username,
    });
    return answer;
  },
});

export const complete = route("post /api/picking/complete-batch", {
  for: floor("pick"),
  summary: "Ends a walk: its orders are picked",
  body: z.strictObject({ batch_id: Id }),
  answers: {
    200: z.strictObject({
      message: z.string(),
      batch_id: Id,
      batch_number: z.string(),
      summary: z.strictObject({
        total_orders: z.int(),
        total_items_picked: Units,
        total_shorts: z.int(),
        orders: z.array(
          z.strictObject({ so_number: z.string(), status: z.string() }),
        ),
      }),
    }),
  },
  errors: [
    UnknownBatch,
    BatchNotActive,
    TasksPending,
    SilentShortfall,
    EngineUnavailable,
  ],
  run: ({ body, by, res }) =>
    stepOf({ by, res }, body.batch_id, "complete", completeWave),
});

export const cancel = route("post /api/picking/cancel-batch", {
  for: floor("pick"),
  summary: "Gives up a walk: everything goes back, its orders stay open",
  body: z.strictObject({ batch_id: Id }),
  answers: { 200: Message },
  errors: [BatchNotFound, BatchNotActive, EngineUnavailable],
  run: ({ body, by, res }) =>
    stepOf({ by, res }, body.batch_id, "cancel", cancelWave),
});
