import { z } from "zod";
import { completePacking, verifyItem } from "../activities/packing.js";
import { scopeOf } from "../src/actor.js";
import {
  AlreadyVerified,
  NotAllVerified,
  NotOnOrder,
  OverPack,
  SoNotPicked,
} from "../src/packing/problems.js";
import { orderToPack } from "../src/packing/queries.js";
import { SilentShortfall } from "../src/picking/problems.js";
import { SoNotFound } from "../src/sales-orders/problems.js";
import { Barcode, Id, Quantity, Units, Weight } from "./fields.js";
import { floor, route } from "./route.js";
import { ScannedOrder } from "./scanned-order.js";

/** Packing: scan every item into the parcel, then close it (spec 4.5, reference 02 §6). */

const LineToPack = z.strictObject({
  so_line_id: Id,
  line_number: z.int(),
  item_id: Id,
  sku: z.string(),
  item_name: z.string(),
  upc: z.string().nullable(),
  weight_lbs: Weight,
  quantity_ordered: Units,
  quantity_picked: Units,
  quantity_packed: Units,
  pack_verified: z.boolean(),
});

export const lookUpPicked = route("get /api/packing/order/:barcode", {
  for: floor("pack"),
  summary: "A picked order by number or barcode, with what is to be packed",
  params: z.strictObject({ barcode: Barcode }),
  answers: {
    200: z.strictObject({
      sales_order: ScannedOrder,
      lines: z.array(LineToPack),
      calculated_weight_lbs: Weight,
      total_items: Units,
      items_verified: Units,
    }),
  },
  errors: [SoNotFound, SoNotPicked],
  run: async ({ params, by }) => {
    const found = await orderToPack(params.barcode, scopeOf(by));
    if (!found) throw SoNotFound();
    const { so_number, status } = found.sales_order;
    if (status !== "PICKED") throw SoNotPicked({ so_number, status });
    return found;
  },
});

export const verify = route("post /api/packing/verify", {
  for: floor("pack"),
  summary: "Counts scanned units of an item into the parcel",
  body: z.strictObject({
    so_id: Id,
    scanned_barcode: Barcode,
    quantity: Quantity.default(1),
  }),
  answers: {
    200: z.strictObject({
      message: z.string(),
      item: z.strictObject({
        sku: z.string(),
        item_name: z.string(),
        quantity_verified: Units,
        line_complete: z.boolean(),
      }),
      order_progress: z.strictObject({
        total_lines: z.int(),
        lines_verified: z.int(),
        all_verified: z.boolean(),
      }),
    }),
  },
  errors: [SoNotFound, SoNotPicked, NotOnOrder, AlreadyVerified, OverPack],
  run: ({ body, by }) => verifyItem(body, by),
});

export const complete = route("post /api/packing/complete", {
  for: floor("pack"),
  summary: "Closes the parcel of an order whose lines are all verified",
  body: z.strictObject({ so_id: Id }),
  answers: {
    200: z.strictObject({
      message: z.string(),
      so_number: z.string(),
      status: z.literal("PACKED"),
      total_items: Units,
      calculated_weight_lbs: Weight,
    }),
  },
  errors: [SoNotFound, SoNotPicked, NotAllVerified, SilentShortfall],
  run: ({ body, by }) => completePacking(body, by),
});
