import { giveBack, nextBatch } from "../../activities/picking/next-batch.js";
import { releaseAsked } from "../../activities/picking/release-waves.js";
import {
  BatchHasPicks,
  BatchNotActive,
  BatchNotFound,
  BatchWaits,
  MayNotPick,
  NoBatchWaits,
  ReleaseWarehouseInactive,
  TransferBatch,
  UnknownPicker,
} from "../../src/picking/problems.js";
import { ActiveBatch, BatchInBody } from "../../src/picking/shapes.js";
import { planWaves } from "../../src/picking/waves/plan.js";
import {
  NextBatchRequest,
  WavesPlanned,
  WavesReleased,
  WaveToPlan,
  WaveToRelease,
} from "../../src/picking/waves/shapes.js";
import { Message } from "../../src/platform/fields.js";
import { WorkflowEngineUnavailable } from "../../src/platform/problem.js";
import { BinNotFound } from "../../src/stock/problems.js";
import { floor, page, route } from "../http/route.js";
import { tellReplenishment } from "./replenishment-workflow.js";
import { assignedBy, startTakenBatch } from "./taken-batch.js";
import { updateWave } from "./wave-update.js";

/** Waves that are planned and released at the desk, and the next batch for whoever picks: docs/waves.md. */

export const planPickWaves = route("post /api/admin/waves/plan", {
  for: page("picking-batches"),
  summary: "Which batches a release would make now, how far the stock goes, and which orders are in no batch",
  changesNothing: true,
  body: WaveToPlan,
  answers: { 200: WavesPlanned },
  run: ({ body }) => planWaves(body),
});

export const releasePickWaves = route("post /api/admin/waves/release", {
  for: page("picking-batches"),
  summary: "Makes batches that wait for pickers, or are given to one",
  body: WaveToRelease,
  answers: { 200: WavesReleased },
  errors: [ReleaseWarehouseInactive, UnknownPicker, MayNotPick],
  run: async ({ body, by, res }) => {
    const { warehouse_id } = body;
    const released = await releaseAsked(body, by);
    if (released.waiting) tellReplenishment(warehouse_id, by);
    for (const { batch_id, assigned_to } of released.batches)
      if (assigned_to) {
        const takenBy = assignedBy(assigned_to, by);
        startTakenBatch({ by, res }, { batchId: batch_id, warehouseId: warehouse_id, takenBy });
      }
    return released;
  },
});

export const takeNextBatch = route("post /api/picking/next-batch", {
  for: floor("pick"),
  summary: "Gives the caller the batch that is to be picked next, or the one that the caller is picking",
  body: NextBatchRequest,
  answers: { 200: ActiveBatch },
  errors: [NoBatchWaits, BinNotFound],
  run: async ({ body, by, res }) => {
    const batch = await nextBatch(body, by);
    const takenBy = `${by.username} as the next one`;
    startTakenBatch({ by, res }, { batchId: batch.batch_id, warehouseId: body.warehouse_id, takenBy });
    return { active: true as const, ...batch };
  },
});

export const giveBackPickBatch = route("post /api/picking/give-back", {
  for: floor("pick"),
  summary: "Gives a batch back that was not begun: it waits for another picker",
  body: BatchInBody,
  answers: { 200: Message },
  errors: [...[BatchNotFound, BatchNotActive, TransferBatch, BatchWaits, BatchHasPicks], WorkflowEngineUnavailable],
  run: ({ body, by, res }) => updateWave({ by, res }, body.batch_id, "giveBack", giveBack),
});
