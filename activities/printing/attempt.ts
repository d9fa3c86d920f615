import { setTimeout as pause } from "node:timers/promises";
import { CannotUnseal, unseal } from "../../src/auth/sealed.js";
import { DestinationRefused } from "../../src/outbound/wire/connections.js";
import { failureOf } from "../../src/outbound/wire/exchange.js";
import { WorkTooLarge } from "../../src/platform/concurrency/in-thread.js";
import type { Config } from "../../src/platform/config/config.js";
import { db } from "../../src/platform/db/db.js";
import { DomainError } from "../../src/platform/problem.js";
import { placeOf, printerAddresses } from "../../src/printing/addresses.js";
import { type Device, maybePrinted, NotPrinted, usualLimits } from "../../src/printing/devices/device.js";
import { ippPrinter } from "../../src/printing/devices/ipp.js";
import { printNodePrinter } from "../../src/printing/devices/printnode.js";
import { rawPrinter } from "../../src/printing/devices/raw.js";
import { type Printable, printable, readDocument } from "../../src/printing/documents.js";
import { testPages } from "../../src/printing/draw-test-page.js";
import { printSizes } from "../../src/printing/kinds.js";
import { type JobToPrint, readJob } from "../../src/printing/queries.js";
import { apiKeyOwner } from "../../src/printing/secrets.js";
import {
  nameOfPrint,
  PRINT_ATTEMPTS,
  PRINT_DELAYS_MS,
  type PrintActivities,
  type PrintAttempted,
  type PrintSummary,
} from "../../src/printing/workflow.js";
import { withHeartbeat } from "../heartbeat.js";
import { type Came, endedOf, settlePrint } from "./jobs.js";

type Options = Pick<Config<"worker">, "encryptionKey" | "encryptionKeysPrevious" | "printerNetworks">;

/** A worker that was killed during an attempt is missed after five times that. */
const HEARTBEAT_MS = 2_000;
/** How long a printer is watched within one attempt, and how often. */
const WATCHED_MS = 20_000;
const LOOK_EVERY_MS = 500;
const LONGEST_REASON = 500;

export const printActivities = (options: Options): PrintActivities => ({
  attemptPrint: (jobId) => withHeartbeat(HEARTBEAT_MS, (signal) => attemptPrint(jobId, options, signal)),
});

/** What the workflow of a job shows. */
export async function describePrint(jobId: number): Promise<PrintSummary> {
  const job = await readJob(jobId);
  if (!job) return { ...{ what: "a deleted job", printer_name: "a deleted printer" }, ...NO_WAREHOUSE, attempts: 0 };
  const { printer_name, warehouse_id, warehouse_code, attempts } = job;
  return { what: nameOfPrint(job), printer_name, warehouse_id, warehouse_code, attempts };
}

const NO_WAREHOUSE = { warehouse_id: null, warehouse_code: null };

/**
 * Makes the next attempt of a job, if it is due. What a printer may have is not sent to it again: where it gives ids,
 * it is asked for its own; where a repeated request is recognised, that is made; else the job fails, and says so.
 */
export async function attemptPrint(jobId: number, options: Options, signal: AbortSignal): Promise<PrintAttempted> {
  const job = await readJob(jobId);
  if (!job) return { ended: "gone", why: null };
  const { status, attempts, wait_ms, last_error: why } = job;
  if (status !== "pending") return { ended: endedOf(status), why };
  if (wait_ms > 0) return { why, next: { attempt: attempts + 1, wait_ms } };
  return settlePrint(job, await tried(job, options, signal));
}

/** Thrown is only what says nothing of the printer: this process stops, or the database is away. */
async function tried(job: JobToPrint, options: Options, signal: AbortSignal): Promise<Came> {
  try {
    await sendAndWatch(job, options, signal);
    return { status: "printed", why: null };
  } catch (error) {
    const failure = signal.aborted ? undefined : notPrinted(error);
    if (!failure) throw error;
    const why = failure.message.slice(0, LONGEST_REASON);
    if (failure.isFinal || job.attempts + 1 >= PRINT_ATTEMPTS) return { status: "failed", why };
    return { why, wait_ms: PRINT_DELAYS_MS[job.attempts] as number };
  }
}

/** The failure that an error stands for; undefined where it is none of the printer's or of the records'. */
function notPrinted(error: unknown): NotPrinted | undefined {
  if (error instanceof NotPrinted) return error;
  if ([DomainError, CannotUnseal, DestinationRefused, WorkTooLarge].some((Kind) => error instanceof Kind))
    return new NotPrinted((error as Error).message, true);
  return undefined;
}

async function sendAndWatch(job: JobToPrint, options: Options, signal: AbortSignal): Promise<void> {
  const device = await deviceOf(job, options);
  const remoteId = job.remote_id ?? (await send(job, device, signal));
  if (remoteId === null) return;
  const until = Date.now() + WATCHED_MS;
  for (;;) {
    const progress = await device.look(remoteId, signal);
    if (progress.state === "printed") return;
    if (Date.now() > until) throw new NotPrinted(progress.why);
    await pause(LOOK_EVERY_MS, undefined, { signal });
  }
}

async function send(job: JobToPrint, device: Device, signal: AbortSignal): Promise<string | null> {
  const { job_id, run_id: runId, format, size, dpi, copies } = job;
  if (job.handed_over_at !== null && !device.repeatable) throw maybePrinted("The worker stopped while it was sent");
  const document = await read(job);
  const how = { format, dpi, size: printSizes[size], copies };
  const { content } = await document.draw(how, { key: `printer ${job.printer_id}`, signal });
  const remoteId = await device.send({
    ...{ title: nameOfPrint(job), format, content, runId, signal },
    handOver: () => handOver(job, device.repeatable),
    takeBack: () => takeBack(job),
  });
  if (remoteId !== null)
    await db.run("update print_jobs set remote_id = $3 where job_id = $1 and run_id = $2", [job_id, runId, remoteId]);
  return remoteId;
}

function read({ document, record_ids, copies, ...job }: JobToPrint): Promise<Printable> {
  if (document !== "test_page") return readDocument(document, record_ids, copies);
  const { printer_name, warehouse_code, kind, format, size, dpi } = job;
  const how = [kind, format, size, ...(format === "zpl" ? [`${dpi} dpi`] : [])].join(" · ");
  return Promise.resolve(printable(printer_name, [], testPages, { printer_name, warehouse_code, how }));
}

/** Only one attempt hands a job over, and none of a job that has ended. */
async function handOver({ job_id, run_id }: JobToPrint, again: boolean): Promise<void> {
  const noted = await db.run(
    `update print_jobs set handed_over_at = now()
     where job_id = $1 and run_id = $2 and status = 'pending' and (handed_over_at is null or $3)`,
    [job_id, run_id, again],
  );
  if (noted === 0) throw new NotPrinted("It was cancelled, or is being sent by another worker");
}

const takeBack = ({ job_id, run_id }: JobToPrint) =>
  db
    .run("update print_jobs set handed_over_at = null where job_id = $1 and run_id = $2", [job_id, run_id])
    .then(() => {});

/** The printer, at an address that was checked just now. */
async function deviceOf(job: JobToPrint, options: Options): Promise<Device> {
  const { kind, address, api_key_sealed, printer_id } = job;
  const place = placeOf(kind, address);
  const addresses = await printerAddresses(kind, place, options.printerNetworks).catch((error) => {
    if (error instanceof DestinationRefused) throw error;
    throw new NotPrinted(failureOf(error).detail);
  });
  if (kind === "raw9100") return rawPrinter(addresses, place.port as number);
  const server = { url: place.url as URL, addresses, limits: usualLimits };
  if (kind === "ipp") return ippPrinter(server);
  return printNodePrinter(server, unseal(api_key_sealed as string, apiKeyOwner(printer_id), options));
}
