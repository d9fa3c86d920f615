import { z } from "zod";
import { confirmReplenishment, reportShortReplenishment } from "../../activities/picking/replenishment/carry.js";
import * as activities from "../../activities/picking/replenishment/take.js";
import { countWorkflowId } from "../../src/counting/workflow.js";
import {
  CarriesMoreThanTask,
  NothingToReplenish,
  ReplenishmentEnded,
  ReplenishmentNotFound,
  ReplenishmentNotTaken,
  ReplenishmentTaken,
} from "../../src/picking/replenishment/problems.js";
import { replenishments, tasksFor } from "../../src/picking/replenishment/queries.js";
import {
  Carried,
  CarriedDone,
  Replenishment,
  ReplenishmentChoice,
  ReplenishmentFilters,
  ReplenishmentIdParam,
  ReplenishmentInBody,
  ReplenishmentShort,
} from "../../src/picking/replenishment/shapes.js";
import { type Actor, checkWarehouse, shownWarehouses } from "../../src/platform/actor.js";
import { misread } from "../../src/platform/barcodes/problems.js";
import * as field from "../../src/platform/fields/index.js";
import { paged, QueryLimit } from "../../src/platform/fields.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { BinInactive, InsufficientStock } from "../../src/stock/problems.js";
import type * as count from "../../workflows/cycle-count.js";
import { floor, page, route } from "../http/route.js";
import { startFromRows } from "../http/workflow-updates.js";
import { tellReplenishment } from "./replenishment-workflow.js";

/** Filling up pick faces from reserve bins: docs/replenishment.md. */

const notTaken = [ReplenishmentNotFound, WarehouseDenied, ReplenishmentEnded, ReplenishmentNotTaken];

export const listReplenishmentTasks = route("get /api/replenishment/tasks", {
  for: floor("putaway"),
  summary: "What the caller carries to pick faces, and what waits for somebody, urgent tasks first",
  query: z.object({
    warehouse_id: field.WarehouseIdParam,
    limit: QueryLimit(1000).default(100).describe("How many tasks at most."),
  }),
  answers: { 200: z.strictObject({ tasks: z.array(Replenishment).describe("The tasks, the caller's own first.") }) },
  errors: [WarehouseDenied],
  run: async ({ query: { warehouse_id, limit }, by }) => {
    checkWarehouse(by, warehouse_id);
    return { tasks: await tasksFor(warehouse_id, by.userId, limit) };
  },
});

export const takeReplenishment = route("post /api/replenishment/take", {
  for: floor("putaway"),
  summary: "Gives the caller a task: the named one, the caller's own, or the most urgent one",
  body: ReplenishmentChoice,
  answers: { 200: Replenishment },
  errors: [NothingToReplenish, ReplenishmentNotFound, WarehouseDenied, ReplenishmentTaken, ReplenishmentEnded],
  run: ({ body, by }) => activities.takeReplenishment(body, by),
});

export const confirmCarried = route("post /api/replenishment/confirm", {
  for: floor("putaway"),
  summary: "Records that units of a task are in the pick face; with the last of them it is done",
  body: Carried,
  answers: { 200: CarriedDone },
  errors: [...notTaken, CarriesMoreThanTask, BinInactive, InsufficientStock, ...misread],
  run: async ({ body, by }) => carried(await confirmReplenishment(body, by), by),
});

export const reportShortReserve = route("post /api/replenishment/short", {
  for: floor("putaway"),
  summary: "Reports that the reserve bin has no more units: the task ends, and the bin is counted",
  body: ReplenishmentInBody,
  answers: { 200: ReplenishmentShort },
  errors: notTaken,
  run: async ({ body, by }) => carried(await reportShortReplenishment(body.replenishment_id, by), by),
});

export const giveBackReplenishment = route("post /api/replenishment/give-back", {
  for: floor("putaway"),
  summary: "Gives a task back: what is left of it waits for another",
  body: ReplenishmentInBody,
  answers: { 200: Replenishment },
  errors: notTaken,
  run: ({ body, by }) => activities.giveBackReplenishment(body.replenishment_id, by),
});

export const listReplenishments = route("get /api/admin/replenishments", {
  for: page("picking-batches"),
  summary: "Tasks to fill up pick faces, newest first",
  query: ReplenishmentFilters,
  answers: { 200: paged("replenishments", Replenishment, "The tasks, one entry for each.") },
  run: ({ query, by }) => replenishments(query, shownWarehouses(by, query.warehouse_id)),
});

export const cancelReplenishment = route("post /api/admin/replenishments/:replenishment_id/cancel", {
  for: page("picking-batches"),
  summary: "Cancels a task that is not done; a face that still lacks units gets another one",
  params: z.strictObject({ replenishment_id: ReplenishmentIdParam }),
  answers: { 200: Replenishment },
  errors: [ReplenishmentNotFound, WarehouseDenied, ReplenishmentEnded],
  run: async ({ params, by }) => {
    const task = await activities.cancelReplenishment(params.replenishment_id, by);
    tellReplenishment(task.warehouse_id, by);
    return task;
  },
});

/** Starts the workflow of a new count, and tells the warehouse's own what became of its task. */
function carried<Answer extends { count_id: number | null; task: Replenishment }>(answer: Answer, by: Actor): Answer {
  const { count_id, task } = answer;
  if (task.status !== "TAKEN") tellReplenishment(task.warehouse_id, by);
  if (count_id !== null)
    startFromRows<typeof count.cycleCount>("cycleCount", countWorkflowId(count_id), {
      args: [count_id, by],
      warehouseId: task.warehouse_id,
    });
  return answer;
}
