import type { Attempted } from "../outbound/retry.js";
import type { PrintJobStatus } from "../platform/states.js";
import type { JobDocument } from "./kinds.js";

/** The workflow `printJob` and its messages. Types and pure functions only, for the workflow. */

/** How long to wait after each attempt that failed; after the last one, the job has failed. */
export const PRINT_DELAYS_MS = [2_000, 15_000, 60_000, 300_000, 900_000] as const;
export const PRINT_ATTEMPTS = PRINT_DELAYS_MS.length + 1;

export const printWorkflowId = (jobId: number): string => `print-job-${jobId}`;

const words: Record<JobDocument, string> = {
  bin_label: "bin label",
  item_label: "item label",
  tote_label: "tote labels",
  packing_slip: "packing slip",
  picking_ticket: "picking ticket",
  parcel_label: "parcel label",
  parcel_slip: "packing slip of parcel",
  carrier_label: "carrier label",
  manifest: "manifest",
  test_page: "test page",
};

/** What people call what is printed: `bin label A-01-01`. */
export const nameOfPrint = ({ document, title }: { document: JobDocument; title: string }): string =>
  document === "test_page" ? words[document] : `${words[document]} ${title}`;

/** How the workflow of a job is started; without words for it, from its row. */
export const startOfPrint = (jobId: number, staticSummary = `Print job ${jobId}, from its row`) => ({
  workflowId: printWorkflowId(jobId),
  args: [jobId] as [number],
  staticSummary,
});

/** What the workflow shows of a job; null for one that was deleted with its printer. */
export interface PrintSummary {
  what: string;
  printer_name: string;
  warehouse_id: number | null;
  warehouse_code: string | null;
  attempts: number;
}

/** How a job ended: as its row says, or it is gone, with its printer. */
export type PrintEnded = Exclude<PrintJobStatus, "pending" | "cancelled"> | "stopped" | "gone";

/** What came of an attempt; `why` it failed, for people. */
export interface PrintAttempted extends Attempted<PrintEnded> {
  why: string | null;
}

export interface PrintGivenUp {
  ended: PrintEnded | "cancelled";
  why: string | null;
}

export interface PrintActivities {
  /** Makes the next attempt if it is due, else says when it will be. */
  attemptPrint(jobId: number): Promise<PrintAttempted>;
}
