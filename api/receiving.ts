import { z } from "zod";
import { cancelReceipts } from "../activities/cancel-receipts.js";
import { receive } from "../activities/receiving.js";
import { scopeOf } from "../src/actor.js";
import {
  BinElsewhere,
  BinNotFound,
  ItemNotOnPo,
  OverReceipt,
  PoNotFound,
  PoNotOpen,
  ReceiptStockGone,
  ReceiptsElsewhere,
} from "../src/receiving/problems.js";
import { poByBarcode } from "../src/receiving/queries.js";
import { PromisedToPicks } from "../src/stock-problems.js";
import {
  Barcode,
  Day,
  Id,
  LotNumber,
  Quantity,
  Text,
  Time,
  Units,
} from "./fields.js";
import { floor, route } from "./route.js";

/** Receiving: spec 4.4, reference 02 §2. */

const PurchaseOrder = z.strictObject({
  po_id: Id,
  po_number: z.string(),
  po_barcode: z.string().nullable(),
  vendor_name: z.string().nullable(),
  status: z.string(),
  expected_date: Day.nullable(),
  warehouse_id: Id,
  notes: z.string().nullable(),
  created_at: Time,
});

const PoLine = z.strictObject({
  po_line_id: Id,
  line_number: z.int(),
  item_id: Id,
  sku: z.string(),
  item_name: z.string(),
  upc: z.string().nullable(),
  mpn: z.string().nullable(),
  quantity_ordered: Units,
  quantity_received: Units,
  quantity_remaining: Units,
  status: z.enum(["PENDING", "PARTIAL", "RECEIVED"]),
});

export const lookUpPo = route("get /api/receiving/po/:barcode", {
  for: floor("receive"),
  summary:
    "A purchase order by barcode or number, with what remains to be received",
  params: z.strictObject({ barcode: Barcode }),
  answers: {
    200: z.strictObject({
      purchase_order: PurchaseOrder,
      lines: z.array(PoLine),
    }),
  },
  errors: [PoNotFound, PoNotOpen],
  run: async ({ params, by }) => {
    const po = await poByBarcode(params.barcode, scopeOf(by));
    if (!po) throw PoNotFound();
    const { status } = po.purchase_order;
    if (status === "CLOSED" || status === "ARCHIVED")
      throw PoNotOpen({ status });
    return po;
  },
});

const ReceiptItem = z.strictObject({
  item_id: Id,
  quantity: Quantity,
  bin_id: Id,
  lot_number: LotNumber.nullish(),
  serial_number: Text(100, "SN-0001").nullish(),
  notes: Text(1000, "box dented").nullish(),
});

export const receiveItems = route("post /api/receiving/receive", {
  for: floor("receive"),
  summary: "Receives items of a purchase order into bins",
  body: z.strictObject({ po_id: Id, items: z.array(ReceiptItem).min(1) }),
  answers: {
    200: z.strictObject({
      message: z.string(),
      receipt_ids: z.array(Id),
      po_status: z.string(),
      warnings: z.array(z.string()),
    }),
  },
  errors: [
    PoNotFound,
    PoNotOpen,
    BinNotFound,
    BinElsewhere,
    ItemNotOnPo,
    OverReceipt,
  ],
  run: ({ body, by }) => receive(body, by),
});

export const cancelReceiving = route("post /api/receiving/cancel", {
  for: floor("receive"),
  summary: "Takes back receipts of one purchase order",
  body: z.strictObject({ receipt_ids: z.array(Id), po_id: Id }),
  answers: {
    200: z.strictObject({ message: z.string(), reversed: z.int().optional() }),
  },
  errors: [ReceiptsElsewhere, ReceiptStockGone, PromisedToPicks],
  run: ({ body, by }) => cancelReceipts(body, by),
});
