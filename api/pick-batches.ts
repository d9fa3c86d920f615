import { z } from "zod";
import { cancelWave } from "../activities/picking/index.js";
import { checkWarehouse, scopeOf } from "../src/actor.js";
import {
  activeBatches,
  orderNumbersOf,
  shortPicks,
} from "../src/picking/desk-queries.js";
import {
  BatchNotActive,
  BatchNotFound,
  TransferBatch,
} from "../src/picking/problems.js";
import { batchHeader } from "../src/picking/queries.js";
import { EngineUnavailable, WarehouseDenied } from "../src/problem.js";
import { Id, QueryInt, Time, Units } from "./fields.js";
import { page, route } from "./route.js";
import { stepOf } from "./wave-step.js";

/** Picking as the desk sees it: walks under way, short picks (reference 03 §4). */

const WalkUnderWay = z.strictObject({
  batch_id: Id,
  batch_number: z.string(),
  kind: z.enum(["SO", "TO"]),
  orders: z.array(z.string()),
  to_number: z.string().nullable(),
  assigned_to: z.string().nullable(),
  completed_tasks: z.int(),
  total_tasks: z.int(),
  created_at: Time,
  status: z.string(),
});

export const listPickBatches = route("get /api/admin/pick-batches", {
  for: page("picking-batches"),
  summary: "Pick batches that are being walked",
  query: z.object({ warehouse_id: QueryInt.optional() }),
  answers: { 200: z.strictObject({ pick_batches: z.array(WalkUnderWay) }) },
  run: async ({ query, by }) => ({
    pick_batches: await activeBatches(query.warehouse_id, scopeOf(by)),
  }),
});

export const deletePickBatch = route(
  "post /api/admin/pick-batches/:batch_id/delete",
  {
    for: page("picking-batches"),
    summary:
      "Puts an end to a walk: everything goes back, its orders stay open",
    params: z.strictObject({ batch_id: QueryInt }),
    answers: {
      200: z.strictObject({
        message: z.string(),
        batch_id: Id,
        batch_number: z.string(),
        released_orders: z.array(z.string()),
      }),
    },
    errors: [
      BatchNotFound,
      WarehouseDenied,
      TransferBatch,
      BatchNotActive,
      EngineUnavailable,
    ],
    run: async ({ params: { batch_id }, by, res }) => {
      const batch = await batchHeader(batch_id);
      if (!batch) throw BatchNotFound();
      const { batch_number, warehouse_id, kind } = batch;
      checkWarehouse(by, warehouse_id);
      if (kind === "TO") throw TransferBatch({ batch_number });
      const { message } = await stepOf(
        { by, res },
        batch_id,
        "cancel",
        cancelWave,
      );
      const released_orders = await orderNumbersOf(batch_id);
      return { message, batch_id, batch_number, released_orders };
    },
  },
);

const ShortPick = z.strictObject({
  log_id: Id,
  user: z.string().nullable(),
  sku: z.string(),
  qty_expected: Units,
  qty_picked: Units,
  shortage: Units,
  bin_code: z.string().nullable(),
  batch_id: Id,
  timestamp: Time,
});

export const listShortPicks = route("get /api/admin/short-picks", {
  for: page("sales-orders"),
  summary: "The newest short picks",
  query: z.object({
    days: z.coerce.number().int().positive().max(3650).default(30),
    warehouse_id: QueryInt.optional(),
  }),
  answers: {
    200: z.strictObject({
      short_picks: z.array(ShortPick),
      total: z.int(),
    }),
  },
  run: ({ query, by }) =>
    shortPicks(query.days, query.warehouse_id, scopeOf(by)),
});
