import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { AnyText, ExternalId, Id, Name, QueryBool, QueryInt, Text, Time, Units } from "../platform/fields.js";
import { CodeCell, IntCell } from "../platform/files/cells.js";
import { FileField, FileSeen, RowNumber } from "../platform/files/upload.js";
import { list } from "../platform/list.js";
import { ApprovalStatus, BatchStatus, TransferLineStatus, TransferStatus } from "../platform/statuses.js";

/** Transfer orders: docs/interface.md, Transfer orders. */

export const TransferOrder = z
  .strictObject({
    to_id: field.ToId,
    to_number: field.ToNumber,
    source_warehouse_id: field.SourceWarehouseId,
    destination_warehouse_id: field.DestinationWarehouseId,
    status: TransferStatus,
    created_by: field.CreatedBy.nullable(),
    notes: field.Notes.nullable(),
    external_id: ExternalId,
    created_at: field.CreatedAt,
    updated_at: field.UpdatedAt,
    source_warehouse_code: AnyText("WH1").describe("Code of the warehouse that sends."),
    destination_warehouse_code: AnyText("WH2").describe("Code of the warehouse that receives."),
  })
  .meta({ id: "TransferOrder", description: "Units of items that one warehouse sends to another." });
export type TransferOrder = z.infer<typeof TransferOrder>;

const TransferLine = z
  .strictObject({
    to_line_id: field.ToLineId,
    to_id: field.ToId,
    item_id: field.ItemId,
    sku: field.Sku,
    item_name: field.ItemName,
    line_number: field.NumberOfLine,
    requested_qty: field.RequestedQty,
    committed_qty: field.CommittedQty,
    picked_qty: Units.describe("Units picked so far, approved ones included."),
    approved_qty: Units.describe("Units that have arrived at the destination."),
    status: TransferLineStatus,
  })
  .meta({ id: "TransferOrderLine", description: "An item of a transfer order, and how far it has come." });

const SubmittedUnits = z
  .strictObject({
    to_line_id: field.ToLineId,
    item_id: field.ItemId,
    sku: field.Sku,
    item_name: field.ItemName,
    bin_code: field.BinCode,
    lot_number: field.Lot.nullable(),
    quantity: field.UnitCount,
  })
  .meta({ id: "SubmittedUnits", description: "Units of a line that were picked from one bin and await a decision." });

const TransferApproval = z
  .strictObject({
    to_approval_id: field.ToApprovalId,
    to_id: field.ToId,
    submitted_by: AnyText("ann").describe("Username of who submitted the picks."),
    submitted_at: Time.describe("When the picks were submitted."),
    approved_by: AnyText("ben").nullable().describe("Username of who approved."),
    approved_at: Time.nullable().describe("When it was approved."),
    rejected_by: AnyText("ben").nullable().describe("Username of who rejected."),
    rejected_at: Time.nullable().describe("When it was rejected."),
    rejection_reason: AnyText("two boxes are damaged").nullable().describe("Why it was rejected, if that was said."),
    status: ApprovalStatus,
    external_id: ExternalId,
    lines: z.array(SubmittedUnits).meta({ description: "What was picked, in the order of the lines." }),
  })
  .meta({ id: "TransferApproval", description: "Picked units that were submitted, and the decision on them." });

export const PickerTransfer = z.strictObject({
  transfer_order: TransferOrder,
  lines: z.array(TransferLine).describe("The lines, each for one item."),
});
export type PickerTransfer = z.infer<typeof PickerTransfer>;

const TransferWalk = z
  .strictObject({
    batch_id: field.BatchId,
    batch_number: field.BatchNumber,
    status: BatchStatus,
    assigned_to: field.AssignedTo.nullable(),
    total_items: z.int().describe("How many units."),
    started_at: Time.nullable().describe("When it was begun."),
    completed_at: field.CompletedAt.nullable(),
  })
  .meta({ id: "TransferWalk", description: "A walk on which a transfer order is picked, or was." });

export const TransferDetail = PickerTransfer.extend({
  approvals: z.array(TransferApproval).describe("What was submitted, oldest first, and the decisions on it."),
  walks: z.array(TransferWalk).describe("The walks on which it was picked, or is."),
});
export type TransferDetail = z.infer<typeof TransferDetail>;

export const transferList = list("to_id", "to_id", "to_number", "status", "created_at", "updated_at");

export const TransferFilters = z.strictObject({
  ...transferList.parameters,
  status: TransferStatus.optional().describe("Only orders that stand there."),
  source_warehouse_id: QueryInt.optional().describe("Id of the warehouse that sends."),
  destination_warehouse_id: QueryInt.optional().describe("Id of the warehouse that receives."),
  to_approve: QueryBool.default(false).describe(
    "Only those of which the caller's warehouses have something to approve.",
  ),
});
export type TransferFilters = z.infer<typeof TransferFilters>;

const Notes = Text(2000, "before the weekend").nullish().describe("Notes on the record.");

export const NewTransferOrder = z
  .strictObject({
    source_warehouse_id: field.SourceWarehouseId,
    destination_warehouse_id: Id.meta({ description: "Id of the warehouse that receives.", examples: [2] }),
    notes: Notes,
    lines: z
      .array(z.strictObject({ item_id: field.ItemId, quantity: field.GivenUnitCount }))
      .min(1)
      .max(5000)
      .describe("The lines, each for one item."),
  })
  .meta({ id: "NewTransferOrder", description: "A transfer order to create." });
export type NewTransferOrder = z.infer<typeof NewTransferOrder>;

/** A row of an import: each is checked by itself, so that the refusal names all faulty ones. */
export const TransferRecord = z.strictObject({ sku: CodeCell(50), quantity: IntCell(1, 1_000_000) });

/** The most rows of an import. */
export const MOST_RECORDS = 5000;

export const TransferImportBody = z
  .strictObject({
    source_warehouse_code: Name(20, "MAIN").describe("Code of the warehouse that sends."),
    destination_warehouse_code: Name(20, "EAST").describe("Code of the warehouse that receives."),
    notes: Notes,
    records: z
      .array(z.record(z.string(), z.unknown()))
      .min(1)
      .max(MOST_RECORDS)
      .optional()
      .meta({
        description: "The rows: `sku`, and `quantity` from 1 to 1000000. Without them a `file` is needed.",
        examples: [[{ sku: "MUG-BLUE", quantity: 10 }]],
      }),
    file: FileField.optional(),
  })
  .refine(({ records, file }) => records !== undefined || file !== undefined, {
    path: ["records"],
    message: "Either this or file is needed",
  })
  .meta({ id: "TransferOrderImport", description: "A transfer order to create, by codes and SKUs." });

export type TransferImportBody = z.infer<typeof TransferImportBody>;

/** What is imported, once a file is read. */
export type TransferImport = Omit<TransferImportBody, "records" | "file"> & { records: Record<string, unknown>[] };

const Shortage = z
  .strictObject({
    row_index: z.int().describe("Which row or line it is, from 0."),
    sku: field.Sku,
    requested_qty: field.RequestedQty,
    available_qty: Units.describe("Units that were free at the source when the line was made."),
    committed_qty: field.CommittedQty,
    shortfall: Units.describe("Units that were asked for and not there."),
  })
  .meta({ id: "TransferShortage", description: "A line that got less than was requested." });
export type Shortage = z.infer<typeof Shortage>;

export const TransferCreated = z
  .strictObject({
    to_id: field.ToId,
    to_number: field.ToNumber,
    source_warehouse_id: field.SourceWarehouseId,
    destination_warehouse_id: field.DestinationWarehouseId,
    line_count: field.LineCount,
    shortages: z.array(Shortage).describe("The lines that got less than was asked for."),
  })
  .meta({ id: "TransferOrderCreated", description: "A transfer order that was created, and what it lacks." });
export type TransferCreated = z.infer<typeof TransferCreated>;

export const TransferTried = TransferCreated.omit({ to_id: true, to_number: true })
  .extend({
    shortages: z.array(Shortage.extend({ row: RowNumber })).describe("The lines that got less than was asked for."),
    file: FileSeen.nullable().describe("How the file was read; null for records."),
  })
  .meta({ id: "TransferOrderTried", description: "A transfer order as it would be created, and what it would lack." });
export type TransferTried = z.infer<typeof TransferTried>;

export const TransferPickingStarted = z
  .strictObject({
    batch_id: field.BatchId,
    batch_number: field.BatchNumber,
    tasks_created: z.int().describe("How many pick tasks the walk has."),
  })
  .meta({ id: "TransferPickingStarted", description: "The batch that picks a transfer order now." });

export const TransferSubmitted = z.strictObject({
  to_approval_id: field.ToApprovalId,
  status: ApprovalStatus,
  to_status: TransferStatus,
  line_count: field.LineCount,
});
export type TransferSubmitted = z.infer<typeof TransferSubmitted>;

export const Approval = z
  .strictObject({
    to_line_ids: z
      .array(Id)
      .min(1)
      .max(5000)
      .optional()
      .meta({
        description: "The lines to approve; without them all. The others go on waiting, as an approval of their own.",
        examples: [[1, 2]],
      }),
  })
  .meta({ id: "TransferOrderDecision", description: "Which lines of submitted picks are approved." });

export const TransferApproved = z.strictObject({
  to_approval_id: field.ToApprovalId,
  status: ApprovalStatus,
  to_closed: z.boolean().describe("Whether that was the last of the transfer order, which is CLOSED now."),
  line_count: field.LineCount,
});
export type TransferApproved = z.infer<typeof TransferApproved>;

export const TransferRejected = z.strictObject({ to_approval_id: field.ToApprovalId, status: ApprovalStatus });
export type TransferRejected = z.infer<typeof TransferRejected>;

export const Rejection = z.strictObject({
  rejection_reason: z
    .string()
    .max(100_000)
    .nullish()
    .meta({ description: "Why; kept up to 1000 characters.", examples: ["two boxes are damaged"] }),
});

export const LineShortClosed = z.strictObject({
  to_line_id: field.ToLineId,
  status: TransferLineStatus,
  released_qty: Units.describe("Units that are free again at the source."),
});
export type LineShortClosed = z.infer<typeof LineShortClosed>;

export const TransferCancelled = z.strictObject({ to_id: field.ToId, status: TransferStatus });
export type TransferCancelled = z.infer<typeof TransferCancelled>;
