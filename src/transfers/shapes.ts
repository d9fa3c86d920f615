import { z } from "zod";
import { ExternalId, Id, Name, OrderQuantity, QueryBool, QueryInt, Text, Time, Units } from "../platform/fields.js";
import { CodeCell, IntCell } from "../platform/files/cells.js";
import { FileField, FileSeen, RowNumber } from "../platform/files/upload.js";
import { list } from "../platform/list.js";
import { ApprovalStatus, BatchStatus, TransferLineStatus, TransferStatus } from "../platform/statuses.js";

/** Transfer orders: docs/interface.md, Transfer orders. */

const MaybeText = z.string().nullable();

export const TransferOrder = z
  .strictObject({
    to_id: Id,
    to_number: z.string(),
    source_warehouse_id: Id,
    destination_warehouse_id: Id,
    status: TransferStatus,
    created_by: MaybeText,
    notes: MaybeText,
    external_id: ExternalId,
    created_at: Time,
    updated_at: Time,
    source_warehouse_code: z.string(),
    destination_warehouse_code: z.string(),
  })
  .meta({ id: "TransferOrder", description: "Units of items that one warehouse sends to another." });
export type TransferOrder = z.infer<typeof TransferOrder>;

const TransferLine = z
  .strictObject({
    to_line_id: Id,
    to_id: Id,
    item_id: Id,
    sku: z.string(),
    item_name: z.string(),
    line_number: z.int(),
    requested_qty: Units,
    committed_qty: Units,
    picked_qty: Units,
    approved_qty: Units,
    status: TransferLineStatus,
  })
  .meta({ id: "TransferOrderLine", description: "An item of a transfer order, and how far it has come." });

const SubmittedUnits = z
  .strictObject({
    to_line_id: Id,
    item_id: Id,
    sku: z.string(),
    item_name: z.string(),
    bin_code: z.string(),
    lot_number: MaybeText,
    quantity: Units,
  })
  .meta({ id: "SubmittedUnits", description: "Units of a line that were picked from one bin and await a decision." });

const TransferApproval = z
  .strictObject({
    to_approval_id: Id,
    to_id: Id,
    submitted_by: z.string(),
    submitted_at: Time,
    approved_by: MaybeText,
    approved_at: Time.nullable(),
    rejected_by: MaybeText,
    rejected_at: Time.nullable(),
    rejection_reason: MaybeText,
    status: ApprovalStatus,
    external_id: ExternalId,
    lines: z.array(SubmittedUnits).meta({ description: "What was picked, in the order of the lines." }),
  })
  .meta({ id: "TransferApproval", description: "Picked units that were submitted, and the decision on them." });

export const PickerTransfer = z.strictObject({ transfer_order: TransferOrder, lines: z.array(TransferLine) });
export type PickerTransfer = z.infer<typeof PickerTransfer>;

const TransferWalk = z
  .strictObject({
    batch_id: Id,
    batch_number: z.string(),
    status: BatchStatus,
    assigned_to: MaybeText,
    total_items: z.int(),
    started_at: Time.nullable(),
    completed_at: Time.nullable(),
  })
  .meta({ id: "TransferWalk", description: "A walk on which a transfer order is picked, or was." });

export const TransferDetail = PickerTransfer.extend({
  approvals: z.array(TransferApproval),
  walks: z.array(TransferWalk),
});
export type TransferDetail = z.infer<typeof TransferDetail>;

export const transferList = list("to_id", "to_id", "to_number", "status", "created_at", "updated_at");

export const TransferFilters = z.strictObject({
  ...transferList.parameters,
  status: TransferStatus.optional(),
  source_warehouse_id: QueryInt.optional(),
  destination_warehouse_id: QueryInt.optional(),
  to_approve: QueryBool.default(false).describe(
    "Only those of which the caller's warehouses have something to approve.",
  ),
});
export type TransferFilters = z.infer<typeof TransferFilters>;

const Notes = Text(2000, "before the weekend").nullish();

export const NewTransferOrder = z
  .strictObject({
    source_warehouse_id: Id,
    destination_warehouse_id: Id.meta({ examples: [2] }),
    notes: Notes,
    lines: z
      .array(z.strictObject({ item_id: Id, quantity: OrderQuantity }))
      .min(1)
      .max(5000),
  })
  .meta({ id: "NewTransferOrder", description: "A transfer order to create." });
export type NewTransferOrder = z.infer<typeof NewTransferOrder>;

/** A row of an import: each is checked by itself, so that the refusal names all that are wrong. */
export const TransferRecord = z.strictObject({ sku: CodeCell(50), quantity: IntCell(1, 1_000_000) });

/** The most rows of an import. */
export const MOST_RECORDS = 5000;

export const TransferImportBody = z
  .strictObject({
    source_warehouse_code: Name(20, "MAIN"),
    destination_warehouse_code: Name(20, "EAST"),
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
    row_index: z.int(),
    sku: z.string(),
    requested_qty: Units,
    available_qty: Units,
    committed_qty: Units,
    shortfall: Units,
  })
  .meta({ id: "TransferShortage", description: "A line that got less than was requested." });
export type Shortage = z.infer<typeof Shortage>;

export const TransferCreated = z
  .strictObject({
    to_id: Id,
    to_number: z.string(),
    source_warehouse_id: Id,
    destination_warehouse_id: Id,
    line_count: z.int(),
    shortages: z.array(Shortage),
  })
  .meta({ id: "TransferOrderCreated", description: "A transfer order that was created, and what it lacks." });
export type TransferCreated = z.infer<typeof TransferCreated>;

export const TransferTried = TransferCreated.omit({ to_id: true, to_number: true })
  .extend({
    shortages: z.array(Shortage.extend({ row: RowNumber })),
    file: FileSeen.nullable().describe("How the file was read; null for records."),
  })
  .meta({ id: "TransferOrderTried", description: "A transfer order as it would be created, and what it would lack." });
export type TransferTried = z.infer<typeof TransferTried>;

export const TransferPickingStarted = z
  .strictObject({ batch_id: Id, batch_number: z.string(), tasks_created: z.int() })
  .meta({ id: "TransferPickingStarted", description: "The batch that picks a transfer order now." });

export const TransferSubmitted = z.strictObject({
  to_approval_id: Id,
  status: ApprovalStatus,
  to_status: TransferStatus,
  line_count: z.int(),
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
  to_approval_id: Id,
  status: ApprovalStatus,
  to_closed: z.boolean(),
  line_count: z.int(),
});
export type TransferApproved = z.infer<typeof TransferApproved>;

export const TransferRejected = z.strictObject({ to_approval_id: Id, status: ApprovalStatus });
export type TransferRejected = z.infer<typeof TransferRejected>;

export const Rejection = z.strictObject({
  rejection_reason: z
    .string()
    .max(100_000)
    .nullish()
    .meta({ description: "Why; kept up to 1000 characters.", examples: ["two boxes are damaged"] }),
});

export const LineShortClosed = z.strictObject({ to_line_id: Id, status: TransferLineStatus, released_qty: Units });
export type LineShortClosed = z.infer<typeof LineShortClosed>;

export const TransferCancelled = z.strictObject({ to_id: Id, status: TransferStatus });
export type TransferCancelled = z.infer<typeof TransferCancelled>;
