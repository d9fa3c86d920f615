import { z } from "zod";
import { submitCount } from "../activities/cycle-counts/index.js";
import { checkWarehouse } from "../src/actor.js";
import { countWorkflowId } from "../src/cycle-counts/count.js";
import {
  CountNotFound,
  CountNotOpen,
  LineNotOnCount,
} from "../src/cycle-counts/problems.js";
import {
  countWithLines,
  isCountOpen,
  takeCountIds,
} from "../src/cycle-counts/queries.js";
import { ItemNotFound } from "../src/lookup/problems.js";
import { EngineUnavailable, WarehouseDenied } from "../src/problem.js";
import { BinNotFound } from "../src/receiving/problems.js";
import { WarehouseNotFound } from "../src/warehouses/problems.js";
import type * as count from "../workflows/cycle-count.js";
import { Id, QueryInt, Text, Time, Units } from "./fields.js";
import { startWith, step } from "./process.js";
import { floor, route } from "./route.js";

/** Cycle counts: spec 4.5, reference 02 §8. Each count is a `cycleCount` process until an admin has decided on it. */

/** Each bin is a process, and the lines of a submission travel through one: the engine takes no message above 2 MB. */
const MOST_BINS = 500;
const MOST_LINES = 5_000;

export const createCounts = route("post /api/inventory/cycle-count/create", {
  for: floor("count"),
  summary: "Starts a count of each of these bins",
  body: z.strictObject({
    warehouse_id: Id,
    bin_ids: z.array(Id).min(1).max(MOST_BINS),
  }),
  answers: {
    200: z.strictObject({
      message: z.string(),
      counts: z.array(
        z.strictObject({
          count_id: Id,
          bin_id: Id,
          bin_code: z.string(),
          status: z.string(),
          lines: z.int(),
          assigned_to: z.string().nullable(),
        }),
      ),
    }),
  },
  errors: [WarehouseNotFound, BinNotFound, EngineUnavailable],
  run: async ({ body, by, res }) => {
    const warehouseId = body.warehouse_id;
    // A bin that is named twice is counted once.
    const binIds = [...new Set(body.bin_ids)];
    const countIds = await takeCountIds(binIds.length);
    const [first] = countIds as [number];
    const { counts } = await startWith<
      typeof count.cycleCount,
      typeof count.created
    >(
      { by, res },
      "cycleCount",
      countWorkflowId(first),
      {
        args: [first, by, { warehouseId, binIds, countIds }],
        staticSummary: `Count ${first}, one of ${binIds.length} bin(s) in warehouse ${warehouseId}, by ${by.username}`,
      },
      "created",
      [],
    );
    if (counts[0])
      res.setHeader(
        "X-Service-Workflow-Id",
        countWorkflowId(counts[0].count_id),
      );
    return { message: `Created ${counts.length} cycle count(s)`, counts };
  },
});

export const getCount = route("get /api/inventory/cycle-count/:count_id", {
  for: floor("count"),
  summary:
    "A count with its lines, and whether its counter may see what is expected",
  params: z.strictObject({ count_id: QueryInt }),
  answers: {
    200: z.strictObject({
      cycle_count: z.strictObject({
        count_id: Id,
        bin_id: Id,
        bin_code: z.string(),
        bin_barcode: z.string(),
        warehouse_id: Id,
        status: z.string(),
        assigned_to: z.string().nullable(),
        created_at: Time,
      }),
      show_expected: z.boolean(),
      lines: z.array(
        z.strictObject({
          count_line_id: Id,
          item_id: Id,
          sku: z.string(),
          item_name: z.string(),
          upc: z.string().nullable(),
          // A number for blind counts too: scanners rely on it, and hide it (reference 02 §8).
          expected_quantity: Units,
          counted_quantity: Units.nullable(),
          variance: Units.nullable(),
          scanned: z.boolean(),
          unexpected: z.boolean(),
        }),
      ),
    }),
  },
  errors: [CountNotFound, WarehouseDenied],
  run: async ({ params, by }) => {
    const found = await countWithLines(params.count_id);
    if (!found) throw CountNotFound();
    checkWarehouse(by, found.cycle_count.warehouse_id);
    return found;
  },
});

const CountedLine = z
  .strictObject({
    count_line_id: Id.nullish(),
    counted_quantity: z
      .int()
      .min(0)
      .max(1_000_000)
      .meta({ examples: [10] }),
    unexpected: z.boolean().default(false),
    item_id: Id.nullish(),
    /** Scanners send it along; the item's id is what counts. */
    sku: Text(128, "TST-001").nullish(),
  })
  .refine((line) => line.unexpected || line.count_line_id, {
    error: "count_line_id is required",
    path: ["count_line_id"],
  })
  .refine((line) => !line.unexpected || line.item_id, {
    error: "item_id is required for an unexpected item",
    path: ["item_id"],
  });

export const submit = route("post /api/inventory/cycle-count/submit", {
  for: floor("count"),
  summary: "Reports what was counted; what differs waits for an admin",
  body: z.strictObject({
    count_id: Id,
    lines: z.array(CountedLine).min(1).max(MOST_LINES),
  }),
  answers: {
    200: z.strictObject({
      message: z.string(),
      count_id: Id,
      bin_code: z.string(),
      status: z.enum(["COMPLETED", "VARIANCE"]),
      summary: z.strictObject({
        total_lines: z.int(),
        lines_with_variance: z.int(),
        lines_matched: z.int(),
        adjustments: z.array(
          z.strictObject({
            sku: z.string(),
            expected: Units,
            counted: Units,
            variance: Units,
            adjustment_id: Id,
            unexpected: z.literal(true).optional(),
          }),
        ),
      }),
    }),
  },
  errors: [
    CountNotFound,
    WarehouseDenied,
    CountNotOpen,
    LineNotOnCount,
    ItemNotFound,
    EngineUnavailable,
  ],
  run: ({ body, by, res }) => {
    const lines = body.lines.map(({ sku: _, ...line }) => line);
    return step<typeof count.cycleCount, typeof count.submit>(
      { by, res },
      {
        workflow: "cycleCount",
        workflowId: countWorkflowId(body.count_id),
        args: [body.count_id, by],
        isOpen: () => isCountOpen(body.count_id),
      },
      "submit",
      [lines, by],
      () => submitCount({ count_id: body.count_id, lines }, by),
    );
  },
});
