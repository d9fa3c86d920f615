import { problem, WarehouseDenied } from "../platform/problem.js";

/** Refusals of transfer orders (docs/interface.md, Transfer orders). */

export const TransferNotFound = problem("transfer_order_not_found", 404, "Transfer order not found");
export const TransferLineNotFound = problem("transfer_line_not_found", 404, "This transfer order has no such line");
export const ApprovalNotFound = problem("approval_not_found", 404, "This transfer order has no such approval");
export const UnknownWarehouse = problem("unknown_warehouse", 404, "unknown_warehouse");
export const SameWarehouse = problem("source_and_destination_must_differ", 422, "source_and_destination_must_differ");
export const RowErrors = problem("row_errors", 422, "row_errors");
export const NotCancellable = problem("invalid_status_for_cancel", 409, "invalid_status_for_cancel");
export const PartiallyApproved = problem("to_already_partially_approved", 409, "to_already_partially_approved");
export const NotDeletable = problem("to_not_deletable", 409, "to_not_deletable");
export const LineNotClosable = problem(
  "invalid_line_status_for_short_close",
  409,
  "invalid_line_status_for_short_close",
);
export const NotPickable = problem("invalid_status_for_start_picking", 409, "invalid_status_for_start_picking");
export const NothingToPick = problem("no_lines_to_pick", 409, "no_lines_to_pick");
export const NoPickableInventory = problem("no_pickable_inventory", 409, "no_pickable_inventory");
export const PickedByAnother = problem("picked_by_another", 409, "{batch_number} is being picked by {assigned_to}");
export const NotSubmittable = problem("invalid_status_for_submit", 409, "invalid_status_for_submit");
export const NothingPicked = problem("nothing_picked", 422, "nothing_picked");
export const ApprovalNotPending = problem("approval_not_pending", 409, "approval_not_pending");
export const SelfApproval = problem("self_approval_blocked", 403, "self_approval_blocked");
export const SnapshotEmpty = problem("approval_snapshot_empty", 422, "approval_snapshot_empty");
export const NoStagingBin = problem("no_destination_staging_bin", 409, "no_destination_staging_bin");

/** An order that does not exist, or not in the caller's warehouses. */
export const unknownTransfer = [TransferNotFound, WarehouseDenied];
