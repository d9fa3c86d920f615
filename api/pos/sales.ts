import { checkout } from "../../activities/pos/checkout.js";
import * as activities from "../../activities/pos/reference-order.js";
import { LotExpiresLater, LotNotFree, WrongLot } from "../../src/picking/problems.js";
import { KeyReused } from "../../src/platform/dispatch-problem.js";
import type { OfWarehouse } from "../../src/platform/temporal/priorities.js";
import * as problems from "../../src/pos/problems.js";
import { ReferenceCreated, ReferenceExisting, ReferenceOrder, Sale, SaleRecorded } from "../../src/pos/shapes.js";
import { dispatch, route } from "../http/route.js";
import { startReturnOfTill } from "../returns/start.js";
import { runKeyed } from "./keyed.js";

/** What tills record: docs/interface.md, Tills. */

export const checkOutSale = route("post /api/v1/pos/checkout", {
  for: dispatch("pos.dispatch"),
  perMinute: 30,
  repeatsAreFree: true,
  summary: "Records a sale that was paid: over the counter, by phone, or of what is not in stock",
  body: Sale,
  answers: { 200: SaleRecorded },
  errors: [
    KeyReused,
    problems.LockContention,
    problems.TenderMismatch,
    problems.WarehouseNotInScope,
    problems.FulfillmentFailed,
    ...[WrongLot, LotExpiresLater, LotNotFree],
    problems.SerialsRefused,
    problems.BackorderWarehouseUnavailable,
    problems.ParentSoRequired,
    problems.ParentSoNotFound,
    problems.ReturnedItemUnknownSku,
    problems.ReturnedItemNotOnParent,
    problems.ReturnedQuantityExceedsRemaining,
  ],
  run: ({ body, by, res, countRequest, options }) =>
    runKeyed({ operation: "pos.checkout", body, by, res, countRequest }, async (keyed) => {
      let rma: OfWarehouse | undefined;
      const answer = await checkout(body, keyed, options, (made) => (rma = made));
      if (rma) startReturnOfTill(rma, by);
      return answer;
    }),
});

export const addReferenceOrder = route("post /api/v1/pos/reference-orders", {
  for: dispatch("pos.dispatch"),
  perMinute: 30,
  summary: "Stores a sale of another system as shipped, to be referred to; one that is here already stays as it is",
  body: ReferenceOrder,
  answers: { 201: ReferenceCreated, 200: ReferenceExisting },
  errors: [problems.NoWarehouseScope, problems.ReferenceConflict],
  run: async ({ body, by, res }) => {
    const answer = await activities.addReferenceOrder(body, by);
    if (!answer.created) res.status(200);
    return answer;
  },
});
