import { z } from "zod";
import { checkWarehouse, visibleWarehouses } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import { print } from "../../src/platform/labels/print.js";
import { LabelledIds, SizeNotOnRoll, SlipPrint, slipPrint } from "../../src/platform/labels/shapes.js";
import { ReturnNotFulfillable, refuseReturn } from "../../src/sales-orders/fulfilment.js";
import { SoNotFound, unknownSo } from "../../src/sales-orders/problems.js";
import { slipPages } from "../../src/shipping/packing/draw-slip.js";
import { packingSlip, packingSlips } from "../../src/shipping/packing/slip.js";
import { AFile, FileAnswer, printouts, threadCaller } from "../http/file-answer.js";
import { floor, route } from "../http/route.js";

/** Packing slips for parcels: docs/labels.md. */

export const printPackingSlip = route("get /api/packing/order/:barcode/packing-slip", {
  for: floor("pack"),
  summary: "The packing slip of an order by number or barcode, in any status, as PDF or ZPL",
  params: z.strictObject({ barcode: field.Scanned }),
  query: SlipPrint,
  files: printouts,
  answers: { 200: AFile },
  errors: [SoNotFound, ReturnNotFulfillable, SizeNotOnRoll],
  run: async ({ params, query, by, res }) => {
    const how = slipPrint(query);
    const slip = await packingSlip(params.barcode, visibleWarehouses(by));
    if (!slip) throw SoNotFound();
    refuseReturn(slip);
    return new FileAnswer(await print(how, `packing-slip-${slip.so_number}`, slipPages, [slip], threadCaller(by, res)));
  },
});

export const printPackingSlips = route("get /api/packing/packing-slips", {
  for: floor("pack"),
  summary: "The packing slips of many orders as one file, by their ids, one after the other as they are named",
  query: SlipPrint.extend({ so_ids: LabelledIds }),
  files: printouts,
  answers: { 200: AFile },
  errors: [...unknownSo, ReturnNotFulfillable, SizeNotOnRoll],
  run: async ({ query: { so_ids, ...how }, by, res }) => {
    const asked = slipPrint(how);
    const slips = await packingSlips(so_ids);
    for (const slip of slips) {
      checkWarehouse(by, slip.warehouse_id);
      refuseReturn(slip);
    }
    return new FileAnswer(await print(asked, "packing-slips", slipPages, slips, threadCaller(by, res)));
  },
});
