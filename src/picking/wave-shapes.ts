import { z } from "zod";
import { Barcode, Id, Units } from "../platform/fields.js";
import { BatchOrder, NextPickTask, PickTask } from "./shapes.js";

/** What creating waves and batches takes and answers: docs/interface.md, Picking. */

export const WaveScan = z
  .strictObject({
    so_barcode: Barcode.optional(),
    barcode: Barcode.optional(),
    warehouse_id: Id,
  })
  .refine((body) => body.so_barcode ?? body.barcode, {
    error: "so_barcode is required",
    path: ["so_barcode"],
  });

const ValidOrderScan = z.strictObject({
  valid: z.literal(true).describe("That what was scanned can be picked."),
  kind: z.literal("SO"),
  so_id: Id,
  so_number: z.string(),
  line_count: z.int(),
  total_units: Units,
});

/** A transfer order's walk goes on where it is; it joins no wave. */
const ValidTransferScan = z.strictObject({
  valid: z.literal(true).describe("That what was scanned can be picked."),
  kind: z.literal("TO"),
  to_id: Id,
  to_number: z.string(),
  batch_id: Id,
  batch_number: z.string(),
  line_count: z.int(),
  total_units: Units,
});

export const ValidWaveScan = z.union([ValidOrderScan, ValidTransferScan]);

/** A plan of 8,000 tasks is made within the time that a route waits. */
const MOST_ORDERS = 500;

export const NewWave = z
  .strictObject({
    so_ids: z.array(Id).min(1).max(MOST_ORDERS),
    warehouse_id: Id,
    exclude_so_ids: z.array(Id).default([]),
  })
  .meta({ id: "NewWave", description: "Orders to pick together, in one wave." });

export const CreatedWave = z
  .strictObject({
    batch_id: Id,
    batch_number: z.string(),
    batch_status: z.literal("IN_PROGRESS"),
    total_orders: z.int(),
    total_picks: z.int(),
    total_units: Units,
    orders: z.array(z.strictObject({ so_id: Id, so_number: z.string(), line_count: z.int() })),
    first_pick: NextPickTask.nullable(),
  })
  .meta({ id: "CreatedWave", description: "A wave that was created, and its first task." });

export const NewPickBatch = z
  .strictObject({
    so_identifiers: z.array(Barcode).min(1).max(MOST_ORDERS),
    warehouse_id: Id,
    exclude_so_ids: z.array(Id).default([]),
  })
  .meta({ id: "NewPickBatch", description: "Orders to pick in one batch, each with tasks and a tote of its own." });

export const CreatedPickBatch = z
  .strictObject({
    batch_id: Id,
    batch_number: z.string(),
    status: z.literal("OPEN"),
    total_orders: z.int(),
    total_items: Units,
    orders: z.array(BatchOrder),
    tasks: z.array(PickTask),
  })
  .meta({ id: "CreatedPickBatch", description: "A pick batch that was created, with its tasks." });
