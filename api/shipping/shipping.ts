import { z } from "zod";
import { fulfill } from "../../activities/shipping/shipping.js";
import { SilentShortfall } from "../../src/picking/problems.js";
import { visibleWarehouses } from "../../src/platform/actor.js";
import { db } from "../../src/platform/db/db.js";
import { AnyText } from "../../src/platform/fields.js";
import { OrderHasRecalled } from "../../src/recalls/problems.js";
import { NothingToShip } from "../../src/sales-orders/action-problems.js";
import { unservable } from "../../src/sales-orders/fulfilment.js";
import { SoNotFound } from "../../src/sales-orders/problems.js";
import { SerialsMissing } from "../../src/serials/problems.js";
import { refuseUnshippable } from "../../src/shipping/guard.js";
import { NotInClosedParcel, OrderInParcels } from "../../src/shipping/parcels/problems.js";
import { BarcodeLength, SoNotPacked, SoNotShippable } from "../../src/shipping/problems.js";
import { orderOfParcel, orderToShip } from "../../src/shipping/queries.js";
import { NewShipment, OrderToShip, ShippedOrder } from "../../src/shipping/shapes.js";
import { floor, route } from "../http/route.js";

/** Shipping: docs/interface.md, Shipping. */

export const getOrderToShip = route("get /api/shipping/order/:barcode", {
  for: floor("ship"),
  summary: "An order that is ready to ship, by number, barcode or the code of one of its parcels",
  params: z.strictObject({ barcode: AnyText("0400000000015").trim().describe("What the scanner read.") }),
  answers: { 200: OrderToShip },
  errors: [BarcodeLength, SoNotFound, ...unservable, SoNotShippable, SoNotPacked],
  run: async ({ params, by }) => {
    if (params.barcode === "" || params.barcode.length > 100) throw BarcodeLength();
    const warehouses = visibleWarehouses(by);
    const number = await orderOfParcel(params.barcode);
    const found =
      (await orderToShip(params.barcode, warehouses)) ?? (number && (await orderToShip(number, warehouses)));
    if (!found) throw SoNotFound();
    const { order_type, hold_reason, ...answer } = found;
    await refuseUnshippable(db, { ...answer.sales_order, order_type, hold_reason }, answer.parcels.length > 0);
    return answer;
  },
});

export const shipSalesOrder = route("post /api/shipping/fulfill", {
  for: floor("ship"),
  destructive: true,
  summary: "Ships an order: records carrier, tracking number and fulfilment",
  body: NewShipment,
  answers: { 200: ShippedOrder },
  errors: [
    ...unservable,
    ...[SoNotFound, SoNotShippable, SoNotPacked, SilentShortfall],
    ...[NothingToShip, OrderInParcels, NotInClosedParcel, OrderHasRecalled, SerialsMissing],
  ],
  run: ({ body, by }) => fulfill(body, by),
});
