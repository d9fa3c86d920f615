import { z } from "zod";
import { submitCount } from "../../activities/counting/index.js";
import { CountNotFound, CountNotOpen, LineNotOnCount, NoLines } from "../../src/counting/problems.js";
import { countWithLines, openCountIn, openCounts, takeCountIds } from "../../src/counting/queries.js";
import {
  CountSubmission,
  CountSubmitted,
  CountsCreated,
  CountWithLines,
  MOST_LINES,
  NewCounts,
  OpenCounts,
} from "../../src/counting/shapes.js";
import { countWorkflowId } from "../../src/counting/workflow.js";
import { ItemNotFound, WarehouseNotFound } from "../../src/master-data/problems.js";
import { checkWarehouse } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import { WarehouseDenied, WorkflowEngineUnavailable } from "../../src/platform/problem.js";
import { BinNotFound } from "../../src/stock/problems.js";
import type * as count from "../../workflows/cycle-count.js";
import { type BodyLimit, floor, route } from "../http/route.js";
import { runUpdate, startWithUpdate } from "../http/workflow-updates.js";

/** Cycle counts: docs/interface.md, Counting. Each count is a `cycleCount` workflow until an admin has reviewed it. */

/** Each line has five fields. */
const submissionLimit: BodyLimit = { kb: 1024, values: 6 * MOST_LINES + 1_000 };

export const createCycleCounts = route("post /api/inventory/cycle-count/create", {
  for: floor("count"),
  summary: "Starts a count of each of these bins",
  body: NewCounts,
  answers: { 200: CountsCreated },
  errors: [WarehouseNotFound, BinNotFound, WorkflowEngineUnavailable],
  run: async ({ body, by, res }) => {
    const warehouseId = body.warehouse_id;
    // A bin that is listed twice is counted once.
    const binIds = [...new Set(body.bin_ids)];
    const countIds = await takeCountIds(binIds.length);
    const [first] = countIds as [number];
    const { counts } = await startWithUpdate<typeof count.cycleCount, typeof count.created>(
      { by, res },
      "cycleCount",
      countWorkflowId(first),
      {
        args: [first, by, { warehouseId, binIds, countIds }],
        warehouseId,
        staticSummary: `Count ${first}, the first of ${binIds.length} that ${by.username} asked for`,
      },
      "created",
      [],
    );
    if (counts[0]) res.setHeader("X-Service-Workflow-Id", countWorkflowId(counts[0].count_id));
    return { message: `Created ${counts.length} cycle count(s)`, counts };
  },
});

export const listOpenCycleCounts = route("get /api/inventory/cycle-counts/open", {
  for: floor("count"),
  summary: "Up to 500 counts of a warehouse that wait to be counted, in the order of a walk",
  query: z.strictObject({ warehouse_id: field.WarehouseIdParam }),
  answers: { 200: OpenCounts },
  errors: [WarehouseDenied],
  run: ({ query }) => openCounts(query.warehouse_id),
});

export const getCycleCount = route("get /api/inventory/cycle-count/:count_id", {
  for: floor("count"),
  summary: "A count with its lines, and whether its counter may see the expected quantities",
  params: z.strictObject({ count_id: field.CountIdParam }),
  answers: { 200: CountWithLines },
  errors: [CountNotFound, WarehouseDenied],
  run: async ({ params, by }) => {
    const found = await countWithLines(params.count_id);
    if (!found) throw CountNotFound();
    checkWarehouse(by, found.cycle_count.warehouse_id);
    return found;
  },
});

export const submitCycleCount = route("post /api/inventory/cycle-count/submit", {
  for: floor("count"),
  summary: "Submits what was counted; differences are reviewed by an admin",
  body: CountSubmission,
  bodyLimit: submissionLimit,
  answers: { 200: CountSubmitted },
  errors: [
    ...[CountNotFound, WarehouseDenied, CountNotOpen, NoLines, LineNotOnCount],
    ...[ItemNotFound, WorkflowEngineUnavailable],
  ],
  run: ({ body, by, res }) => {
    const lines = body.lines.map(({ sku: _, ...line }) => line);
    return runUpdate<typeof count.cycleCount, typeof count.submit>(
      { by, res },
      {
        workflow: "cycleCount",
        workflowId: countWorkflowId(body.count_id),
        args: [body.count_id, by],
        openIn: () => openCountIn(body.count_id),
      },
      "submit",
      [lines, by],
      () => submitCount({ count_id: body.count_id, lines }, by),
    );
  },
});
