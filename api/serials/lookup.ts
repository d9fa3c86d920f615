import { z } from "zod";
import { visibleWarehouses } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import { SerialNotFound } from "../../src/serials/problems.js";
import { serialsByCode } from "../../src/serials/queries.js";
import { Serial } from "../../src/serials/shapes.js";
import { floor, route } from "../http/route.js";

/** Serials: docs/serials.md. */

export const lookUpSerial = route("get /api/lookup/serial/:serial", {
  for: floor("lookup"),
  summary: "A unit by serial number or GS1 label, and its life: receipt, order, shipment, return",
  params: z.strictObject({ serial: field.Scanned }),
  answers: { 200: z.strictObject({ serials: z.array(Serial).describe("One for each item that has such a unit.") }) },
  errors: [SerialNotFound],
  run: async ({ params, by }) => {
    const serials = await serialsByCode(params.serial, visibleWarehouses(by));
    if (serials.length === 0) throw SerialNotFound();
    return { serials };
  },
});
