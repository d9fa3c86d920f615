import type { Response } from "express";
import { receiveReturn as receive } from "../../activities/returns/index.js";
import type { Actor } from "../../src/platform/actor.js";
import { ScannedOtherItem } from "../../src/platform/barcodes/problems.js";
import { WorkflowEngineUnavailable } from "../../src/platform/problem.js";
import * as problems from "../../src/returns/problems.js";
import { openReturnIn } from "../../src/returns/queries.js";
import type { NewReturnReceipt, ReturnReceived } from "../../src/returns/shapes.js";
import { returnWorkflowId } from "../../src/returns/workflow.js";
import { unknownSo } from "../../src/sales-orders/problems.js";
import { unreturnable } from "../../src/serials/problems.js";
import { BinInactive, unlikePolicy } from "../../src/stock/problems.js";
import type * as returns from "../../workflows/rma.js";
import { runUpdate } from "../http/workflow-updates.js";
import { tellInspection } from "../lots/inspection-workflow.js";

/** Why units of a return are not received. */
export const unreceivable = [
  ...unknownSo,
  problems.NotAReturn,
  ...unreturnable,
  ScannedOtherItem,
  problems.ReceiptKeyReused,
  problems.ReturnNotOpen,
  problems.ReturnBinNotFound,
  problems.ReturnBinElsewhere,
  BinInactive,
  problems.ItemNotOnOrder,
  problems.OverReturnReceipt,
  ...unlikePolicy,
  WorkflowEngineUnavailable,
];

/** Receives units through the workflow of their return, whoever asks. */
export async function receiveUnits(
  soId: number,
  receipt: NewReturnReceipt,
  { by, res }: { by: Actor; res: Response },
): Promise<ReturnReceived> {
  const received = await runUpdate<typeof returns.rma, typeof returns.receive>(
    { by, res },
    workflowOfReturn(soId, by),
    "receive",
    [receipt, by],
    () => receive({ ...receipt, so_id: soId }, by),
  );
  const { message, receipt_id, status, replayed, inspection_id } = received;
  if (inspection_id) tellInspection({ id: inspection_id, warehouse_id: receipt.warehouse_id }, by);
  return { message, receipt_id, status, ...(inspection_id && { inspection_id }), ...(replayed && { replayed }) };
}

export const workflowOfReturn = (soId: number, by: Actor) => ({
  workflow: "rma",
  workflowId: returnWorkflowId(soId),
  args: [soId, by] as Parameters<typeof returns.rma>,
  openIn: () => openReturnIn(soId),
});
