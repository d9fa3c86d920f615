import { z } from "zod";
import {
  AllExcluded,
  InsufficientCoverage,
  OrderElsewhere,
  OrderInBatch,
  OrderInWave,
  OrderNotOpen,
  OrdersRepeated,
  OrderUnknown,
  OrderWithoutItems,
  ScanInWave,
  ScanNotOpen,
  ScanUnknown,
  ScanWithoutItems,
} from "../src/picking/problems.js";
import {
  orderIds,
  scannedOrder,
  soNumbersOf,
  takeBatchId,
} from "../src/picking/queries.js";
import {
  ordersOf,
  type WaveRequest,
  waveAttributes,
  waveWorkflowId,
} from "../src/picking/wave.js";
import { EngineUnavailable } from "../src/problem.js";
import type * as wave from "../workflows/pick-wave.js";
import { Barcode, Id, Units } from "./fields.js";
import { NextTask, Task, Tote } from "./pick-tasks.js";
import { type Asking, startWith } from "./process.js";
import { floor, route } from "./route.js";

/** How a walk begins: spec 4.5, reference 02 §5. */

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

/** Starts the walk's process; its first step makes the rows and answers. */
async function startWave(call: Asking, request: Omit<WaveRequest, "batchId">) {
  const { soIds, warehouseId } = request;
  const [batchId, soNumbers] = await Promise.all([
    takeBatchId(),
    soNumbersOf(ordersOf(request)),
  ]);
  const what = `${soIds.length} order(s) in warehouse ${warehouseId}, picked by ${call.by.username}`;
  const plan = await startWith<typeof wave.pickWave, typeof wave.created>(
    call,
    "pickWave",
    waveWorkflowId(batchId),
    {
      args: [{ batchId, ...request }, call.by],
      staticSummary: `${request.combine ? "Wave" : "Batch"} ${batchId}: ${what}`,
      typedSearchAttributes: waveAttributes(warehouseId, batchId, soNumbers),
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
