import { z } from "zod";
import { fulfill } from "../activities/shipping.js";
import { scopeOf } from "../src/actor.js";
import { db } from "../src/db.js";
import { SilentShortfall } from "../src/picking/problems.js";
import { SoNotFound } from "../src/sales-orders/problems.js";
import { refuseUnshippable } from "../src/shipping/guard.js";
import {
  BarcodeLength,
  SoNotPacked,
  SoNotShippable,
} from "../src/shipping/problems.js";
import { orderToShip } from "../src/shipping/queries.js";
import { Id, Name, Text, Units } from "./fields.js";
import { floor, route } from "./route.js";
import { ScannedOrder } from "./scanned-order.js";

/** Shipping: hand the parcel to a carrier (spec 4.5, reference 02 §7). */

const LineToShip = z.strictObject({
  so_line_id: Id,
  line_number: z.int(),
  item_id: Id,
  sku: z.string(),
  item_name: z.string(),
  quantity_ordered: Units,
  quantity_picked: Units,
});

export const lookUpShippable = route("get /api/shipping/order/:barcode", {
  for: floor("ship"),
  summary: "An order that is ready to ship, by number or barcode",
  params: z.strictObject({ barcode: z.string().trim() }),
  answers: {
    200: z.strictObject({
      sales_order: ScannedOrder,
      lines: z.array(LineToShip),
      total_items: Units,
      total_lines: z.int(),
    }),
  },
  errors: [BarcodeLength, SoNotFound, SoNotShippable, SoNotPacked],
  run: async ({ params, by }) => {
    if (params.barcode === "" || params.barcode.length > 100)
      throw BarcodeLength();
    const found = await orderToShip(params.barcode, scopeOf(by));
    if (!found) throw SoNotFound();
    await refuseUnshippable(db, found.sales_order);
    return found;
  },
});

export const ship = route("post /api/shipping/fulfill", {
  for: floor("ship"),
  summary: "Ships an order: carrier, tracking number, fulfilment records",
  body: z.strictObject({
    so_id: Id,
    tracking_number: Name(255, "1Z999AA10123456784"),
    carrier: Name(100, "UPS"),
    ship_method: Text(100, "Ground").trim().nullish(),
  }),
  answers: {
    200: z.strictObject({
      message: z.string(),
      fulfillment_id: Id,
      so_number: z.string(),
      tracking_number: z.string(),
      carrier: z.string(),
      ship_method: z.string().nullable(),
      lines_shipped: z.int(),
      total_quantity: Units,
    }),
  },
  errors: [SoNotFound, SoNotShippable, SoNotPacked, SilentShortfall],
  run: ({ body, by }) => fulfill(body, by),
});
