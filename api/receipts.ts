import { z } from "zod";
import { unreceive } from "../activities/unreceive.js";
import { checkWarehouse } from "../src/actor.js";
import { WarehouseDenied } from "../src/problem.js";
import { poReceipts } from "../src/purchase-orders/queries.js";
import {
  BadReason,
  NotAPoReceipt,
  PoNotFound,
  ReceiptNotAvailable,
  ReceiptNotFound,
} from "../src/receiving/problems.js";
import { Id, QueryInt, Text, Time, Units } from "./fields.js";
import { page, route } from "./route.js";

/** What came on purchase orders, seen and mended by an admin: reference 03 §3. */

export const listReceipts = route(
  "get /api/admin/purchase-orders/:po_id/receipts",
  {
    for: page("receiving"),
    summary: "What came on a purchase order, newest first",
    params: z.strictObject({ po_id: QueryInt }),
    answers: {
      200: z.strictObject({
        po_id: Id,
        receipts: z.array(
          z.strictObject({
            receipt_id: Id,
            po_line_id: Id,
            line_number: z.int(),
            item_id: Id,
            sku: z.string(),
            item_name: z.string(),
            quantity_received: Units,
            bin_id: Id,
            bin_code: z.string(),
            warehouse_id: Id,
            received_by: z.string().nullable(),
            received_at: Time,
            lot_number: z.string().nullable(),
            serial_number: z.string().nullable(),
            notes: z.string().nullable(),
            external_id: z.string(),
          }),
        ),
      }),
    },
    errors: [PoNotFound, WarehouseDenied],
    run: async ({ params, by }) => {
      const found = await poReceipts(params.po_id);
      if (!found) throw PoNotFound();
      checkWarehouse(by, found.warehouse_id);
      return { po_id: found.po_id, receipts: found.receipts };
    },
  },
);

const Reason = Text(500).nullish();

export const unreceiveReceipt = route(
  "post /api/admin/receipts/:receipt_id/unreceive",
  {
    for: page("receiving"),
    summary:
      "Takes one receipt back: its units leave stock, its bin first, and only where nobody reserved them",
    params: z.strictObject({ receipt_id: QueryInt }),
    body: z.strictObject({
      // Judged below, because a wrong one is a 422 here.
      reason: z
        .unknown()
        .meta({
          type: ["string", "null"],
          maxLength: 500,
          examples: ["wrong item"],
        })
        .optional(),
    }),
    answers: {
      200: z.strictObject({
        message: z.string(),
        receipt_id: Id,
        po_id: Id,
        po_status: z.string(),
        quantity_reversed: Units,
        bin_decrements: z.array(
          z.strictObject({ bin_id: Id, quantity: Units }),
        ),
      }),
    },
    errors: [BadReason, ReceiptNotFound, NotAPoReceipt, ReceiptNotAvailable],
    run: ({ params, body, by }) => {
      const reason = Reason.safeParse(body.reason);
      if (!reason.success) throw BadReason({}, { kind: "bad_reason" });
      return unreceive(
        { receipt_id: params.receipt_id, reason: reason.data },
        by,
      );
    },
  },
);
