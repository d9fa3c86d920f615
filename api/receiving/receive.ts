import { z } from "zod";
import * as activities from "../../activities/receiving/cancel-receipts.js";
import { receive } from "../../activities/receiving/receive.js";
import { type Actor, visibleWarehouses } from "../../src/platform/actor.js";
import { misread } from "../../src/platform/barcodes/problems.js";
import * as field from "../../src/platform/fields/index.js";
import { JsonText } from "../../src/platform/json-text.js";
import { PoNotFound } from "../../src/purchasing/problems.js";
import { isLocked } from "../../src/purchasing/status.js";
import { deliveryOnDevice } from "../../src/receiving/offline/queries.js";
import { DeliveryOnDevice } from "../../src/receiving/offline/shapes.js";
import {
  BinElsewhere,
  ItemNotOnPo,
  OverReceipt,
  PoNotOpen,
  ReceiptStockGone,
  ReceiptsElsewhere,
} from "../../src/receiving/problems.js";
import { poByBarcode } from "../../src/receiving/queries.js";
import {
  NewReceipts,
  PurchaseOrderToReceive,
  ReceiptsCancelled,
  ReceiptsCreated,
  ReceiptsToCancel,
} from "../../src/receiving/shapes.js";
import { SerialNotInStock, unreceivable } from "../../src/serials/problems.js";
import {
  BinInactive,
  BinNotFound,
  PromisedToPicks,
  TooFewDaysLeft,
  UnitsHeld,
  unlikePolicy,
} from "../../src/stock/problems.js";
import { floor, route } from "../http/route.js";

/** Receiving: docs/interface.md, Receiving. */

export const lookUpPurchaseOrder = route("get /api/receiving/po/:barcode", {
  for: floor("receive"),
  summary: "A purchase order by barcode or number, with what remains to be received",
  params: z.strictObject({ barcode: field.Scanned }),
  answers: { 200: PurchaseOrderToReceive },
  errors: [PoNotFound, PoNotOpen],
  run: ({ params, by }) => openOrder(params.barcode, by),
});

export const getDeliveryOnDevice = route("get /api/receiving/po/:barcode/offline", {
  for: floor("receive"),
  summary: "A purchase order with all that a device needs to receive it and to put it away without the net",
  params: z.strictObject({ barcode: field.Scanned }),
  answers: { 200: DeliveryOnDevice },
  errors: [PoNotFound, PoNotOpen],
  run: async ({ params, by }) => {
    const order = await openOrder(params.barcode, by);
    return deliveryOnDevice(order.parsed() as PurchaseOrderToReceive);
  },
});

async function openOrder(barcode: string, by: Actor): Promise<JsonText> {
  const po = await poByBarcode(barcode, visibleWarehouses(by));
  if (!po) throw PoNotFound();
  const { status, found } = po;
  if (isLocked(status)) throw PoNotOpen({ status });
  return new JsonText(found);
}

export const receiveItems = route("post /api/receiving/receive", {
  for: floor("receive"),
  summary: "Receives items of a purchase order into bins",
  body: NewReceipts,
  answers: { 200: ReceiptsCreated },
  errors: [
    ...[PoNotFound, PoNotOpen, BinNotFound, BinElsewhere, BinInactive, ItemNotOnPo, OverReceipt],
    ...[...misread, ...unlikePolicy, TooFewDaysLeft, ...unreceivable],
  ],
  run: ({ body, by }) => receive(body, by),
});

export const cancelReceipts = route("post /api/receiving/cancel", {
  for: floor("receive"),
  destructive: true,
  summary: "Takes back receipts of one purchase order",
  body: ReceiptsToCancel,
  answers: { 200: ReceiptsCancelled },
  errors: [ReceiptsElsewhere, ReceiptStockGone, PromisedToPicks, UnitsHeld, SerialNotInStock],
  run: ({ body, by }) => activities.cancelReceipts(body, by),
});
