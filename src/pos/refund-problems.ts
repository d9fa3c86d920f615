import { dispatchProblem } from "../platform/dispatch-problem.js";

/** Reasons for which a refund is refused: docs/interface.md, Tills, in the order of the checks. */

export const OriginalSoNotFound = dispatchProblem(
  "original_so_not_found",
  404,
  "There is no shipped counter sale {so_number}",
);
export const AlreadyRefunded = dispatchProblem("already_refunded", 422, "Sale {so_number} was refunded as a whole");
export const RefundWindowExpired = dispatchProblem(
  "refund_window_expired",
  422,
  "Sale {so_number} is older than 90 days",
);
export const RefundExceedsPaid = dispatchProblem(
  "refund_exceeds_paid",
  422,
  "{so_number}: {requested_cents} cannot be paid back, as {refunded_cents} of the {paid_cents} paid are already",
);
export const RefundLineNotInOrder = dispatchProblem(
  "refund_line_not_in_order",
  422,
  "{sku} is not of this sale, or does not go into bin {bin}",
);
export const RefundExceedsRemaining = dispatchProblem(
  "refund_exceeds_remaining",
  422,
  "{sku}: {requested} to be refunded, but of {shipped} sold {already_refunded} are taken back already",
);
