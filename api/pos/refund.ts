import * as activities from "../../activities/pos/refund.js";
import { asDispatchProblem, KeyReused } from "../../src/platform/dispatch-problem.js";
import { LockContention, SerialsRefused, TenderMismatch } from "../../src/pos/problems.js";
import * as problems from "../../src/pos/refund-problems.js";
import { RefundMade, RefundRequest } from "../../src/pos/refund-shapes.js";
import { PartlyShipped } from "../../src/shipping/parcels/problems.js";
import { dispatch, route } from "../http/route.js";
import { runKeyed } from "./keyed.js";

/** Refunds at a till: docs/interface.md, Tills. */

export const refundSale = route("post /api/v1/pos/refund", {
  for: dispatch("pos.dispatch"),
  summary: "Refunds a counter sale, or a part of it: a credit memo, and the units back in their bins",
  body: RefundRequest,
  perMinute: 10,
  repeatsAreFree: true,
  answers: { 200: RefundMade },
  errors: [
    KeyReused,
    LockContention,
    problems.OriginalSoNotFound,
    problems.AlreadyRefunded,
    problems.RefundWindowExpired,
    TenderMismatch,
    problems.RefundExceedsPaid,
    problems.RefundLineNotInOrder,
    problems.RefundExceedsRemaining,
    SerialsRefused,
    asDispatchProblem(PartlyShipped),
  ],
  run: ({ body, by, res, countRequest, options }) =>
    runKeyed({ operation: "pos.refund", body, by, res, countRequest }, (keyed) =>
      activities.refundSale(body, keyed, options),
    ),
});
