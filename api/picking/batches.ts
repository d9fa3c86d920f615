import { z } from "zod";
import { cancelWave } from "../../activities/picking/index.js";
import { activeBatches, orderNumbersOf, shortPicks } from "../../src/picking/admin-queries.js";
import { BatchNotActive, BatchNotFound, TransferBatch } from "../../src/picking/problems.js";
import { batchHeader } from "../../src/picking/queries.js";
import { ActivePickBatch, ShortPick, ShortPicks } from "../../src/picking/shapes.js";
import { checkWarehouse, shownWarehouses } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import { AnyText, QueryLimit } from "../../src/platform/fields.js";
import { wholeList } from "../../src/platform/list.js";
import { WarehouseDenied, WorkflowEngineUnavailable } from "../../src/platform/problem.js";
import { page, route } from "../http/route.js";
import { updateWave } from "./wave-update.js";

/** Picking in the panel: active batches and short picks (docs/interface.md, Sales orders). */

export const listPickBatches = route("get /api/admin/pick-batches", {
  for: page("picking-batches"),
  summary: "Pick batches in progress",
  query: z.object({ ...wholeList(ActivePickBatch), warehouse_id: field.WarehouseIdParam.optional() }),
  answers: { 200: z.strictObject({ pick_batches: z.array(ActivePickBatch).describe("The waves.") }) },
  run: async ({ query, by }) => ({
    pick_batches: await activeBatches(query.warehouse_id, shownWarehouses(by, query.warehouse_id)),
  }),
});

export const deletePickBatch = route("post /api/admin/pick-batches/:batch_id/delete", {
  for: page("picking-batches"),
  destructive: true,
  summary: "Cancels a pick batch: its picks are returned to their bins and its orders stay open",
  params: z.strictObject({ batch_id: field.BatchIdParam }),
  answers: {
    200: z.strictObject({
      message: field.Done,
      batch_id: field.BatchId,
      batch_number: field.BatchNumber,
      released_orders: z.array(AnyText("SO-1001")).describe("The orders that were freed from the wave."),
    }),
  },
  errors: [BatchNotFound, WarehouseDenied, TransferBatch, BatchNotActive, WorkflowEngineUnavailable],
  run: async ({ params: { batch_id }, by, res }) => {
    const batch = await batchHeader(batch_id);
    if (!batch) throw BatchNotFound();
    const { batch_number, warehouse_id, kind } = batch;
    checkWarehouse(by, warehouse_id);
    if (kind === "TO") throw TransferBatch({ batch_number });
    const { message } = await updateWave({ by, res }, batch_id, "cancel", cancelWave);
    const released_orders = await orderNumbersOf(batch_id);
    return { message, batch_id, batch_number, released_orders };
  },
});

export const listShortPicks = route("get /api/admin/short-picks", {
  for: page("sales-orders"),
  summary: "The newest short picks",
  query: z.object({
    ...wholeList(ShortPick),
    days: QueryLimit(3650).default(30).describe("How many days back."),
    warehouse_id: field.WarehouseIdParam.optional(),
  }),
  answers: { 200: ShortPicks },
  run: ({ query, by }) => shortPicks(query.days, query.warehouse_id, shownWarehouses(by, query.warehouse_id)),
});
