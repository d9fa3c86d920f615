import { z } from "zod";
import { visibleWarehouses } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import * as problems from "../../src/returns/problems.js";
import { returnsByCode } from "../../src/returns/queries.js";
import { ReturnReceived, ReturnToReceive, ScannedReturnReceipt } from "../../src/returns/shapes.js";
import { floor, route } from "../http/route.js";
import { receiveUnits, unreceivable } from "./receive.js";

/** Returns at the scanner: docs/interface.md, Returns. */

export const lookUpReturn = route("get /api/receiving/returns/:barcode", {
  for: floor("receive"),
  summary: "The returns that wait for goods, by a scan: of a return, of its order, or of the label that it left under",
  params: z.strictObject({ barcode: field.Scanned }),
  answers: {
    200: z.strictObject({ returns: z.array(ReturnToReceive).describe("The returns, the oldest first.") }),
  },
  errors: [problems.ReturnNotFound, problems.NoReturnAnnounced, problems.ReturnNotOpen],
  run: async ({ params, by }) => {
    const found = await returnsByCode(params.barcode, visibleWarehouses(by));
    const [first] = found;
    if (!first) throw problems.ReturnNotFound({ scanned: params.barcode });
    const { so_number, status } = first;
    if (!first.is_return) throw problems.NoReturnAnnounced({ so_number });
    if (!first.is_open) throw problems.ReturnNotOpen({ so_number, status });
    const returns = found.filter(({ is_open }) => is_open);
    return { returns: returns.map(({ is_open: _, is_return: __, ...one }) => one) };
  },
});

export const receiveScannedReturn = route("post /api/receiving/receive-return", {
  for: floor("receive"),
  summary: "Receives units of a return into a bin, in the condition in which they came",
  body: ScannedReturnReceipt,
  answers: { 200: ReturnReceived },
  errors: unreceivable,
  run: ({ body: { so_id, ...receipt }, by, res }) => receiveUnits(so_id, receipt, { by, res }),
});
