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
  ScanTransferNotStarted,
  ScanTransferOfAnother,
  ScanTransferStatus,
  ScanUnknown,
  ScanWithoutItems,
} from "../../src/picking/problems.js";
import { orderIds, scannedOrder, scannedTransfer, shownOfWave, takeBatchId } from "../../src/picking/queries.js";
import { ordersOf, type WavePlan, type WaveRequest, waveAttributes, waveWorkflowId } from "../../src/picking/wave.js";
import {
  CreatedPickBatch,
  CreatedWave,
  NewPickBatch,
  NewWave,
  ValidWaveScan,
  WaveScan,
} from "../../src/picking/wave-shapes.js";
import { type Actor, visibleWarehouses } from "../../src/platform/actor.js";
import { recorded } from "../../src/platform/db/command-log.js";
import { WorkflowEngineUnavailable } from "../../src/platform/problem.js";
import { Stage } from "../../src/platform/temporal/search-attributes.js";
import { ReturnNotFulfillable, refuseReturn, unservable } from "../../src/sales-orders/fulfilment.js";
import { OrderHeld, refuseHeld } from "../../src/sales-orders/holds.js";
import type * as wave from "../../workflows/pick-wave.js";
import { floor, route } from "../http/route.js";
import { startWithUpdate, type WorkflowCall } from "../http/workflow-updates.js";

/** Creating waves and pick batches: docs/interface.md, Picking. */

export const validateOrderForWave = route("post /api/picking/wave-validate", {
  for: floor("pick"),
  summary: "Whether a scanned order can join a wave",
  changesNothing: true,
  body: WaveScan,
  answers: { 200: ValidWaveScan },
  errors: [
    ScanUnknown,
    ...unservable,
    ScanInWave,
    ScanNotOpen,
    ScanWithoutItems,
    ScanTransferStatus,
    ScanTransferNotStarted,
    ScanTransferOfAnother,
  ],
  run: async ({ body, by }) => {
    const barcode = body.so_barcode ?? body.barcode ?? "";
    const order = await scannedOrder(barcode, body.warehouse_id);
    if (!order) return scanOfTransfer(barcode, body.warehouse_id, by);
    const { so_id, so_number, status, line_count, total_units, batch_id } = order;
    refuseReturn(order, refused);
    if (batch_id !== null) throw ScanInWave({ so_number }, { ...refused, batch_id });
    if (status !== "OPEN") throw ScanNotOpen({ so_number, status }, refused);
    refuseHeld(order, OrderHeld, refused);
    if (line_count === 0) throw ScanWithoutItems({ so_number }, refused);
    return { valid: true as const, kind: "SO" as const, so_id, so_number, line_count, total_units };
  },
});

const refused = { valid: false };

async function scanOfTransfer(barcode: string, warehouseId: number, by: Actor) {
  const order = await scannedTransfer(barcode, warehouseId);
  if (!order) throw ScanUnknown({}, refused);
  const { to_id, to_number, status: to_status, walk } = order;
  if (to_status !== "OPEN" && to_status !== "PARTIALLY_PICKED")
    throw ScanTransferStatus({ to_number, to_status }, { ...refused, to_number, to_status });
  if (!walk) throw ScanTransferNotStarted({ to_number }, { ...refused, to_number, to_id });
  const { batch_id, batch_number, assigned_to, line_count, total_units } = walk;
  if (walk.assigned_user_id !== by.userId)
    throw ScanTransferOfAnother({ to_number, assigned_to }, { ...refused, to_number, batch_id, assigned_to });
  return {
    valid: true as const,
    kind: "TO" as const,
    to_id,
    to_number,
    batch_id,
    batch_number,
    line_count,
    total_units,
  };
}

const creationErrors = [
  OrdersRepeated,
  AllExcluded,
  OrderUnknown,
  OrderElsewhere,
  ReturnNotFulfillable,
  OrderNotOpen,
  OrderHeld,
  OrderWithoutItems,
  InsufficientCoverage,
  WorkflowEngineUnavailable,
];

/** Starts the workflow of a wave, whose first activity creates the rows; the answer is read from the command log. */
async function startWave(call: WorkflowCall, request: Omit<WaveRequest, "batchId">) {
  const { soIds, warehouseId } = request;
  const [batchId, shown] = await Promise.all([takeBatchId(), shownOfWave(ordersOf(request), warehouseId)]);
  const { warehouse_code } = shown;
  const where = warehouse_code ?? `warehouse ${warehouseId}`;
  const what = `${soIds.length} order(s) in ${where}, picked by ${call.by.username}`;
  const started = await startWithUpdate<typeof wave.pickWave, typeof wave.created>(
    call,
    "pickWave",
    waveWorkflowId(batchId),
    {
      args: [{ batchId, ...request }, call.by],
      warehouseId,
      staticSummary: `${request.combine ? "Wave" : "Batch"} ${batchId}: ${what}`,
      attributes: [
        ...waveAttributes({ ...shown, warehouse_id: warehouseId, batch_id: batchId, picker: call.by.username }),
        { key: Stage, value: "picking" },
      ],
    },
    "created",
    [],
  );
  call.res.setHeader("X-Service-Workflow-Id", waveWorkflowId(started.batch_id));
  return (await recorded(call.by))?.answer as WavePlan;
}

export const createPickWave = route("post /api/picking/wave-create", {
  for: floor("pick"),
  summary: "Creates a wave: one pick path combined over several orders",
  body: NewWave,
  answers: { 200: CreatedWave },
  errors: [...creationErrors, OrderInWave],
  run: async ({ body, by, res }) => {
    const plan = await startWave({ by, res }, { ...waveOf(body), soIds: body.so_ids, combine: true });
    return {
      batch_id: plan.batch_id,
      batch_number: plan.batch_number,
      batch_status: "IN_PROGRESS" as const,
      total_orders: plan.orders.length,
      total_picks: plan.total_picks,
      total_units: plan.total_units,
      orders: plan.orders.map(({ tote_number: _, ...order }) => order),
      first_pick: plan.first_pick,
      walk: plan.walk ?? null,
    };
  },
});

const waveOf = (body: { warehouse_id: number; exclude_so_ids: number[] }) => ({
  warehouseId: body.warehouse_id,
  excludeSoIds: body.exclude_so_ids,
});

export const createPickBatch = route("post /api/picking/create-batch", {
  for: floor("pick"),
  summary: "Creates a pick batch with tasks and a tote for each order",
  body: NewPickBatch,
  answers: { 200: CreatedPickBatch },
  errors: [...creationErrors, OrderInBatch],
  run: async ({ body, by, res }) => {
    const found = await orderIds(body.so_identifiers, visibleWarehouses(by));
    const soIds = found.map((id, i) => {
      if (id === null) throw OrderUnknown({ order: body.so_identifiers[i] ?? "" });
      return id;
    });
    const plan = await startWave({ by, res }, { ...waveOf(body), soIds, combine: false });
    return {
      batch_id: plan.batch_id,
      batch_number: plan.batch_number,
      status: "OPEN" as const,
      total_orders: plan.orders.length,
      total_items: plan.total_units,
      orders: plan.orders.map(({ so_number, tote_number }) => ({ so_number, tote_number })),
      tasks: plan.tasks,
      walk: plan.walk ?? null,
    };
  },
});
