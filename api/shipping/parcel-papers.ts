import { z } from "zod";
import { checkWarehouse } from "../../src/platform/actor.js";
import { print } from "../../src/platform/labels/print.js";
import { LabelPrint, labelPrint, SizeNotOnRoll, SlipPrint, slipPrint } from "../../src/platform/labels/shapes.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { slipPages } from "../../src/shipping/packing/draw-slip.js";
import { parcelLabels } from "../../src/shipping/parcels/draw-labels.js";
import { parcelsToLabel } from "../../src/shipping/parcels/label.js";
import { ParcelNotFound } from "../../src/shipping/parcels/problems.js";
import { ParcelIdParam } from "../../src/shipping/parcels/shapes.js";
import { slipsOfParcels } from "../../src/shipping/parcels/slip.js";
import { AFile, FileAnswer, printouts, threadCaller } from "../http/file-answer.js";
import { floor, route } from "../http/route.js";

/** What is printed of parcels: docs/labels.md. */

const params = z.strictObject({ parcel_id: ParcelIdParam });

export const printParcelLabel = route("get /api/packing/parcels/:parcel_id/label", {
  for: floor("pack"),
  summary: "The label of a parcel with its code and its place among those of the order, as PDF or ZPL",
  params,
  query: LabelPrint,
  files: printouts,
  answers: { 200: AFile },
  errors: [ParcelNotFound, WarehouseDenied],
  run: async ({ params: { parcel_id }, query, by, res }) => {
    const parcels = await parcelsToLabel([parcel_id]);
    for (const { warehouse_id } of parcels) checkWarehouse(by, warehouse_id);
    const name = `parcel-${parcel_id}`;
    return new FileAnswer(await print(labelPrint(query), name, parcelLabels, parcels, threadCaller(by, res)));
  },
});

export const printParcelSlip = route("get /api/packing/parcels/:parcel_id/packing-slip", {
  for: floor("pack"),
  summary: "The packing slip of a parcel, with what is in it alone, as PDF or ZPL",
  params,
  query: SlipPrint,
  files: printouts,
  answers: { 200: AFile },
  errors: [ParcelNotFound, WarehouseDenied, SizeNotOnRoll],
  run: async ({ params: { parcel_id }, query, by, res }) => {
    const how = slipPrint(query);
    const slips = await slipsOfParcels([parcel_id]);
    for (const { warehouse_id } of slips) checkWarehouse(by, warehouse_id);
    const name = `packing-slip-parcel-${parcel_id}`;
    return new FileAnswer(await print(how, name, slipPages, slips, threadCaller(by, res)));
  },
});
