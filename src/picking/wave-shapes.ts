import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { Barcode, Id } from "../platform/fields.js";
import { BatchOrder, NextPickTask, PickTask, WalkLength } from "./shapes.js";

/** Requests and answers of creating waves and batches: docs/interface.md, Picking. */

export const WaveScan = z
  .strictObject({
    so_barcode: Barcode.optional().describe("What the scanner reads on the sales order."),
    barcode: field.Scanned.optional(),
    warehouse_id: field.WarehouseId,
  })
  .refine((body) => body.so_barcode ?? body.barcode, { error: "so_barcode is required", path: ["so_barcode"] });

const ValidOrderScan = z.strictObject({
  valid: z.literal(true).describe("That what was scanned can be picked."),
  kind: z.literal("SO").describe("What kind it is."),
  so_id: field.SoId,
  so_number: field.SoNumber,
  line_count: field.LineCount,
  total_units: field.TotalUnits,
});

/** The walk of a transfer order is continued by itself; it joins no wave. */
const ValidTransferScan = z.strictObject({
  valid: z.literal(true).describe("That what was scanned can be picked."),
  kind: z.literal("TO").describe("What kind it is."),
  to_id: field.ToId,
  to_number: field.ToNumber,
  batch_id: field.BatchId,
  batch_number: field.BatchNumber,
  line_count: field.LineCount,
  total_units: field.TotalUnits,
});

export const ValidWaveScan = z.union([ValidOrderScan, ValidTransferScan]);

/** A plan of 8,000 tasks is made within the time that a route waits. */
const MOST_ORDERS = 500;

export const NewWave = z
  .strictObject({
    so_ids: z.array(Id).min(1).max(MOST_ORDERS).describe("Ids of the sales orders."),
    warehouse_id: field.WarehouseId,
    exclude_so_ids: field.ExcludeSoIds.default([]),
  })
  .meta({ id: "NewWave", description: "Orders to pick together, in one wave." });

export const CreatedWave = z
  .strictObject({
    batch_id: field.BatchId,
    batch_number: field.BatchNumber,
    batch_status: z.literal("IN_PROGRESS").describe("Where the wave stands."),
    total_orders: field.TotalOrders,
    total_picks: field.TotalPicks,
    total_units: field.TotalUnits,
    orders: z
      .array(z.strictObject({ so_id: field.SoId, so_number: field.SoNumber, line_count: field.LineCount }))
      .describe("The orders, one entry for each."),
    first_pick: NextPickTask.nullable().describe("The first pick task; null when there is none."),
    walk: WalkLength,
  })
  .meta({ id: "CreatedWave", description: "A wave that was created, and its first task." });

export const NewPickBatch = z
  .strictObject({
    so_identifiers: z.array(Barcode).min(1).max(MOST_ORDERS).describe("Numbers or barcodes of sales orders."),
    warehouse_id: field.WarehouseId,
    exclude_so_ids: field.ExcludeSoIds.default([]),
  })
  .meta({ id: "NewPickBatch", description: "Orders to pick in one batch, each with tasks and a tote of its own." });

export const CreatedPickBatch = z
  .strictObject({
    batch_id: field.BatchId,
    batch_number: field.BatchNumber,
    status: z.literal("OPEN").describe("Where the record stands in its life."),
    total_orders: field.TotalOrders,
    total_items: field.TotalItems,
    orders: z.array(BatchOrder).describe("The orders, one entry for each."),
    tasks: z.array(PickTask).describe("What is to be picked, in the order of picking."),
    walk: WalkLength,
  })
  .meta({ id: "CreatedPickBatch", description: "A pick batch that was created, with its tasks." });
