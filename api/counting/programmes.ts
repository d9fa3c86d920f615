import { z } from "zod";
import * as activities from "../../activities/counting/programmes.js";
import { ProgrammeExists, ProgrammeNotFound } from "../../src/counting/problems.js";
import { countProgress } from "../../src/counting/programmes/progress.js";
import { countProgramme, countProgrammes, scheduledProgramme } from "../../src/counting/programmes/queries.js";
import { applyProgrammeSchedule, programmeScheduleId } from "../../src/counting/programmes/schedules.js";
import {
  CountProgramme,
  CountProgrammeChanges,
  CountProgress,
  CountRun,
  NewCountProgramme,
} from "../../src/counting/programmes/shapes.js";
import { countWorkflowId } from "../../src/counting/workflow.js";
import { UnknownWarehouse } from "../../src/master-data/problems.js";
import { type Actor, checkWarehouse, shownWarehouses } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import { Message, QueryInt } from "../../src/platform/fields.js";
import { wholeList } from "../../src/platform/list.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { removeSchedule } from "../../src/platform/temporal/row-schedules.js";
import type * as count from "../../workflows/cycle-count.js";
import { page, route } from "../http/route.js";
import { temporally } from "../http/row-schedules.js";
import { startFromRows, taskQueue, temporalClient } from "../http/workflow-updates.js";

/** Which bins of a warehouse are counted how often: docs/counting.md. */

const params = z.strictObject({
  programme_id: QueryInt.describe("Id of the count programme, by which routes name it."),
});

export const listCountProgrammes = route("get /api/admin/count-programmes", {
  for: page("cycle-counts"),
  summary: "Which bins are counted how often, one programme at most for each warehouse",
  query: z.object({ ...wholeList(CountProgramme), warehouse_id: field.WarehouseIdParam.optional() }),
  answers: {
    200: z.strictObject({
      count_programmes: z.array(CountProgramme).describe("The count programmes, one at most for each warehouse."),
    }),
  },
  run: async ({ query, by }) => ({
    count_programmes: await countProgrammes(query.warehouse_id, shownWarehouses(by, query.warehouse_id)),
  }),
});

export const getCountProgramme = route("get /api/admin/count-programmes/:programme_id", {
  for: page("cycle-counts"),
  summary: "Which bins of a warehouse are counted how often",
  params,
  answers: { 200: CountProgramme },
  errors: [ProgrammeNotFound, WarehouseDenied],
  run: ({ params, by }) => named(params.programme_id, by),
});

export const createCountProgramme = route("post /api/admin/count-programmes", {
  for: page("cycle-counts"),
  summary: "Makes the count programme of a warehouse, which has bins counted by the clock",
  body: NewCountProgramme,
  answers: { 201: CountProgramme },
  errors: [UnknownWarehouse, ProgrammeExists],
  run: async ({ body, by }) => scheduled(await activities.createCountProgramme(body, by)),
});

export const updateCountProgramme = route("put /api/admin/count-programmes/:programme_id", {
  for: page("cycle-counts"),
  summary: "Changes what is sent of a count programme; `is_active` false stops it",
  params,
  body: CountProgrammeChanges,
  answers: { 200: CountProgramme },
  errors: [ProgrammeNotFound, WarehouseDenied],
  run: async ({ params, body, by }) => scheduled(await activities.updateCountProgramme(params.programme_id, body, by)),
});

export const deleteCountProgramme = route("delete /api/admin/count-programmes/:programme_id", {
  for: page("cycle-counts"),
  summary: "Deletes a count programme; counts that it made stay",
  params,
  answers: { 200: Message },
  errors: [ProgrammeNotFound, WarehouseDenied],
  run: async ({ params, by }) => {
    const deleted = await activities.deleteCountProgramme(params.programme_id, by);
    await temporally(params, () => removeSchedule(temporalClient(), programmeScheduleId(params)));
    return deleted;
  },
});

export const runCountProgramme = route("post /api/admin/count-programmes/:programme_id/run", {
  for: page("cycle-counts"),
  summary: "Makes now the counts that a programme has left for today, beside its time",
  params,
  answers: { 200: CountRun },
  errors: [ProgrammeNotFound, WarehouseDenied],
  run: async ({ params, by }) => {
    const { warehouse_id: warehouseId } = await named(params.programme_id, by);
    const run = await activities.runCountProgramme(params.programme_id, by);
    for (const { count_id } of run.counts)
      startFromRows<typeof count.cycleCount>("cycleCount", countWorkflowId(count_id), {
        args: [count_id, by],
        warehouseId,
      });
    return run;
  },
});

export const getCountProgress = route("get /api/admin/count-programmes/:programme_id/progress", {
  for: page("cycle-counts"),
  summary: "How much of the warehouse was counted within its intervals, and how right it was",
  params,
  answers: { 200: CountProgress },
  errors: [ProgrammeNotFound, WarehouseDenied],
  run: async ({ params, by }) => countProgress(await named(params.programme_id, by)),
});

async function scheduled(programme: CountProgramme): Promise<CountProgramme> {
  const { programme_id } = programme;
  const row = await scheduledProgramme(programme_id);
  if (row)
    await temporally({ programme_id }, () =>
      applyProgrammeSchedule(temporalClient(), row, { temporalTaskQueue: taskQueue }, "changed"),
    );
  return programme;
}

/** The programme, if the caller may see it. */
async function named(programmeId: number, by: Actor): Promise<CountProgramme> {
  const programme = await countProgramme(programmeId);
  if (!programme) throw ProgrammeNotFound();
  checkWarehouse(by, programme.warehouse_id);
  return programme;
}
