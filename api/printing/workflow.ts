import type { Response } from "express";
import { log } from "../../src/platform/log.js";
import { WORKFLOW_TASK_TIMEOUT } from "../../src/platform/temporal/connection.js";
import { ofWarehouse } from "../../src/platform/temporal/priorities.js";
import type { PrintJob } from "../../src/printing/shapes.js";
import { nameOfPrint, printWorkflowId, startOfPrint } from "../../src/printing/workflow.js";
import type { changed } from "../../workflows/print-job.js";
import { startFromRows, taskQueue, temporalClient } from "../http/workflow-updates.js";

const TELL_WITHIN_MS = 5_000;
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
  const { job_id, warehouse_id, status } = job;
  const client = temporalClient();
  const workflowId = printWorkflowId(job_id);
  res.setHeader("X-Service-Workflow-Id", workflowId);
  const telling = () =>
    status === "pending"
      ? client.workflow.signalWithStart("printJob", {
          ...{ ...startOf(job), taskQueue, workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT },
          ...{ signal: CHANGED, signalArgs: [], priority: ofWarehouse(warehouse_id) },
        })
      : client.workflow.getHandle(workflowId).signal(CHANGED);
  client
    .withDeadline(Date.now() + TELL_WITHIN_MS, async () => void (await telling()))
    .catch((err) => log.debug({ err, workflowId }, "the workflow of a print job was not told"));
}
