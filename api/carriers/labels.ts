import { z } from "zod";
import { quoteParcel } from "../../activities/carriers/quote.js";
import { requestLabel } from "../../activities/carriers/request-label.js";
import * as activities from "../../activities/carriers/withdraw-label.js";
import { labelById, labelsOf } from "../../src/carriers/label-queries.js";
import {
  Label,
  NewLabel,
  ParcelRates,
  PurchaseIdParam,
  RatesWanted,
  WrittenOff,
} from "../../src/carriers/label-shapes.js";
import {
  AddressIncomplete,
  AddressRefused,
  AlreadyLabelled,
  CarrierAccountInactive,
  CarrierAccountNotFound,
  CarrierAway,
  CarrierRefusedIt,
  LabelEnded,
  LabelledParcelShipped,
  LabelNotFound,
  LabelNotRefused,
  LabelNotStored,
  NoCarrierAccount,
  ParcelNotClosed,
  ParcelNotWeighed,
  ServiceNotAvailable,
  TrackingNumberGiven,
  TrackingNumberNeeded,
} from "../../src/carriers/problems.js";
import { labelFile, parcelToSend } from "../../src/carriers/queries.js";
import { nameOfLabel } from "../../src/carriers/workflow.js";
import { checkWarehouse } from "../../src/platform/actor.js";
import { mediaTypeOf } from "../../src/platform/labels/print.js";
import { wholeList } from "../../src/platform/list.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { CustomsCurrencies, CustomsIncomplete } from "../../src/shipping/customs/problems.js";
import { ParcelEmpty, ParcelNotFound } from "../../src/shipping/parcels/problems.js";
import { ParcelIdParam } from "../../src/shipping/parcels/shapes.js";
import { AFile, FileAnswer, printouts } from "../http/file-answer.js";
import { floor, route } from "../http/route.js";
import { startPurchase, tellPurchase } from "./workflow.js";

/** Labels that are bought of carriers: docs/carriers.md. */

/** Each asks all carriers of the warehouse. */
const QUOTES_PER_MINUTE = 120;

const ofParcel = z.strictObject({ parcel_id: ParcelIdParam });
const params = z.strictObject({ purchase_id: PurchaseIdParam });

export const quoteLabel = route("post /api/packing/parcels/:parcel_id/rates", {
  for: floor("pack"),
  perMinute: QUOTES_PER_MINUTE,
  changesNothing: true,
  summary: "What the services of carriers ask for a parcel, and which one would be bought; nothing is",
  params: ofParcel,
  body: RatesWanted,
  answers: { 200: ParcelRates },
  errors: [
    ...[ParcelNotFound, WarehouseDenied, ParcelNotClosed, ParcelNotWeighed, AddressIncomplete, NoCarrierAccount],
    ...[ParcelEmpty, CustomsIncomplete, CustomsCurrencies],
    ...[AddressRefused, ServiceNotAvailable, CarrierRefusedIt, CarrierAway],
  ],
  run: ({ params, body, by, options }) => quoteParcel(params.parcel_id, body, options, by),
});

export const buyLabel = route("post /api/packing/parcels/:parcel_id/label", {
  for: floor("pack"),
  summary: "Has the label of a parcel bought, in the background; one that was bought by hand is noted (201)",
  params: ofParcel,
  body: NewLabel,
  answers: { 202: Label, 201: Label },
  errors: [
    ...[ParcelNotFound, WarehouseDenied, ParcelNotClosed, ParcelNotWeighed, AddressIncomplete, AlreadyLabelled],
    ...[ParcelEmpty, CustomsIncomplete, CustomsCurrencies],
    ...[NoCarrierAccount, CarrierAccountNotFound, CarrierAccountInactive, TrackingNumberNeeded, TrackingNumberGiven],
  ],
  run: async ({ params, body, by, res }) => {
    const label = await requestLabel(params.parcel_id, body, by);
    if (label.status === "bought") res.status(201);
    startPurchase(label, res);
    return label;
  },
});

export const listLabels = route("get /api/packing/parcels/:parcel_id/labels", {
  for: floor("pack"),
  summary: "The labels of a parcel, the newest first, each with where it stands",
  params: ofParcel,
  query: z.object(wholeList(Label)),
  answers: { 200: z.strictObject({ labels: z.array(Label).describe("The labels, the newest first.") }) },
  errors: [ParcelNotFound, WarehouseDenied],
  run: async ({ params: { parcel_id }, by }) => {
    const parcel = await parcelToSend(parcel_id);
    if (!parcel) throw ParcelNotFound();
    checkWarehouse(by, parcel.warehouse_id);
    return { labels: await labelsOf(parcel_id) };
  },
});

export const getLabelFile = route("get /api/packing/labels/:purchase_id/file", {
  for: floor("pack"),
  summary: "A bought label, as its carrier draws it",
  params,
  answers: { 200: AFile },
  files: printouts,
  errors: [LabelNotFound, WarehouseDenied, LabelNotStored],
  run: async ({ params: { purchase_id }, by }) => {
    const label = await labelById(purchase_id);
    if (!label) throw LabelNotFound();
    checkWarehouse(by, label.warehouse_id);
    const file = await labelFile(purchase_id);
    if (!file) throw LabelNotStored({ status: label.status });
    const { format, content } = file;
    return new FileAnswer({ mediaType: mediaTypeOf(format), fileName: `${nameOfLabel(label)}.${format}`, content });
  },
});

export const voidLabel = route("post /api/packing/labels/:purchase_id/void", {
  for: floor("pack"),
  summary: "Takes a label back: a bought one with its carrier, in the background",
  params,
  answers: { 202: Label },
  errors: [LabelNotFound, WarehouseDenied, LabelEnded, LabelledParcelShipped],
  run: async ({ params, by, res }) => {
    const label = await activities.withdrawLabel(params.purchase_id, by);
    tellPurchase(label, res);
    return label;
  },
});

export const writeOffLabel = route("post /api/packing/labels/:purchase_id/write-off", {
  for: floor("pack"),
  summary: "Gives up a label that its carrier does not take back: its parcel may have another one",
  params,
  body: WrittenOff,
  answers: { 200: Label },
  errors: [LabelNotFound, WarehouseDenied, LabelNotRefused, LabelledParcelShipped],
  run: ({ params, body, by }) => activities.writeOffLabel(params.purchase_id, body, by),
});
