import { z } from "zod";
import { reverseReceipt } from "../../activities/receiving/reverse-receipt.js";
import { checkWarehouse } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import { Text } from "../../src/platform/fields.js";
import { wholeList } from "../../src/platform/list.js";
import { PoNotFound, unknownPo } from "../../src/purchasing/problems.js";
import { BadReason, NotAPoReceipt, ReceiptNotAvailable, ReceiptNotFound } from "../../src/receiving/problems.js";
import { receiptsOfPurchaseOrder } from "../../src/receiving/queries.js";
import { Receipt, ReceiptReversed } from "../../src/receiving/shapes.js";
import { SerialNotInStock } from "../../src/serials/problems.js";
import { page, route } from "../http/route.js";

/** Receipts of purchase orders, as an admin lists and reverses them: docs/interface.md, Purchase orders. */

export const listReceipts = route("get /api/admin/purchase-orders/:po_id/receipts", {
  for: page("receiving"),
  summary: "The receipts of a purchase order, newest first",
  params: z.strictObject({ po_id: field.PoIdParam }),
  query: z.object(wholeList(Receipt)),
  answers: {
    200: z.strictObject({
      po_id: field.PoId,
      receipts: z.array(Receipt).describe("The receipts, each with the units of one item that came at one time."),
    }),
  },
  errors: unknownPo,
  run: async ({ params, by }) => {
    const found = await receiptsOfPurchaseOrder(params.po_id);
    if (!found) throw PoNotFound();
    checkWarehouse(by, found.warehouse_id);
    return { po_id: found.po_id, receipts: found.receipts };
  },
});

const Reason = Text(500).nullish();

export const unreceiveReceipt = route("post /api/admin/receipts/:receipt_id/unreceive", {
  for: page("receiving"),
  destructive: true,
  summary:
    "Reverses one receipt: its units are taken out of stock, from its bin first, and only units that are not reserved",
  params: z.strictObject({ receipt_id: field.ReceiptIdParam }),
  body: z.strictObject({
    // Validated in `run`, because an invalid reason is answered with 422 here.
    reason: z
      .unknown()
      .meta({ type: ["string", "null"], maxLength: 500, examples: ["wrong item"] })
      .optional()
      .describe("Why, in the words of the user."),
  }),
  answers: { 200: ReceiptReversed },
  errors: [BadReason, ReceiptNotFound, NotAPoReceipt, ReceiptNotAvailable, SerialNotInStock],
  run: ({ params, body, by }) => {
    const reason = Reason.safeParse(body.reason);
    if (!reason.success) throw BadReason({}, { kind: "bad_reason" });
    return reverseReceipt({ receipt_id: params.receipt_id, reason: reason.data }, by);
  },
});
