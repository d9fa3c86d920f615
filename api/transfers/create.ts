import { tryTransfer } from "../../activities/transfers/create.js";
import { NothingToImport, TooManyRecords } from "../../src/imports/problems.js";
import { ItemNotFound } from "../../src/master-data/problems.js";
import { recorded } from "../../src/platform/db/command-log.js";
import type { ColumnNames } from "../../src/platform/files/header.js";
import { type FileSeen, FileUnreadable, type Given, recordsOf } from "../../src/platform/files/upload.js";
import { DomainError, WarehouseDenied, WorkflowEngineUnavailable } from "../../src/platform/problem.js";
import { Stage } from "../../src/platform/temporal/search-attributes.js";
import { RowErrors, SameWarehouse, UnknownWarehouse } from "../../src/transfers/problems.js";
import { namesOfTransfer, takeTransferId } from "../../src/transfers/queries.js";
import {
  MOST_RECORDS,
  NewTransferOrder,
  TransferCreated,
  TransferImportBody,
  TransferTried,
} from "../../src/transfers/shapes.js";
import type { NewTransfer, TransferStarted } from "../../src/transfers/steps.js";
import { type TransferNames, transferAttributes, transferWorkflowId } from "../../src/transfers/workflow.js";
import type * as transfer from "../../workflows/transfer-order.js";
import { page, recordsLimit, route } from "../http/route.js";
import { startWithUpdate, type WorkflowCall } from "../http/workflow-updates.js";

/**
 * Creating transfer orders: docs/interface.md, Transfer orders. Each is a `transferOrder` workflow until it is closed.
 */

/**
 * Starts the workflow of a transfer order, whose first activity creates the rows; the answer is read from the command
 * log.
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
      args: [to_id, call.by, request],
      warehouseId: names.source_warehouse_id,
      staticSummary: `${lines} line(s) from ${from ?? "?"} to ${to ?? "?"}, by ${call.by.username}`,
      attributes: [...transferAttributes(names), { key: Stage, value: "to pick" }],
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

const importColumns: ColumnNames = { known: ["sku", "quantity"], required: ["sku", "quantity"] };

/** The rows of an import, which are in its body or in a file. */
async function recordsIn(body: TransferImportBody): Promise<{ given: Given[]; seen: FileSeen | null }> {
  if (body.records) return { given: body.records.map((record, i) => ({ row: i + 1, record })), seen: null };
  const read = await recordsOf(body.file ?? "", importColumns, MOST_RECORDS);
  if (read.given.length === 0) throw NothingToImport();
  if (read.given.length > MOST_RECORDS) throw TooManyRecords({ max: MOST_RECORDS });
  const rows = read.given.flatMap(({ row, fault }, row_index) =>
    fault ? [{ row_index, row, error_kind: "validation_error", details: [{ field: "", message: fault }] }] : [],
  );
  if (rows.length > 0) throw RowErrors({}, { rows });
  return read;
}

/** Adds the line in the file to the rows that a refusal names. */
async function namingRows<T>(given: Given[] | null, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!given || !(error instanceof DomainError && error.kind === RowErrors.kind)) throw error;
    const rows = error.body.rows as { row_index: number }[];
    throw RowErrors({}, { rows: rows.map((each) => ({ ...each, row: given[each.row_index]?.row })) });
  }
}

const refusals = [UnknownWarehouse, WarehouseDenied, SameWarehouse, RowErrors];
const fileRefusals = [FileUnreadable, NothingToImport, TooManyRecords];

/** What is to be created, with the names of the warehouses. */
async function importOf({ file: _, ...body }: TransferImportBody, given: Given[]) {
  const records = given.map(({ record }) => record as Record<string, unknown>);
  const names = namesOfTransfer(body.source_warehouse_code, body.destination_warehouse_code);
  const [to_id, known] = await Promise.all([takeTransferId(), names]);
  return { request: { kind: "import", to_id, ...body, records } as const, known };
}

export const importTransferOrder = route("post /api/admin/transfer-orders/import", {
  for: page("transfer-orders"),
  summary:
    "Creates a transfer order by codes and SKUs, or from a CSV file; a row that is wrong refuses all, and the answer " +
    "names each",
  body: TransferImportBody,
  bodyLimit: recordsLimit,
  answers: { 201: TransferCreated },
  errors: [...refusals, ...fileRefusals, WorkflowEngineUnavailable],
  run: async ({ body, by, res }) => {
    const { given, seen } = await recordsIn(body);
    const { request, known } = await importOf(body, given);
    return namingRows(seen && given, () => startTransfer({ by, res }, request, known));
  },
});

export const tryTransferOrderImport = route("post /api/admin/transfer-orders/import/try", {
  for: page("transfer-orders"),
  summary: "What an import would create, and what the source would lack for it; nothing is written",
  body: TransferImportBody,
  bodyLimit: recordsLimit,
  changesNothing: true,
  answers: { 200: TransferTried },
  errors: [...refusals, ...fileRefusals],
  run: async ({ body, by }) => {
    const { given, seen } = await recordsIn(body);
    const { request } = await importOf(body, given);
    return namingRows(seen && given, async () => {
      const { shortages, ...tried } = await tryTransfer(request, by);
      const rowOf = (index: number) => given[index]?.row as number;
      return { ...tried, shortages: shortages.map((each) => ({ ...each, row: rowOf(each.row_index) })), file: seen };
    });
  },
});
