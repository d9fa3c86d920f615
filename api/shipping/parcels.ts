import { z } from "zod";
import * as closing from "../../activities/shipping/parcels/close.js";
import * as packing from "../../activities/shipping/parcels/pack.js";
import * as leaving from "../../activities/shipping/parcels/ship.js";
import { SilentShortfall, WrongLot } from "../../src/picking/problems.js";
import { checkWarehouse, shownWarehouses } from "../../src/platform/actor.js";
import { AmbiguousBarcode } from "../../src/platform/barcodes/problems.js";
import { db } from "../../src/platform/db/db.js";
import * as field from "../../src/platform/fields/index.js";
import { paged } from "../../src/platform/fields.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { OrderHasRecalled } from "../../src/recalls/problems.js";
import { HasReturns } from "../../src/sales-orders/action-problems.js";
import { unservable } from "../../src/sales-orders/fulfilment.js";
import { OrderHeld } from "../../src/sales-orders/holds.js";
import { SoNotFound, TrackingRequired, unknownSo } from "../../src/sales-orders/problems.js";
import { SerialRequired, SerialsMissing, unpackable } from "../../src/serials/problems.js";
import { BoxNotFound } from "../../src/shipping/boxes/problems.js";
import {
  NoClosedParcel,
  NothingLeftToPack,
  OverTakeOut,
  ParcelEmpty,
  ParcelLabelled,
  ParcelLineNotFound,
  ParcelNotFound,
  TooManyUnits,
  unfit,
  unknownParcel,
} from "../../src/shipping/parcels/problems.js";
import { orderInParcels, parcelById, parcels } from "../../src/shipping/parcels/queries.js";
import {
  Closing,
  ListedParcel,
  NewParcel,
  PackedIntoParcel,
  Parcel,
  ParcelCarriage,
  ParcelFilters,
  ParcelIdParam,
  ParcelScan,
  ParcelsOfOrder,
  ParcelsToShip,
  ParcelVoiding,
  RestOfOrder,
  ShipmentVoiding,
  ShippedParcels,
  Suggestion,
  TakeOut,
} from "../../src/shipping/parcels/shapes.js";
import { restToPack, suggestParcels as suggestion } from "../../src/shipping/parcels/suggestion.js";
import { AlreadyVerified, NotOnOrder, OverPack, SoNotPacked, SoNotPicked } from "../../src/shipping/problems.js";
import { threadCaller } from "../http/file-answer.js";
import { floor, page, route } from "../http/route.js";

/** Parcels: docs/parcels.md. */

const params = z.strictObject({ parcel_id: ParcelIdParam });

/** An order with an open parcel is being packed; it may be on hold. */
const ofParcel = [...unknownParcel, WarehouseDenied];

export const getParcelsOfOrder = route("get /api/packing/parcels", {
  for: floor("pack"),
  summary: "The parcels of an order with what is in them, and what is in none",
  query: z.object({ so_id: field.SoIdParam }),
  answers: { 200: ParcelsOfOrder },
  errors: unknownSo,
  run: async ({ query: { so_id }, by }) => {
    const order = await orderInParcels(so_id);
    if (!order) throw SoNotFound();
    const { warehouse_id, ...answer } = order;
    checkWarehouse(by, warehouse_id);
    return answer;
  },
});

export const suggestParcels = route("get /api/packing/parcels/suggest", {
  for: floor("pack"),
  summary: "Which boxes what is in no parcel of an order is best packed in, each with the reason",
  query: z.object({ so_id: field.SoIdParam }),
  answers: { 200: Suggestion },
  errors: [...unknownSo, TooManyUnits],
  run: async ({ query: { so_id }, by, res }) => {
    const rest = await restToPack(so_id);
    if (!rest) throw SoNotFound();
    checkWarehouse(by, rest.warehouse_id);
    return suggestion(rest, threadCaller(by, res));
  },
});

export const openParcel = route("post /api/packing/parcels", {
  for: floor("pack"),
  summary: "Opens a parcel of an order that is being packed",
  body: NewParcel,
  answers: { 201: Parcel },
  errors: [SoNotFound, ...unservable, SoNotPicked, BoxNotFound],
  run: ({ body, by }) => packing.openParcel(body, by),
});

export const packRestOfOrder = route("post /api/packing/parcels/rest", {
  for: floor("pack"),
  summary: "Packs all that is in no parcel yet into one, and closes it",
  body: RestOfOrder,
  answers: { 201: Parcel },
  errors: [...[SoNotFound, ...unservable, SoNotPicked, NothingLeftToPack, SerialRequired, BoxNotFound], ...unfit],
  run: ({ body, by }) => closing.packRest(body, by),
});

export const getParcel = route("get /api/packing/parcels/:parcel_id", {
  for: floor("pack"),
  summary: "A parcel with what is in it",
  params,
  answers: { 200: Parcel },
  errors: [ParcelNotFound, WarehouseDenied],
  run: async ({ params, by }) => {
    const parcel = await parcelById(db, params.parcel_id);
    if (!parcel) throw ParcelNotFound();
    checkWarehouse(by, parcel.warehouse_id);
    return parcel;
  },
});

export const scanIntoParcel = route("post /api/packing/parcels/:parcel_id/scan", {
  for: floor("pack"),
  summary: "Puts scanned units into an open parcel, and counts them as packed",
  params,
  body: ParcelScan,
  answers: { 200: PackedIntoParcel },
  errors: [
    ...[...ofParcel, OrderHeld],
    ...[NotOnOrder, AmbiguousBarcode, AlreadyVerified, OverPack, WrongLot],
    ...unpackable,
  ],
  run: ({ params, body, by }) => packing.scanIntoParcel({ ...params, ...body }, by),
});

export const takeOutOfParcel = route("post /api/packing/parcels/:parcel_id/take-out", {
  for: floor("pack"),
  summary: "Takes units out of an open parcel, which are packed no more",
  params,
  body: TakeOut,
  answers: { 200: Parcel },
  errors: [...ofParcel, OrderHeld, ParcelLineNotFound, OverTakeOut],
  run: ({ params, body, by }) => packing.takeOut({ ...params, ...body }, by),
});

export const closeParcel = route("post /api/packing/parcels/:parcel_id/close", {
  for: floor("pack"),
  summary: "Closes a parcel with its box and weight; refused where it cannot be so",
  params,
  body: Closing,
  answers: { 200: Parcel },
  errors: [...ofParcel, OrderHeld, BoxNotFound, ParcelEmpty, ...unfit],
  run: ({ params, body, by }) => closing.closeParcel({ ...params, ...body }, by),
});

export const reopenParcel = route("post /api/packing/parcels/:parcel_id/reopen", {
  for: floor("pack"),
  summary: "Opens a closed parcel again; an order that was PACKED is to be packed again",
  params,
  answers: { 200: Parcel },
  errors: [...ofParcel, ParcelLabelled],
  run: ({ params, by }) => closing.reopenParcel(params.parcel_id, by),
});

export const voidParcel = route("post /api/packing/parcels/:parcel_id/void", {
  for: floor("pack"),
  destructive: true,
  summary: "Voids a parcel that has not left: what was in it is packed no more",
  params,
  body: ParcelVoiding,
  answers: { 200: Parcel },
  errors: ofParcel,
  run: ({ params, body, by }) => packing.voidParcel({ ...params, ...body }, by),
});

const unshippable = [
  ...[OrderHeld, SoNotPacked, SilentShortfall, TrackingRequired],
  ...[OrderHasRecalled, SerialsMissing],
];

export const shipParcelsOfOrder = route("post /api/shipping/parcels/ship", {
  for: floor("ship"),
  destructive: true,
  summary: "Ships closed parcels of an order, the named ones or all; the order is SHIPPED with the last",
  body: ParcelsToShip,
  answers: { 200: ShippedParcels },
  errors: [SoNotFound, ...unknownParcel, NoClosedParcel, ...unshippable],
  run: ({ body, by }) => leaving.shipParcelsOf(body, by),
});

export const shipParcel = route("post /api/shipping/parcels/:parcel_id/ship", {
  for: floor("ship"),
  destructive: true,
  summary: "Ships a closed parcel; the order is SHIPPED with its last",
  params,
  body: ParcelCarriage,
  answers: { 200: ShippedParcels },
  errors: [...ofParcel, ...unshippable],
  run: ({ params, body, by }) => leaving.shipParcel({ ...params, ...body }, by),
});

export const voidParcelShipment = route("post /api/shipping/parcels/:parcel_id/void", {
  for: floor("ship"),
  destructive: true,
  summary: "Voids the shipment of a parcel, which is closed again as before it left",
  params,
  body: ShipmentVoiding,
  answers: { 200: Parcel },
  errors: [...ofParcel, HasReturns],
  run: ({ params, body, by }) => leaving.voidParcelShipment({ ...params, ...body }, by),
});

export const listParcels = route("get /api/admin/parcels", {
  for: page("sales-orders"),
  summary: "Parcels of sales orders, the newest first, with those that were voided",
  query: ParcelFilters,
  answers: { 200: paged("parcels", ListedParcel, "The parcels, one entry for each.") },
  run: ({ query, by }) => parcels(query, shownWarehouses(by, query.warehouse_id)),
});
