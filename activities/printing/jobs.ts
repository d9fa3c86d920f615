import { type Actor, checkWarehouse, visibleWarehouses } from "../../src/platform/actor.js";
import { mayBecome, printJobStates } from "../../src/platform/states.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { readDocument } from "../../src/printing/documents.js";
import { fits } from "../../src/printing/kinds.js";
import {
  DocumentNotOnSize,
  NoPrinter,
  PrinterInactive,
  PrinterNotFound,
  PrinterNotNamed,
  PrintJobEnded,
  PrintJobNotEnded,
  PrintJobNotFound,
} from "../../src/printing/problems.js";
import { IS_USUAL, JOB, PRINTER } from "../../src/printing/queries.js";
import { type NewPrintJob, Printer, PrintJob } from "../../src/printing/shapes.js";
import { nameOfPrint, type PrintAttempted, type PrintEnded, type PrintGivenUp } from "../../src/printing/workflow.js";
import { command, type Tx } from "../command.js";
import { markTickets } from "../sales-orders/mark-printed.js";
import { entityOf } from "./printers.js";

/** Has something printed: by the printer that is named, else by the usual one. Its workflow sends it. */
export async function print(input: NewPrintJob, by: Actor): Promise<PrintJob> {
  const { document, record_ids, copies } = input;
  const { title, warehouses } = await readDocument(document, record_ids, copies);
  for (const warehouse of warehouses) checkWarehouse(by, warehouse);
  return command("printing.print", by, input, async (tx) => {
    const printer = await printerFor(tx, input, by);
    if (!fits(document, printer.size)) throw DocumentNotOnSize({ document, size: printer.size });
    return insertJob(tx, { ...printer, document, record_ids, title, copies }, by);
  });
}

/** Has a test page printed, also by a printer that is not in use. */
export function printTestPage(printer_id: number, by: Actor): Promise<PrintJob> {
  return command("printing.testPage", by, { printer_id }, async (tx) => {
    const printer = await readPrinter(tx, printer_id);
    const { printer_name: title } = printer;
    return insertJob(tx, { ...printer, document: "test_page", record_ids: [], title, copies: 1 }, by);
  });
}

async function readPrinter(tx: Tx, printerId: number): Promise<Printer> {
  const printer = await tx.row(Printer, `select ${PRINTER} from printers p where printer_id = $1`, [printerId]);
  if (!printer) throw PrinterNotFound();
  return printer;
}

async function printerFor(
  tx: Tx,
  { document, printer_id, warehouse_id, station }: NewPrintJob,
  by: Actor,
): Promise<Printer> {
  if (printer_id !== undefined) {
    const printer = await readPrinter(tx, printer_id);
    checkWarehouse(by, printer.warehouse_id);
    if (!printer.is_active) throw PrinterInactive({ printer_name: printer.printer_name });
    return printer;
  }
  if (warehouse_id === undefined) throw PrinterNotNamed();
  checkWarehouse(by, warehouse_id);
  const usual = await tx.row(
    Printer,
    `select ${PRINTER} from printers p
     where ${IS_USUAL}
     order by station is null, printer_name limit 1`,
    [warehouse_id, document, station ?? null],
  );
  if (!usual) throw NoPrinter({ document });
  return usual;
}

type JobOf = Pick<Printer, "printer_id" | "warehouse_id" | "printer_name"> &
  Pick<PrintJob, "document" | "record_ids" | "title" | "copies">;

async function insertJob(tx: Tx, job: JobOf, by: Actor): Promise<PrintJob> {
  const title = job.title.slice(0, 200);
  const made = (await tx.row(
    PrintJob,
    `with j as (
       insert into print_jobs (printer_id, warehouse_id, document, record_ids, title, copies, requested_by)
       values (:printer_id, :warehouse_id, :document, :record_ids, :title, :copies, :requested_by) returning *)
     select ${JOB} from j join printers p using (printer_id)`,
    { ...job, title, requested_by: by.username },
  )) as PrintJob;
  audit(tx, "PRINT", made);
  return made;
}

/** Has a job printed once more that has ended, whatever came of it. */
export function printAgain(jobId: number, by: Actor): Promise<PrintJob> {
  return command("printing.again", by, { jobId }, async (tx) => {
    const job = await lockJob(tx, jobId, visibleWarehouses(by));
    if (!mayBecome(printJobStates, job.status, "pending")) throw PrintJobNotEnded({ job_id: jobId });
    await tx.run(
      `update print_jobs set status = 'pending', run_id = gen_random_uuid(), attempts = 0, due_at = now(),
         handed_over_at = null, remote_id = null, last_error = null, completed_at = null where job_id = $1`,
      [jobId],
    );
    audit(tx, "PRINT_AGAIN", job);
    return { ...job, status: "pending" as const, attempts: 0, last_error: null, completed_at: null };
  });
}

/** Ends a job that is not printed yet, or discards one that failed. What its printer has already may be printed. */
export function cancelPrint(jobId: number, by: Actor): Promise<PrintJob> {
  return command("printing.cancel", by, { jobId }, async (tx) => {
    const job = await lockJob(tx, jobId, visibleWarehouses(by));
    if (!mayBecome(printJobStates, job.status, "cancelled")) throw PrintJobEnded({ job_id: jobId, status: job.status });
    return cancel(tx, job);
  });
}

const CompletedRow = PrintJob.pick({ completed_at: true });

async function cancel(tx: Tx, job: PrintJob): Promise<PrintJob> {
  const ended = (await tx.row(
    CompletedRow,
    "update print_jobs set status = 'cancelled', completed_at = now() where job_id = $1 returning completed_at",
    [job.job_id],
  )) as Pick<PrintJob, "completed_at">;
  audit(tx, "PRINT_CANCEL", job);
  return { ...job, ...ended, status: "cancelled" };
}

/** The locked job; its printer is not locked. */
async function lockJob(tx: Tx, jobId: number, warehouses: number[] | null): Promise<PrintJob> {
  await tx.run("select from print_jobs where job_id = $1 for update", [jobId]);
  const job = await tx.row(
    PrintJob,
    `select ${JOB} from print_jobs j join printers p using (printer_id)
     where job_id = $1 and ($2::int[] is null or j.warehouse_id = any($2))`,
    [jobId, warehouses],
  );
  if (!job) throw PrintJobNotFound();
  return job;
}

/** How the row of a job that has ended is told to its workflow. */
export const endedOf = (status: Exclude<PrintJob["status"], "pending">): PrintEnded =>
  status === "cancelled" ? "stopped" : status;

/** What came of an attempt: without `status`, there is another one in so many milliseconds. */
export interface Came {
  status?: "printed" | "failed";
  why: string | null;
  wait_ms?: number;
}

/** Stores what came of an attempt, as the system user. Where the job has ended meanwhile, that counts. */
export function settlePrint(
  { job_id, run_id, attempts }: { job_id: number; run_id: string; attempts: number },
  { status, why, wait_ms = 0 }: Came,
): Promise<PrintAttempted> {
  const by = systemActor(`print-${run_id}:${attempts}:${status ?? "again"}`);
  return command("printing.settle", by, { job_id, status, why }, async (tx) => {
    const job = await lockJob(tx, job_id, null);
    if (job.status !== "pending") return { ended: endedOf(job.status), why: job.last_error };
    await tx.run(
      `update print_jobs
       set status = coalesce(:status, status), attempts = :attempts::int + 1, last_error = :why,
           due_at = now() + :wait_ms * interval '1 millisecond',
           completed_at = case when :status::text is not null then now() end
       where job_id = :job_id`,
      { job_id, attempts, status: status ?? null, why, wait_ms },
    );
    if (!status) return { why, next: { attempt: attempts + 2, wait_ms } };
    if (status === "printed" && job.document === "picking_ticket") await markTickets(tx, job.record_ids, null);
    audit(tx, status === "printed" ? "PRINTED" : "PRINT_FAILED", job, { attempts: attempts + 1, reason: why });
    return { ended: status, why };
  });
}

/** Gives a job up as the system user, because somebody asked its workflow to be cancelled in the Temporal UI. */
export function giveUpPrint(jobId: number, commandId: string): Promise<PrintGivenUp> {
  return command("printing.giveUp", systemActor(commandId), { jobId }, async (tx) => {
    const job = await lockJob(tx, jobId, null);
    if (job.status !== "pending") return { ended: endedOf(job.status), why: job.last_error };
    await cancel(tx, job);
    return { ended: "cancelled" as const, why: null };
  });
}

function audit(tx: Tx, action: string, job: PrintJob, more: Record<string, unknown> = {}): void {
  const { job_id, record_ids, copies, printer_name } = job;
  tx.audit({
    action,
    ...entityOf(job),
    details: { job_id, what: nameOfPrint(job), record_ids, copies, printer_name, ...more },
  });
}
