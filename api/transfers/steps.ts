import { z } from "zod";
import {
  approveTransfer,
  cancelTransfer,
  deleteTransfer,
  rejectTransfer,
  shortCloseLine,
  startTransferPicking,
  submitTransfer,
} from "../../activities/transfers/index.js";
import { QueryInt } from "../../src/fields.js";
import { WarehouseDenied } from "../../src/problem.js";
import {
  ApprovalNotFound,
  ApprovalNotPending,
  LineNotClosable,
  NoPickableInventory,
  NoStagingBin,
  NotCancellable,
  NotDeletable,
  NothingPicked,
  NothingToPick,
  NotPickable,
  NotSubmittable,
  PartiallyApproved,
  PickedByAnother,
  SelfApproval,
  SnapshotEmpty,
  TransferLineNotFound,
  TransferNotFound,
} from "../../src/transfers/problems.js";
import {
  LineShortClosed,
  Rejection,
  TransferApproved,
  TransferCancelled,
  TransferPickingStarted,
  TransferRejected,
  TransferSubmitted,
} from "../../src/transfers/shapes.js";
import { page, route, signedIn } from "../http/route.js";

/** The steps of a transfer order: spec 4.6, reference 07 §3. */

const TransferPath = z.strictObject({ to_id: QueryInt });
const LinePath = z.strictObject({ to_id: QueryInt, to_line_id: QueryInt });
const ApprovalPath = z.strictObject({ to_id: QueryInt, to_approval_id: QueryInt });

export const startPicking = route("post /api/admin/transfer-orders/:to_id/start-picking", {
  for: page("transfer-orders"),
  summary: "Begins the walk for a transfer order; the caller's earlier batches end",
  params: TransferPath,
  answers: { 201: TransferPickingStarted },
  errors: [TransferNotFound, WarehouseDenied, NotPickable, NothingToPick, NoPickableInventory, PickedByAnother],
  run: async ({ params, by }) => {
    const { batch_id, batch_number, tasks_created } = await startTransferPicking(params.to_id, by);
    return { batch_id, batch_number, tasks_created };
  },
});

export const submitPicks = route("post /api/admin/picker/transfer-orders/:to_id/submit", {
  for: signedIn,
  summary: "Submits what was picked for approval; no unit is submitted twice",
  params: TransferPath,
  answers: { 201: TransferSubmitted },
  errors: [TransferNotFound, WarehouseDenied, NotSubmittable, NothingPicked],
  run: async ({ params, by }) => {
    const { state: _, ...submitted } = await submitTransfer(params.to_id, by);
    return submitted;
  },
});

export const approveTransferOrder = route("post /api/admin/transfer-orders/:to_id/approvals/:to_approval_id/approve", {
  for: page("transfer-orders"),
  summary: "Approves submitted picks: they arrive in the first Staging bin of the destination",
  params: ApprovalPath,
  answers: { 200: TransferApproved },
  errors: [
    TransferNotFound,
    ApprovalNotFound,
    WarehouseDenied,
    ApprovalNotPending,
    SelfApproval,
    SnapshotEmpty,
    NoStagingBin,
  ],
  run: async ({ params, by }) => {
    const { state: _, ...approved } = await approveTransfer(params, by);
    return approved;
  },
});

export const rejectTransferOrder = route("post /api/admin/transfer-orders/:to_id/approvals/:to_approval_id/reject", {
  for: page("transfer-orders"),
  summary: "Rejects submitted picks: nothing moves, and they can be submitted again",
  params: ApprovalPath,
  body: Rejection,
  answers: { 200: TransferRejected },
  errors: [TransferNotFound, ApprovalNotFound, WarehouseDenied, ApprovalNotPending],
  run: async ({ params, body, by }) => {
    const { state: _, ...rejected } = await rejectTransfer(
      { ...params, rejection_reason: body.rejection_reason ?? null },
      by,
    );
    return rejected;
  },
});

export const shortCloseTransferLine = route("post /api/admin/transfer-orders/:to_id/lines/:to_line_id/short-close", {
  for: page("transfer-orders"),
  summary: "Gives up what a line has not approved: its units are free again at the source",
  params: LinePath,
  answers: { 200: LineShortClosed },
  errors: [TransferNotFound, TransferLineNotFound, WarehouseDenied, LineNotClosable],
  run: async ({ params, by }) => {
    const { state: _, ...closed } = await shortCloseLine(params, by);
    return closed;
  },
});

export const cancelTransferOrder = route("post /api/admin/transfer-orders/:to_id/cancel", {
  for: page("transfer-orders"),
  summary: "Cancels a transfer order of which nothing is approved; what it holds is free again",
  params: TransferPath,
  answers: { 200: TransferCancelled },
  errors: [TransferNotFound, WarehouseDenied, NotCancellable, PartiallyApproved],
  run: async ({ params, by }) => {
    const { state: _, ...cancelled } = await cancelTransfer(params.to_id, by);
    return cancelled;
  },
});

export const deleteTransferOrder = route("delete /api/admin/transfer-orders/:to_id", {
  for: page("transfer-orders"),
  summary: "Deletes a transfer order that was neither picked nor submitted",
  params: TransferPath,
  answers: { 204: z.undefined() },
  errors: [TransferNotFound, WarehouseDenied, NotDeletable],
  run: async ({ params, by }) => {
    await deleteTransfer(params.to_id, by);
    return undefined;
  },
});
