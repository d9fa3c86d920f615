import { z } from "zod";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { print } from "../../src/platform/labels/print.js";
import { SizeNotOnRoll, SlipPrint, slipPrint } from "../../src/platform/labels/shapes.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { declarationOf, refuseIncomplete } from "../../src/shipping/customs/declaration.js";
import { customsPages } from "../../src/shipping/customs/draw.js";
import { CustomsCurrencies, CustomsIncomplete } from "../../src/shipping/customs/problems.js";
import { parcelForCustoms } from "../../src/shipping/customs/queries.js";
import { ContentKind, CustomsDeclaration, customsForms } from "../../src/shipping/customs/shapes.js";
import { ParcelEmpty, ParcelNotFound } from "../../src/shipping/parcels/problems.js";
import { ParcelIdParam } from "../../src/shipping/parcels/shapes.js";
import { AFile, FileAnswer, printouts, threadCaller } from "../http/file-answer.js";
import { floor, route } from "../http/route.js";

/** What customs ask of parcels: docs/customs.md. */

const params = z.strictObject({ parcel_id: ParcelIdParam });

async function declared(parcelId: number, by: Actor) {
  const parcel = await parcelForCustoms(parcelId);
  if (!parcel) throw ParcelNotFound();
  checkWarehouse(by, parcel.warehouse_id);
  return parcel;
}

export const getCustomsDeclaration = route("get /api/packing/parcels/:parcel_id/customs", {
  for: floor("pack"),
  summary: "What customs ask of a parcel, and what is missing of it",
  params,
  answers: { 200: CustomsDeclaration },
  errors: [ParcelNotFound, WarehouseDenied],
  run: async ({ params, by }) => declarationOf(await declared(params.parcel_id, by)),
});

const Paper = SlipPrint.extend({
  form: z.enum(customsForms).default("cn23").describe("CN 22, CN 23 or a commercial invoice."),
  contents: ContentKind.default("sale_of_goods").describe("Why it is sent."),
});

export const printCustomsPaper = route("get /api/packing/parcels/:parcel_id/customs-paper", {
  for: floor("pack"),
  summary: "The customs declaration or the commercial invoice of a parcel, as PDF or ZPL",
  params,
  query: Paper,
  files: printouts,
  answers: { 200: AFile },
  errors: [ParcelNotFound, WarehouseDenied, ParcelEmpty, CustomsIncomplete, CustomsCurrencies, SizeNotOnRoll],
  run: async ({ params, query: { form, contents, ...how }, by, res }) => {
    const asked = slipPrint(how);
    const parcel = await declared(params.parcel_id, by);
    const declaration = declarationOf(parcel);
    const { so_number, parcel_number, barcode, today } = parcel;
    if (declaration.lines.length === 0) throw ParcelEmpty({ so_number, parcel_number });
    refuseIncomplete(declaration);
    const paper = { form, contents, day: today, barcode, declaration };
    const title = `${form}-${so_number}-${parcel_number}`;
    return new FileAnswer(await print(asked, title, customsPages, paper, threadCaller(by, res)));
  },
});
