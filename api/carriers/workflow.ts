import type { Response } from "express";
import type { Label } from "../../src/carriers/label-shapes.js";
import { labelWorkflowId, nameOfLabel, startOfLabel } from "../../src/carriers/workflow.js";
import type { changed } from "../../workflows/label-purchase.js";
import { startFromRows, tellFromRows } from "../http/workflow-updates.js";

const CHANGED: typeof changed.name = "changed";

const startOf = (label: Label) => startOfLabel(label.purchase_id, label, nameOfLabel(label));
const isOpen = ({ status }: Label) => status === "pending" || status === "voiding";

/** Starts the workflow of a label that was just asked for, without waiting for it; one bought by hand has none. */
export function startPurchase(label: Label, res: Response): void {
  if (!isOpen(label)) return;
  const { workflowId, ...start } = startOf(label);
  res.setHeader("X-Service-Workflow-Id", workflowId);
  startFromRows("labelPurchase", workflowId, { ...start, warehouseId: label.warehouse_id });
}

/**
 * Tells the workflow of a label to look at its row, and starts it where the carrier is to take the label back. Where
 * that is lost, the job `reconcile` starts it.
 */
export function tellPurchase(label: Label, res: Response): void {
  res.setHeader("X-Service-Workflow-Id", labelWorkflowId(label));
  tellFromRows("labelPurchase", startOf(label), {
    warehouseId: label.warehouse_id,
    goesOn: isOpen(label),
    signal: CHANGED,
  });
}
