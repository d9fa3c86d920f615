import { z } from "zod";
import { assignBatch } from "../../activities/picking/assign-batch.js";
import { takeBackWaiting } from "../../activities/picking/replenishment/waiting-waves.js";
import {
  BatchAssigned,
  BatchNotActive,
  BatchNotFound,
  MayNotPick,
  TransferBatch,
  UnknownPicker,
  WaitingWaveNotFound,
  WaitingWaveReleased,
} from "../../src/picking/problems.js";
import { TakenBatch } from "../../src/picking/shapes.js";
import { pickBoard, waitingOrders, waves } from "../../src/picking/waves/board.js";
import {
  BatchAssignment,
  PickBoard,
  WaitingIdParam,
  WaitingOrders,
  WaveFilters,
  WaveOfList,
  waveList,
} from "../../src/picking/waves/board-shapes.js";
import { shownWarehouses } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import { Message, paged } from "../../src/platform/fields.js";
import { wholeList } from "../../src/platform/list.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { page, route } from "../http/route.js";
import { assignedBy, startTakenBatch, tellHandedOver } from "./taken-batch.js";

/** Who picks what, waves that wait and those that ended: docs/waves.md. */

export const listPickWaves = route("get /api/admin/waves", {
  for: page("picking-batches"),
  summary: "Waves, newest first, with those that ended",
  query: WaveFilters,
  answers: { 200: paged("waves", WaveOfList, "The waves, as they went.", waveList.totals) },
  run: ({ query, by }) => waves(query, shownWarehouses(by, query.warehouse_id)),
});

export const getPickBoard = route("get /api/admin/waves/board", {
  for: page("picking-batches"),
  summary: "Who may pick, with their waves, the pace of the last hour and what stands in the way",
  query: z.object({ warehouse_id: field.WarehouseIdParam.optional() }),
  answers: { 200: PickBoard },
  run: async ({ query, by }) => ({
    pickers: await pickBoard(query.warehouse_id, shownWarehouses(by, query.warehouse_id)),
  }),
});

export const assignPickBatch = route("post /api/admin/pick-batches/:batch_id/assign", {
  for: page("picking-batches"),
  summary: "Gives a batch to a picker, who gets it as the next one",
  params: z.strictObject({ batch_id: field.BatchIdParam }),
  body: BatchAssignment,
  answers: { 200: TakenBatch },
  errors: [
    ...[BatchNotFound, WarehouseDenied, BatchNotActive, BatchAssigned, UnknownPicker, MayNotPick],
    TransferBatch,
  ],
  run: async ({ params: { batch_id }, body, by, res }) => {
    const { warehouse_id, from, ...taken } = await assignBatch(batch_id, body, by);
    const wave = { batchId: batch_id, warehouseId: warehouse_id, takenBy: assignedBy(taken.assigned_to, by) };
    if (from === null) startTakenBatch({ by, res }, wave);
    else tellHandedOver({ by, res }, wave, taken.assigned_to);
    return taken;
  },
});

export const listWaitingWaves = route("get /api/admin/waves/waiting", {
  for: page("picking-batches"),
  summary: "Orders of releases that wait for units from reserve",
  query: z.object({ ...wholeList(WaitingOrders), warehouse_id: field.WarehouseIdParam.optional() }),
  answers: { 200: z.strictObject({ waiting: z.array(WaitingOrders).describe("What waits, an entry a release.") }) },
  run: async ({ query, by }) => ({
    waiting: await waitingOrders(query.warehouse_id, shownWarehouses(by, query.warehouse_id)),
  }),
});

export const takeBackWaitingWave = route("delete /api/admin/waves/waiting/:waiting_id", {
  for: page("picking-batches"),
  summary: "Takes back orders that wait for units from reserve: a release takes them again",
  params: z.strictObject({ waiting_id: WaitingIdParam }),
  answers: { 200: Message },
  errors: [WaitingWaveNotFound, WarehouseDenied, WaitingWaveReleased],
  run: ({ params: { waiting_id }, by }) => takeBackWaiting(waiting_id, by),
});
