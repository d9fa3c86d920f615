import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { AnyText, Edit, Id, Name, QueryInt, Text, Time } from "../platform/fields.js";
import { MOST_LABELS } from "../platform/labels/shapes.js";
import { labelSizes, slipSizes } from "../platform/labels/sizes.js";
import { list } from "../platform/list.js";
import { type PrintJobStatus, printJobStates } from "../platform/states.js";
import { documents, printerKinds, type Size } from "./kinds.js";

/** Printers and what is sent to them: docs/printing.md. */

const Kind = z.enum(printerKinds).meta({
  id: "PrinterKind",
  description: "How it is reached: over a socket (usually port 9100), by IPP, or through a service like PrintNode.",
});
const Document = z.enum(documents).meta({ id: "PrintableDocument", description: "What can be printed." });
const PrinterId = Id.describe("Which printer it is, as routes name it.");
const Address = Name(512, "192.168.10.20:9100").describe(
  "Host and port (raw9100), an ipp:// or ipps:// URL (ipp), or the URL of the printer at its service (printnode).",
);
const PrinterName = Name(128, "Packing bench 1").describe("What people call the printer, once in a warehouse.");
const Format = z.enum(["pdf", "zpl"]).meta({ description: "What it understands.", examples: ["zpl"] });
const sizes = Object.keys({ ...labelSizes, ...slipSizes }) as [Size];
const PaperSize = z.enum(sizes).meta({ description: "The label or paper in it.", examples: ["100x50"] });
const Dpi = z.literal([203, 300]).meta({ description: "Dots per inch, of effect with ZPL only.", examples: [203] });
const StationName = Name(64, "Bench 1").describe("The station, as its devices were told its name.");
const Station = StationName.nullable().describe(
  "The station whose printer it is for its documents; null: of all that have none of their own.",
);
const Documents = z
  .array(Document)
  .transform((all) => [...new Set(all)])
  .meta({ description: "What it prints where a request names no printer.", examples: [["bin_label"]] });

export const Printer = z
  .strictObject({
    printer_id: PrinterId,
    warehouse_id: field.WarehouseId,
    warehouse_code: field.WarehouseCode,
    printer_name: AnyText("Packing bench 1").describe("What people call the printer, once in a warehouse."),
    kind: Kind,
    address: AnyText("192.168.10.20:9100").describe("Where it is."),
    format: Format,
    size: PaperSize,
    dpi: Dpi,
    station: AnyText("Bench 1").nullable().describe("The station whose printer it is; null: of all."),
    documents: z.array(Document).meta({ description: "What it prints by default.", examples: [["bin_label"]] }),
    is_active: field.IsActive,
    updated_at: field.UpdatedAt,
  })
  .meta({ id: "Printer", description: "A printer that workers send to; never its API key." });
export type Printer = z.infer<typeof Printer>;

export const printerList = list("p.printer_id", "p.printer_name", "p.warehouse_id", "p.updated_at");
export const PrinterFilters = z.object({
  ...printerList.parameters,
  warehouse_id: field.WarehouseIdParam.optional(),
});
export type PrinterFilters = z.infer<typeof PrinterFilters>;

const fields = {
  printer_name: PrinterName,
  address: Address,
  api_key: Name(256, "44784dd8d88be963").describe("Of the service (printnode only); stored encrypted, never shown."),
  format: Format,
  size: PaperSize,
  dpi: Dpi,
  station: Station,
  documents: Documents,
};

export const NewPrinter = z.strictObject({
  ...fields,
  warehouse_id: field.WarehouseId,
  kind: Kind,
  api_key: fields.api_key.optional(),
  dpi: Dpi.default(203),
  station: Station.default(null),
  documents: Documents.default([]),
});
export type NewPrinter = z.infer<typeof NewPrinter>;

export const PrinterChanges = Edit({ ...fields, is_active: field.IsActive });
export type PrinterChanges = z.infer<typeof PrinterChanges>;

/** A printer as those see it who print. */
export const PrinterToUse = Printer.pick({
  printer_id: true,
  warehouse_id: true,
  printer_name: true,
  station: true,
  documents: true,
  format: true,
  size: true,
}).meta({ id: "PrinterToUse", description: "A printer that can be chosen." });

export const PrintersToUse = z.object({ warehouse_id: field.WarehouseIdParam.optional() });

const Status = z.enum(Object.keys(printJobStates) as PrintJobStatus[]).meta({
  id: "PrintJobStatus",
  description: "Where it stands; `failed` where it was not printed, or nobody can know.",
});
const RecordIds = z.array(Id).max(MOST_LABELS);
const Copies = z
  .int()
  .min(1)
  .max(MOST_LABELS)
  .meta({ description: "How many times it is printed.", examples: [1] });
const JobDocument = z.enum([...documents, "test_page"]).describe("What is printed.");

export const PrintJob = z
  .strictObject({
    job_id: Id.describe("Id of the print job."),
    printer_id: PrinterId,
    printer_name: AnyText("Packing bench 1").describe("What people call the printer."),
    warehouse_id: field.WarehouseId,
    warehouse_code: field.WarehouseCode,
    document: JobDocument,
    record_ids: z.array(Id).meta({ description: "Bins, items, orders, or a batch.", examples: [[1]] }),
    title: AnyText("A-01-01").describe("What is printed, as people call it."),
    copies: Copies,
    status: Status,
    attempts: z
      .int()
      .nonnegative()
      .meta({ description: "Attempts that ended.", examples: [1] }),
    last_error: AnyText("No connection (ECONNREFUSED)").nullable().describe("Why it failed, in words."),
    requested_by: AnyText("ann").describe("Who had it printed."),
    created_at: field.CreatedAt,
    completed_at: Time.nullable().describe("When it ended; null while it has not."),
  })
  .meta({ id: "PrintJob", description: "Something that is sent to a printer, and what came of it." });
export type PrintJob = z.infer<typeof PrintJob>;

export const jobList = list("j.job_id", "j.job_id", "j.status", "j.created_at", "j.completed_at");
export const PrintJobFilters = z.object({
  ...jobList.parameters,
  warehouse_id: field.WarehouseIdParam.optional(),
  printer_id: QueryInt.describe("Only of this printer.").optional(),
  status: Status.describe("Only jobs that stand there.").optional(),
  document: JobDocument.describe("Only of this kind.").optional(),
});
export type PrintJobFilters = z.infer<typeof PrintJobFilters>;

export const NewPrintJob = z
  .strictObject({
    document: Document,
    record_ids: RecordIds.min(1).meta({
      description: "Bins, items or orders; of tote labels one batch.",
      examples: [[1]],
    }),
    copies: Copies.default(1),
    printer_id: PrinterId.optional(),
    warehouse_id: field.WarehouseId.describe(
      "Where no printer is named: the warehouse whose usual one is taken.",
    ).optional(),
    station: Text(64, "Bench 1").describe("Where no printer is named: the station, if its device has one.").optional(),
  })
  .meta({ id: "NewPrintJob", description: "What is to be printed, and where." });
export type NewPrintJob = z.infer<typeof NewPrintJob>;
