import { z } from "zod";
import { visibleWarehouses } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import { paged } from "../../src/platform/fields.js";
import { SerialNotFound } from "../../src/serials/problems.js";
import { serials, serialsByCode } from "../../src/serials/queries.js";
import { ListedSerial, Serial, SerialFilters } from "../../src/serials/shapes.js";
import { floor, page, route } from "../http/route.js";

/** Serials: docs/serials.md. */

export const listSerials = route("get /api/admin/serials", {
  for: page("inventory"),
  summary: "Units with serial numbers, the newest first",
  query: SerialFilters,
  answers: { 200: paged("serials", ListedSerial, "The units, one entry for each.") },
  run: ({ query, by }) => serials(query, visibleWarehouses(by)),
});

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
