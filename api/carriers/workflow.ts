import type { Response } from "express";
import type { Label } from "../../src/carriers/label-shapes.js";
import {
  LABEL_STAGE,
  LABEL_TASK_TIMEOUT,
  labelAttributes,
  labelWorkflowId,
  nameOfLabel,
  startOfLabel,
} from "../../src/carriers/workflow.js";
import { connectorQueue } from "../../src/connectors/task-queue.js";
import { Stage } from "../../src/platform/temporal/search-attributes.js";
import type * as workflow from "../../workflows/label-purchase.js";
import { startFromRows, taskQueue, tellFromRows } from "../http/workflow-updates.js";

const CHANGED: typeof workflow.changed.name = "changed";

const startOf = (label: Label) => ({
  ...startOfLabel(label.purchase_id, label, nameOfLabel(label)),
  taskQueue: connectorQueue(taskQueue),
});
const isOpen = ({ status }: Label) => status === "pending" || status === "voiding";

/** Starts the workflow of a label that was just asked for, without waiting for it; one bought by hand has none. */
export function startPurchase(label: Label, res: Response): void {
  if (!isOpen(label)) return;
  const { workflowId, ...start } = startOf(label);
  const { purchase_id, so_number, warehouse_id, warehouse_code, attempts } = label;
  res.setHeader("X-Service-Workflow-Id", workflowId);
  startFromRows<typeof workflow.labelPurchase>("labelPurchase", workflowId, {
    ...start,
    args: [purchase_id, { what: nameOfLabel(label), so_number, warehouse_id, warehouse_code, attempts }],
    warehouseId: warehouse_id,
    workflowTaskTimeout: LABEL_TASK_TIMEOUT,
    attributes: [...labelAttributes(label), { key: Stage, value: LABEL_STAGE }],
  });
}

/**
 * Tells the workflow of a label to look at its row, and starts it where the carrier is to take the label back. Where
 * that is lost, the job `reconcile` starts it.
 */
export function tellPurchase(label: Label, res: Response): void {
  res.setHeader("X-Service-Workflow-Id", labelWorkflowId(label));
  tellFromRows(
    "labelPurchase",
    { ...startOf(label), staticSummary: `Takes back ${nameOfLabel(label)}` },
    {
      warehouseId: label.warehouse_id,
      goesOn: isOpen(label),
      signal: CHANGED,
    },
  );
}
