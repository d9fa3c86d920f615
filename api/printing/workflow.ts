import type { Response } from "express";
import type { PrintJob } from "../../src/printing/shapes.js";
import { nameOfPrint, printWorkflowId, startOfPrint } from "../../src/printing/workflow.js";
import type { changed } from "../../workflows/print-job.js";
import { startFromRows, tellFromRows } from "../http/workflow-updates.js";

const CHANGED: typeof changed.name = "changed";

const startOf = (job: PrintJob) => startOfPrint(job.job_id, `${nameOfPrint(job)} on ${job.printer_name}`);

/** Starts the workflow of a job that was just made, without waiting for it. */
export function startPrint(job: PrintJob, res: Response): void {
  const { workflowId, ...start } = startOf(job);
  res.setHeader("X-Service-Workflow-Id", workflowId);
  startFromRows("printJob", workflowId, { ...start, warehouseId: job.warehouse_id });
}

/**
 * Tells the workflow of a job to look at its row, and starts it where it has ended and the job has not. Where that is
 * lost, a cancelled job is seen at its next attempt, and another one is started by the job `reconcile`.
 */
export function tellPrint(job: PrintJob, res: Response): void {
  const { job_id, warehouse_id: warehouseId, status } = job;
  res.setHeader("X-Service-Workflow-Id", printWorkflowId(job_id));
  tellFromRows("printJob", startOf(job), { warehouseId, goesOn: status === "pending", signal: CHANGED });
}
