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
import * as field from "../../src/platform/fields/index.js";
import { QueryInt } from "../../src/platform/fields.js";
import { WorkflowEngineUnavailable } from "../../src/platform/problem.js";
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
  unknownTransfer,
} from "../../src/transfers/problems.js";
import {
  Approval,
  LineShortClosed,
  Rejection,
  TransferApproved,
  TransferCancelled,
  TransferPickingStarted,
  TransferRejected,
  TransferSubmitted,
} from "../../src/transfers/shapes.js";
import { page, route, signedIn } from "../http/route.js";
import { updateTransfer } from "./transfer-update.js";

/** The steps of a transfer order, each an update of its workflow: docs/interface.md, Transfer orders. */

/** The most that is stored, and shown by the workflow. */
const MOST_OF_A_REASON = 1000;

const TransferPath = z.strictObject({ to_id: field.ToIdParam });
const LinePath = z.strictObject({
  to_id: field.ToIdParam,
  to_line_id: QueryInt.describe("Id of a transfer order's line."),
});
const ApprovalPath = z.strictObject({
  to_id: field.ToIdParam,
  to_approval_id: QueryInt.describe("Id of the approval: picks that were submitted together."),
});

export const startPickingTransferOrder = route("post /api/admin/transfer-orders/:to_id/start-picking", {
  for: page("transfer-orders"),
  summary: "Begins the walk for a transfer order; the caller's earlier batches end",
  params: TransferPath,
  answers: { 201: TransferPickingStarted },
  errors: [
    ...unknownTransfer,
    NotPickable,
    NothingToPick,
    NoPickableInventory,
    PickedByAnother,
    WorkflowEngineUnavailable,
  ],
  run: async ({ params: { to_id }, by, res }) => {
    const begin = () => startTransferPicking(to_id, by);
    const { superseded: _, ...started } = await updateTransfer({ by, res }, to_id, "startPicking", [], begin);
    return started;
  },
});

export const submitTransferOrder = route("post /api/admin/picker/transfer-orders/:to_id/submit", {
  for: signedIn,
  summary: "Submits what was picked for approval; no unit is submitted twice",
  params: TransferPath,
  answers: { 201: TransferSubmitted },
  errors: [...unknownTransfer, NotSubmittable, NothingPicked, WorkflowEngineUnavailable],
  run: ({ params: { to_id }, by, res }) =>
    updateTransfer({ by, res }, to_id, "submit", [], () => submitTransfer(to_id, by)),
});

export const approveTransferOrder = route("post /api/admin/transfer-orders/:to_id/approvals/:to_approval_id/approve", {
  for: page("transfer-orders"),
  summary: "Approves submitted picks: they arrive in the first Staging bin of the destination",
  params: ApprovalPath,
  body: Approval,
  answers: { 200: TransferApproved },
  errors: [
    ...unknownTransfer,
    ApprovalNotFound,
    TransferLineNotFound,
    ApprovalNotPending,
    SelfApproval,
    SnapshotEmpty,
    NoStagingBin,
    WorkflowEngineUnavailable,
  ],
  run: ({ params: { to_id, to_approval_id }, body: { to_line_ids }, by, res }) => {
    const approve = () => approveTransfer({ to_id, to_approval_id, ...(to_line_ids && { to_line_ids }) }, by);
    return to_line_ids
      ? updateTransfer({ by, res }, to_id, "approveLines", [to_approval_id, to_line_ids], approve)
      : updateTransfer({ by, res }, to_id, "approve", [to_approval_id], approve);
  },
});

export const rejectTransferOrder = route("post /api/admin/transfer-orders/:to_id/approvals/:to_approval_id/reject", {
  for: page("transfer-orders"),
  summary: "Rejects submitted picks: nothing moves, and they can be submitted again",
  params: ApprovalPath,
  body: Rejection,
  answers: { 200: TransferRejected },
  errors: [...unknownTransfer, ApprovalNotFound, ApprovalNotPending, WorkflowEngineUnavailable],
  run: ({ params: { to_id, to_approval_id }, body, by, res }) => {
    const rejection_reason = body.rejection_reason?.slice(0, MOST_OF_A_REASON) ?? null;
    const args = [to_approval_id, rejection_reason];
    const reject = () => rejectTransfer({ to_id, to_approval_id, rejection_reason }, by);
    return updateTransfer({ by, res }, to_id, "reject", args, reject);
  },
});

export const shortCloseTransferOrderLine = route(
  "post /api/admin/transfer-orders/:to_id/lines/:to_line_id/short-close",
  {
    for: page("transfer-orders"),
    destructive: true,
    summary: "Gives up what a line has not approved: its units are free again at the source",
    params: LinePath,
    answers: { 200: LineShortClosed },
    errors: [...unknownTransfer, TransferLineNotFound, LineNotClosable, WorkflowEngineUnavailable],
    run: ({ params, by, res }) =>
      updateTransfer({ by, res }, params.to_id, "shortClose", [params.to_line_id], () => shortCloseLine(params, by)),
  },
);

export const cancelTransferOrder = route("post /api/admin/transfer-orders/:to_id/cancel", {
  for: page("transfer-orders"),
  destructive: true,
  summary: "Cancels a transfer order of which nothing is approved; what it holds is free again",
  params: TransferPath,
  answers: { 200: TransferCancelled },
  errors: [...unknownTransfer, NotCancellable, PartiallyApproved, WorkflowEngineUnavailable],
  run: ({ params: { to_id }, by, res }) =>
    updateTransfer({ by, res }, to_id, "cancel", [], () => cancelTransfer(to_id, by)),
});

export const deleteTransferOrder = route("delete /api/admin/transfer-orders/:to_id", {
  for: page("transfer-orders"),
  summary: "Deletes a transfer order that was neither picked nor submitted",
  params: TransferPath,
  answers: { 204: z.undefined() },
  errors: [...unknownTransfer, NotDeletable, WorkflowEngineUnavailable],
  run: async ({ params: { to_id }, by, res }) => {
    await updateTransfer({ by, res }, to_id, "remove", [], () => deleteTransfer(to_id, by));
    return undefined;
  },
});
