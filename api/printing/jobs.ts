import { z } from "zod";
import * as activities from "../../activities/printing/jobs.js";
import { LabelNotFound, LabelNotStored } from "../../src/carriers/problems.js";
import { ItemNotFound } from "../../src/master-data/problems.js";
import { BatchNotFound } from "../../src/picking/problems.js";
import { checkWarehouse, shownWarehouses } from "../../src/platform/actor.js";
import { paged, QueryInt } from "../../src/platform/fields.js";
import { NothingToPrint, TooManyLabels } from "../../src/platform/labels/shapes.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import {
  DocumentNotOnSize,
  NoPrinter,
  OneRecordOnly,
  PrinterInactive,
  PrinterNotFound,
  PrinterNotNamed,
  PrintJobEnded,
  PrintJobNotEnded,
  PrintJobNotFound,
} from "../../src/printing/problems.js";
import { printJobs } from "../../src/printing/queries.js";
import { NewPrintJob, PrintJob, PrintJobFilters } from "../../src/printing/shapes.js";
import { ReturnNotFulfillable } from "../../src/sales-orders/fulfilment.js";
import { SoNotFound } from "../../src/sales-orders/problems.js";
import { ParcelNotFound } from "../../src/shipping/parcels/problems.js";
import { BinNotFound } from "../../src/stock/problems.js";
import { route, signedIn } from "../http/route.js";
import { startPrint, tellPrint } from "./workflow.js";

/** What is sent to printers: docs/printing.md. */

const params = z.strictObject({ job_id: QueryInt.describe("Id of the print job.") });

export const printDocument = route("post /api/printing/jobs", {
  for: signedIn,
  summary: "Has labels or a packing slip printed, in the background; the answer is the print job",
  body: NewPrintJob,
  answers: { 202: PrintJob },
  errors: [
    ...[BinNotFound, ItemNotFound, BatchNotFound, SoNotFound, ParcelNotFound, LabelNotFound, LabelNotStored],
    ...[ReturnNotFulfillable, WarehouseDenied],
    ...[OneRecordOnly, NothingToPrint, TooManyLabels, DocumentNotOnSize, PrinterNotFound, PrinterInactive],
    ...[PrinterNotNamed, NoPrinter],
  ],
  run: async ({ body, by, res }) => {
    const job = await activities.print(body, by);
    startPrint(job, res);
    return job;
  },
});

export const listPrintJobs = route("get /api/printing/jobs", {
  for: signedIn,
  summary: "What was sent to printers, or is to be, newest first; 90 days back",
  query: PrintJobFilters,
  answers: { 200: paged("print_jobs", PrintJob, "The print jobs, the newest first.") },
  errors: [WarehouseDenied],
  run: ({ query, by }) => {
    if (query.warehouse_id !== undefined) checkWarehouse(by, query.warehouse_id);
    return printJobs(query, shownWarehouses(by, query.warehouse_id));
  },
});

export const printAgain = route("post /api/printing/jobs/:job_id/again", {
  for: signedIn,
  summary: "Has a print job that has ended printed once more",
  params,
  answers: { 202: PrintJob },
  errors: [PrintJobNotFound, PrintJobNotEnded],
  run: async ({ params, by, res }) => {
    const job = await activities.printAgain(params.job_id, by);
    tellPrint(job, res);
    return job;
  },
});

export const cancelPrint = route("post /api/printing/jobs/:job_id/cancel", {
  for: signedIn,
  summary: "Cancels a print job that has not ended, or discards one that failed",
  params,
  answers: { 200: PrintJob },
  errors: [PrintJobNotFound, PrintJobEnded],
  run: async ({ params, by, res }) => {
    const job = await activities.cancelPrint(params.job_id, by);
    tellPrint(job, res);
    return job;
  },
});
