import { z } from "zod";
import { arrayOf, int, text } from "../platform/db/columns.js";
import { db } from "../platform/db/db.js";
import { builder, codeOf } from "../platform/db/list.js";
import { listPage } from "../platform/db/listing.js";
import { msUntil } from "../platform/db/ms-until.js";
import type { OfWarehouse } from "../platform/temporal/priorities.js";
import { type Document, documents, printerKinds } from "./kinds.js";
import {
  jobList,
  Printer,
  type PrinterFilters,
  PrinterToUse,
  PrintJob,
  type PrintJobFilters,
  printerList,
} from "./shapes.js";

/** The columns of a printer `p` that people see. */
export const PRINTER = `p.printer_id, p.warehouse_id, p.printer_name, p.kind, p.address, p.format, p.size, p.dpi,
  p.station, p.documents, p.is_active, p.updated_at, ${codeOf("p.warehouse_id")}`;

/** A page of printers, by warehouse and name. */
export function printers(filters: PrinterFilters) {
  const query = builder("printers as p")
    .select(builder.raw(PRINTER))
    .orderBy(["p.warehouse_id", "p.printer_name", "p.printer_id"]);
  if (filters.warehouse_id) query.where("p.warehouse_id", filters.warehouse_id);
  return listPage(Printer, "printers", query, filters, printerList);
}

export const printerById = (printerId: number): Promise<Printer | undefined> =>
  db.row(Printer, `select ${PRINTER} from printers p where printer_id = $1`, [printerId]);

/** SQL: whether a printer `p` of warehouse $1 is the usual one for the document $2, at the station $3 or anywhere. */
export const IS_USUAL = `p.is_active and p.warehouse_id = $1 and $2 = any(p.documents)
  and (p.station is null or p.station = $3)`;

/** Whether a document is printed where no printer is named. */
export async function hasPrinter({ warehouse_id, document, station = null }: OfStation): Promise<boolean> {
  const sql = `select from printers p where ${IS_USUAL} limit 1`;
  return (await db.row({}, sql, [warehouse_id, document, station])) !== undefined;
}

interface OfStation {
  warehouse_id?: number | undefined;
  document: Document;
  station?: string | null | undefined;
}

/** The printers in use of these warehouses, or of one of them. */
export const printersToUse = (warehouseIds: number[] | null, warehouseId: number | null = null) =>
  db.rows(
    PrinterToUse,
    `select printer_id, warehouse_id, printer_name, station, documents, format, size from printers
     where is_active and ($1::int[] is null or warehouse_id = any($1)) and ($2::int is null or warehouse_id = $2)
     order by warehouse_id, printer_name`,
    [warehouseIds, warehouseId],
  );

/** The columns of a job `j` and its printer `p`. */
export const JOB = `j.job_id, j.printer_id, p.printer_name, j.warehouse_id, j.document, j.record_ids, j.title, j.copies,
  j.status, j.attempts, j.last_error, j.requested_by, j.created_at, j.completed_at, ${codeOf("j.warehouse_id")}`;

/** A page of print jobs, the newest first. */
export function printJobs(
  { warehouse_id, printer_id, status, document, ...page }: PrintJobFilters,
  warehouseIds: number[] | null,
) {
  const query = builder("print_jobs as j")
    .join("printers as p", "p.printer_id", "j.printer_id")
    .select(builder.raw(JOB))
    .orderBy("j.job_id", "desc");
  if (warehouseIds) query.whereIn("j.warehouse_id", warehouseIds);
  if (warehouse_id !== undefined) query.where("j.warehouse_id", warehouse_id);
  if (printer_id !== undefined) query.where("j.printer_id", printer_id);
  if (status !== undefined) query.where("j.status", status);
  if (document !== undefined) query.where("j.document", document);
  return listPage(PrintJob, "print_jobs", query, page, jobList);
}

/** The jobs whose workflow should run. */
export const pendingPrintJobs = (): Promise<OfWarehouse[]> =>
  db.rows(
    { id: int, warehouse_id: int },
    "select job_id as id, warehouse_id from print_jobs where status = 'pending' order by job_id",
  );

/** What an attempt needs to know of a job and its printer. */
export const JobToPrint = z.strictObject({
  ...PrintJob.pick({ job_id: true, printer_id: true, printer_name: true, warehouse_id: true, warehouse_code: true })
    .shape,
  ...PrintJob.pick({ title: true, copies: true, status: true, attempts: true, last_error: true }).shape,
  document: z.enum([...documents, "test_page"]),
  record_ids: arrayOf(int),
  run_id: text,
  handed_over_at: text.nullable(),
  remote_id: text.nullable(),
  /** Until its next attempt is due. */
  wait_ms: int,
  kind: z.enum(printerKinds),
  ...Printer.pick({ address: true, format: true, size: true, dpi: true, is_active: true }).shape,
  api_key_sealed: text.nullable(),
});
export type JobToPrint = z.infer<typeof JobToPrint>;

export const readJob = (jobId: number): Promise<JobToPrint | undefined> =>
  db.row(
    JobToPrint,
    `select j.job_id, j.printer_id, p.printer_name, j.warehouse_id, ${codeOf("j.warehouse_id")}, j.title, j.copies,
            j.status, j.attempts, j.last_error, j.document, j.record_ids, j.run_id, j.handed_over_at, j.remote_id,
            ${msUntil("j.due_at")} as wait_ms,
            p.kind, p.address, p.format, p.size, p.dpi, p.is_active, p.api_key_sealed
     from print_jobs j join printers p using (printer_id) where job_id = $1`,
    [jobId],
  );
