import { z } from "zod";
import { printTestPage } from "../../activities/printing/jobs.js";
import * as activities from "../../activities/printing/printers.js";
import { UnknownWarehouse } from "../../src/master-data/problems.js";
import { DestinationRefused } from "../../src/outbound/wire/connections.js";
import { unlessAborted } from "../../src/outbound/wire/exchange.js";
import { checkWarehouse, visibleWarehouses } from "../../src/platform/actor.js";
import { Message, paged, QueryInt } from "../../src/platform/fields.js";
import { SizeNotOnRoll } from "../../src/platform/labels/shapes.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { placeOf, printerAddresses } from "../../src/printing/addresses.js";
import type { PrinterKind } from "../../src/printing/kinds.js";
import {
  BadPrinterAddress,
  DocumentNotOnSize,
  PrinterAddressRefused,
  PrinterApiKey,
  PrinterExists,
  PrinterNotFound,
} from "../../src/printing/problems.js";
import { printerById, printers, printersToUse } from "../../src/printing/queries.js";
import {
  NewPrinter,
  Printer,
  PrinterChanges,
  PrinterFilters,
  PrintersToUse,
  PrinterToUse,
  PrintJob,
} from "../../src/printing/shapes.js";
import type { AppOptions } from "../http/options.js";
import { admin, route, signedIn } from "../http/route.js";
import { startPrint } from "./workflow.js";

/** Printers: docs/printing.md. */

const params = z.strictObject({ printer_id: QueryInt.describe("Which printer it is.") });

const refusals = [
  ...[BadPrinterAddress, PrinterAddressRefused, PrinterApiKey, PrinterExists],
  ...[SizeNotOnRoll, DocumentNotOnSize],
];

/** The longest wait for name servers. */
const RESOLVED_WITHIN_MS = 3_000;

/**
 * Why no printer may be at the address; undefined where one may, and where its name cannot be resolved here: the worker
 * looks again before each attempt.
 */
async function refused(kind: PrinterKind, address: string, { printerNetworks }: AppOptions) {
  try {
    const found = printerAddresses(kind, placeOf(kind, address), printerNetworks);
    await unlessAborted(found, AbortSignal.timeout(RESOLVED_WITHIN_MS));
    return undefined;
  } catch (error) {
    return error instanceof DestinationRefused ? error.message : undefined;
  }
}

export const listPrinters = route("get /api/admin/printers", {
  for: admin,
  summary: "Printers, by warehouse and name; never their API keys",
  query: PrinterFilters,
  answers: { 200: paged("printers", Printer, "The printers, one entry for each.") },
  run: async ({ query }) => printers(query),
});

export const createPrinter = route("post /api/admin/printers", {
  for: admin,
  summary: "Sets a printer of a warehouse up",
  body: NewPrinter,
  answers: { 201: Printer },
  errors: [UnknownWarehouse, ...refusals],
  run: async ({ body, by, options }) =>
    activities.createPrinter(body, await refused(body.kind, body.address, options), options, by),
});

export const updatePrinter = route("put /api/admin/printers/:printer_id", {
  for: admin,
  summary: "Changes what is sent of a printer, which stays of its kind and in its warehouse",
  params,
  body: PrinterChanges,
  answers: { 200: Printer },
  errors: [PrinterNotFound, ...refusals],
  run: async ({ params: { printer_id }, body, by, options }) => {
    const { address } = body;
    const kind = address === undefined ? undefined : (await printerById(printer_id))?.kind;
    const why = kind && (await refused(kind, address as string, options));
    return activities.updatePrinter(printer_id, body, why, options, by);
  },
});

export const deletePrinter = route("delete /api/admin/printers/:printer_id", {
  for: admin,
  summary: "Deletes a printer, with its print jobs",
  params,
  answers: { 200: Message },
  errors: [PrinterNotFound],
  run: ({ params, by }) => activities.deletePrinter(params.printer_id, by),
});

export const printTest = route("post /api/admin/printers/:printer_id/test", {
  for: admin,
  summary: "Has a test page printed, in the background; the answer is its print job",
  params,
  answers: { 202: PrintJob },
  errors: [PrinterNotFound],
  run: async ({ params, by, res }) => {
    const job = await printTestPage(params.printer_id, by);
    startPrint(job, res);
    return job;
  },
});

export const listPrintersToUse = route("get /api/printing/printers", {
  for: signedIn,
  summary: "The printers in use of the caller's warehouses, to choose one",
  query: PrintersToUse,
  answers: {
    200: z.strictObject({
      printers: z.array(PrinterToUse).describe("Those that can be chosen, by warehouse and name."),
    }),
  },
  errors: [WarehouseDenied],
  run: async ({ query: { warehouse_id }, by }) => {
    if (warehouse_id !== undefined) checkWarehouse(by, warehouse_id);
    return { printers: await printersToUse(visibleWarehouses(by), warehouse_id) };
  },
});
