import { z } from "zod";
import * as activities from "../../activities/shipping/packing.js";
import { SilentShortfall, WrongLot } from "../../src/picking/problems.js";
import { visibleWarehouses } from "../../src/platform/actor.js";
import { AmbiguousBarcode } from "../../src/platform/barcodes/problems.js";
import * as field from "../../src/platform/fields/index.js";
import { NothingToShip } from "../../src/sales-orders/action-problems.js";
import { refuseReturn, unservable } from "../../src/sales-orders/fulfilment.js";
import { refuseHeld } from "../../src/sales-orders/holds.js";
import { SoNotFound } from "../../src/sales-orders/problems.js";
import { unpackable } from "../../src/serials/problems.js";
import { orderToPack } from "../../src/shipping/packing/queries.js";
import { OrderToPack, PackedOrder, PackScan, VerifiedItem } from "../../src/shipping/packing/shapes.js";
import { NotInClosedParcel } from "../../src/shipping/parcels/problems.js";
import { AlreadyVerified, NotAllVerified, NotOnOrder, OverPack, SoNotPicked } from "../../src/shipping/problems.js";
import { floor, route } from "../http/route.js";

/** Packing: every item is scanned, then the order is completed (docs/interface.md, Packing). */

export const getOrderToPack = route("get /api/packing/order/:barcode", {
  for: floor("pack"),
  summary: "A picked order by number or barcode, with what is to be packed",
  params: z.strictObject({ barcode: field.Scanned }),
  answers: { 200: OrderToPack },
  errors: [SoNotFound, ...unservable, SoNotPicked],
  run: async ({ params, by }) => {
    const found = await orderToPack(params.barcode, visibleWarehouses(by));
    if (!found) throw SoNotFound();
    const { order_type, hold_reason, ...answer } = found;
    const { so_number, status } = answer.sales_order;
    refuseReturn({ so_number, order_type });
    refuseHeld({ so_number, hold_reason });
    if (status !== "PICKED") throw SoNotPicked({ so_number, status });
    return answer;
  },
});

export const verifyPackedItem = route("post /api/packing/verify", {
  for: floor("pack"),
  summary: "Counts scanned units of an item as packed",
  body: PackScan,
  answers: { 200: VerifiedItem },
  errors: [
    ...unservable,
    ...[SoNotFound, SoNotPicked, NotOnOrder, AmbiguousBarcode],
    ...[AlreadyVerified, OverPack, WrongLot],
    ...unpackable,
  ],
  run: ({ body, by }) => activities.verifyItem(body, by),
});

export const completePacking = route("post /api/packing/complete", {
  for: floor("pack"),
  summary: "Marks an order whose lines are all verified as packed",
  body: z.strictObject({ so_id: field.SoId }),
  answers: { 200: PackedOrder },
  errors: [SoNotFound, ...unservable, SoNotPicked, NothingToShip, NotAllVerified, NotInClosedParcel, SilentShortfall],
  run: ({ body, by }) => activities.completePacking(body, by),
});
