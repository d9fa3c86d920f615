import { recorded } from "../../src/db/command-log.js";
import { ItemNotFound } from "../../src/master-data/items/problems.js";
import { WarehouseDenied, WorkflowEngineUnavailable } from "../../src/problem.js";
import { Stage } from "../../src/temporal/search-attributes.js";
import { RowErrors, SameWarehouse, UnknownWarehouse } from "../../src/transfers/problems.js";
import { namesOfTransfer, takeTransferId } from "../../src/transfers/queries.js";
import { NewTransferOrder, TransferCreated, TransferImport } from "../../src/transfers/shapes.js";
import type { NewTransfer, TransferStarted } from "../../src/transfers/steps.js";
import { type TransferNames, transferAttributes, transferWorkflowId } from "../../src/transfers/workflow.js";
import type * as transfer from "../../workflows/transfer-order.js";
import { page, recordsLimit, route } from "../http/route.js";
import { startWithUpdate, type WorkflowCall } from "../http/workflow-updates.js";

/** Creating transfer orders: spec 4.6, reference 07 §3. Each is a `transferOrder` workflow until it is closed. */

/**
 * Starts the workflow of a transfer order; its first activity makes the rows; the answer is what the command log keeps
 * of it.
 */
async function startTransfer(call: WorkflowCall, request: NewTransfer, names: TransferNames): Promise<TransferCreated> {
  const { to_id } = request;
  const { source_warehouse_code: from, destination_warehouse_code: to } = names;
  const lines = request.kind === "import" ? request.records.length : request.lines.length;
  const started = await startWithUpdate<typeof transfer.transferOrder, typeof transfer.created>(
    call,
    "transferOrder",
    transferWorkflowId(to_id),
    {
      args: [to_id, call.by, request, true],
      bareArgs: [to_id, call.by, request, false],
      staticSummary: `${lines} line(s) from ${from ?? "?"} to ${to ?? "?"}, by ${call.by.username}`,
      typedSearchAttributes: [...transferAttributes(names), { key: Stage, value: "to pick" }],
    },
    "created",
    [],
  );
  call.res.setHeader("X-Service-Workflow-Id", transferWorkflowId(started.to_id));
  const answer = (await recorded(call.by))?.answer;
  const { state: _, ...made } = answer as TransferStarted;
  return made;
}

export const createTransferOrder = route("post /api/admin/transfer-orders", {
  for: page("transfer-orders"),
  summary: "Creates a transfer order: what is free at the source is held for it",
  body: NewTransferOrder,
  bodyLimit: recordsLimit,
  answers: { 201: TransferCreated },
  errors: [UnknownWarehouse, WarehouseDenied, SameWarehouse, ItemNotFound, WorkflowEngineUnavailable],
  run: async ({ body, by, res }) => {
    const names = namesOfTransfer(body.source_warehouse_id, body.destination_warehouse_id);
    const [to_id, known] = await Promise.all([takeTransferId(), names]);
    return startTransfer({ by, res }, { kind: "create", to_id, ...body }, known);
  },
});

export const importTransferOrder = route("post /api/admin/transfer-orders/import", {
  for: page("transfer-orders"),
  summary: "Creates a transfer order by codes and SKUs; a row that is wrong refuses all, and the answer names each",
  body: TransferImport,
  bodyLimit: recordsLimit,
  answers: { 201: TransferCreated },
  errors: [UnknownWarehouse, WarehouseDenied, SameWarehouse, RowErrors, WorkflowEngineUnavailable],
  run: async ({ body, by, res }) => {
    const names = namesOfTransfer(body.source_warehouse_code, body.destination_warehouse_code);
    const [to_id, known] = await Promise.all([takeTransferId(), names]);
    return startTransfer({ by, res }, { kind: "import", to_id, ...body }, known);
  },
});
