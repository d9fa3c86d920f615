import type { UpdateDefinition } from "@temporalio/common";
import { z } from "zod";
import { cancelWave, completeWave } from "../activities/picking/index.js";
import { confirmPick, shortPick } from "../activities/picking/scan.js";
import { type Actor, checkWarehouse } from "../src/actor.js";
import { db } from "../src/db.js";
import {
  AllExcluded,
  BatchNotActive,
  BatchNotFound,
  InsufficientCoverage,
  OrderElsewhere,
  OrderInBatch,
  OrderInWave,
  OrderNotOpen,
  OrdersRepeated,
  OrderUnknown,
  OrderWithoutItems,
  PicksMoreThanTask,
  ScanInWave,
  ScanNotOpen,
  ScanUnknown,
  ScanWithoutItems,
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
  isBatchActive,
  nextPick,
  orderIds,
  scannedOrder,
  takeBatchId,
  tasksOf,
} from "../src/picking/queries.js";
import {
  type Scan,
  type WaveRequest,
  waveWorkflowId,
} from "../src/picking/wave.js";
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
import { signal, startWith, step } from "./process.js";
import { type Call, floor, route } from "./route.js";

/** Picking: spec 4.5, reference 02 §5. Steps of the walk go through its `pickWave` process, scans straight to the rows. */

const BatchPath = z.strictObject({ batch_id: QueryInt });

const Task = z.strictObject({
  pick_task_id: Id,
  pick_sequence: z.int(),
  bin_code: z.string(),
  bin_barcode: z.string(),
  zone: z.string().nullable(),
  aisle: z.string().nullable(),
  row_num: z.string().nullable(),
  level_num: z.string().nullable(),
  sku: z.string(),
  item_name: z.string(),
  upc: z.string().nullable(),
  quantity_to_pick: Units,
  tote_number: z.string().nullable(),
  so_number: z.string().nullable(),
  status: z.string(),
});

const NextTask = Task.extend({
  contributing_orders: z.array(
    z.strictObject({ so_number: z.string(), quantity: Units }),
  ),
  pick_number: z.int(),
  total_picks: z.int(),
});

/** A batch picks sales orders; transfer orders bring the other kind. */
const kind = {
  kind: z.enum(["SO", "TO"]),
  to_id: Id.nullable(),
  to_number: z.string().nullable(),
};
const salesOrders = { kind: "SO" as const, to_id: null, to_number: null };

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

export const validateScan = route("post /api/picking/wave-validate", {
  for: floor("pick"),
  summary: "Whether a scanned order can join a wave",
  changesNothing: true,
  body: z
    .strictObject({
      so_barcode: Barcode.optional(),
      barcode: Barcode.optional(),
      warehouse_id: Id,
    })
    .refine((body) => body.so_barcode ?? body.barcode, {
      error: "so_barcode is required",
      path: ["so_barcode"],
    }),
  answers: {
    200: z.strictObject({
      valid: z.literal(true),
      kind: z.enum(["SO", "TO"]),
      so_id: Id,
      so_number: z.string(),
      line_count: z.int(),
      total_units: Units,
    }),
  },
  errors: [ScanUnknown, ScanInWave, ScanNotOpen, ScanWithoutItems],
  run: async ({ body }) => {
    const refused = { valid: false };
    const order = await scannedOrder(
      body.so_barcode ?? body.barcode ?? "",
      body.warehouse_id,
    );
    if (!order) throw ScanUnknown({}, refused);
    const { so_id, so_number, status, line_count, total_units, batch_id } =
      order;
    if (batch_id !== null)
      throw ScanInWave({ so_number }, { ...refused, batch_id });
    if (status !== "OPEN") throw ScanNotOpen({ so_number, status }, refused);
    if (line_count === 0) throw ScanWithoutItems({ so_number }, refused);
    return {
      valid: true as const,
      kind: "SO" as const,
      so_id,
      so_number,
      line_count,
      total_units,
    };
  },
});

const creationErrors = [
  OrdersRepeated,
  AllExcluded,
  OrderUnknown,
  OrderElsewhere,
  OrderNotOpen,
  OrderWithoutItems,
  InsufficientCoverage,
  EngineUnavailable,
];

type Asking = Pick<Call<undefined, undefined, undefined>, "by" | "res">;

/** Starts the walk's process; its first step makes the rows and answers. */
async function startWave(call: Asking, request: Omit<WaveRequest, "batchId">) {
  const batchId = await takeBatchId();
  const what = `${request.soIds.length} order(s) in warehouse ${request.warehouseId}, picked by ${call.by.username}`;
  const plan = await startWith<typeof wave.pickWave, typeof wave.created>(
    call,
    "pickWave",
    waveWorkflowId(batchId),
    {
      args: [{ batchId, ...request }, call.by],
      staticSummary: `${request.combine ? "Wave" : "Batch"} ${batchId}: ${what}`,
    },
    "created",
    [],
  );
  call.res.setHeader("X-Service-Workflow-Id", waveWorkflowId(plan.batch_id));
  return plan;
}

export const createPickWave = route("post /api/picking/wave-create", {
  for: floor("pick"),
  summary: "Starts one walk combined over several orders",
  body: z.strictObject({
    so_ids: z.array(Id).min(1),
    warehouse_id: Id,
    exclude_so_ids: z.array(Id).default([]),
  }),
  answers: {
    200: z.strictObject({
      batch_id: Id,
      batch_number: z.string(),
      batch_status: z.literal("IN_PROGRESS"),
      total_orders: z.int(),
      total_picks: z.int(),
      total_units: Units,
      orders: z.array(
        z.strictObject({
          so_id: Id,
          so_number: z.string(),
          line_count: z.int(),
        }),
      ),
      first_pick: NextTask.nullable(),
    }),
  },
  errors: [...creationErrors, OrderInWave],
  run: async ({ body, by, res }) => {
    const plan = await startWave(
      { by, res },
      { ...waveOf(body), soIds: body.so_ids, combine: true },
    );
    return {
      batch_id: plan.batch_id,
      batch_number: plan.batch_number,
      batch_status: "IN_PROGRESS" as const,
      total_orders: plan.orders.length,
      total_picks: plan.total_picks,
      total_units: plan.total_units,
      orders: plan.orders.map(({ tote_number: _, ...order }) => order),
      first_pick: plan.first_pick,
    };
  },
});

const waveOf = (body: { warehouse_id: number; exclude_so_ids: number[] }) => ({
  warehouseId: body.warehouse_id,
  excludeSoIds: body.exclude_so_ids,
});

const Tote = z.strictObject({
  so_number: z.string(),
  tote_number: z.string().nullable(),
});

export const createPickBatch = route("post /api/picking/create-batch", {
  for: floor("pick"),
  summary: "Starts a walk with tasks and a tote for each order",
  body: z.strictObject({
    so_identifiers: z.array(Barcode).min(1),
    warehouse_id: Id,
    exclude_so_ids: z.array(Id).default([]),
  }),
  answers: {
    200: z.strictObject({
      batch_id: Id,
      batch_number: z.string(),
      status: z.literal("OPEN"),
      total_orders: z.int(),
      total_items: Units,
      orders: z.array(Tote),
      tasks: z.array(Task),
    }),
  },
  errors: [...creationErrors, OrderInBatch],
  run: async ({ body, by, res }) => {
    const found = await orderIds(body.so_identifiers);
    const soIds = found.map((id, i) => {
      if (id === null)
        throw OrderUnknown({ order: body.so_identifiers[i] ?? "" });
      return id;
    });
    const plan = await startWave(
      { by, res },
      { ...waveOf(body), soIds, combine: false },
    );
    return {
      batch_id: plan.batch_id,
      batch_number: plan.batch_number,
      status: "OPEN" as const,
      total_orders: plan.orders.length,
      total_items: plan.total_units,
      orders: plan.orders.map(({ so_number, tote_number }) => ({
        so_number,
        tote_number,
      })),
      tasks: plan.tasks,
    };
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
function tell(
  res: Call<undefined, undefined, undefined>["res"],
  batchId: number,
  scan: Scan,
): void {
  signal<typeof wave.scanned>(
    { res },
    waveWorkflowId(batchId),
    "scanned",
    scan,
  );
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
    tell(res, batch_id, {
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
    tell(res, batch_id, { ...answer.task, remaining_tasks, by: by.username });
    return answer;
  },
});

/** A step of a walk goes through its process. */
function stepOf<R>(
  call: Asking,
  batchId: number,
  name: "complete" | "cancel",
  directly: (batchId: number, by: Actor) => Promise<R>,
): Promise<R> {
  return step<typeof wave.pickWave, UpdateDefinition<R, [Actor]>>(
    call,
    {
      workflow: "pickWave",
      workflowId: waveWorkflowId(batchId),
      args: [{ batchId }, call.by],
      isOpen: () => isBatchActive(batchId),
    },
    name,
    [call.by],
    () => directly(batchId, call.by),
  );
}

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
