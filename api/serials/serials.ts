import { z } from "zod";
import { shownWarehouses, visibleWarehouses } from "../../src/platform/actor.js";
import * as field from "../../src/platform/fields/index.js";
import { paged } from "../../src/platform/fields.js";
import { epcisOfSerial } from "../../src/serials/epcis.js";
import { SerialNotFound } from "../../src/serials/problems.js";
import { serials, serialsByCode } from "../../src/serials/queries.js";
import { ListedSerial, Serial, SerialFilters, SerialParams } from "../../src/serials/shapes.js";
import { floor, page, route } from "../http/route.js";
import { AStreamedFile, StreamedFile } from "../http/streamed-file.js";

/** Serials: docs/serials.md. */

export const listSerials = route("get /api/admin/serials", {
  for: page("inventory"),
  summary: "Units with serial numbers, the newest first",
  query: SerialFilters,
  answers: { 200: paged("serials", ListedSerial, "The units, one entry for each.") },
  run: ({ query, by }) => serials(query, shownWarehouses(by, query.warehouse_id)),
});

async function* wholly(text: string) {
  yield text;
}

export const epcisOfUnit = route("get /api/admin/serials/:serial_id/epcis", {
  for: page("inventory"),
  summary: "The life of a unit with a serial number as an EPCIS 2.0 document (JSON-LD)",
  params: SerialParams,
  files: ["application/ld+json"],
  answers: { 200: AStreamedFile },
  errors: [SerialNotFound],
  run: async ({ params, by }) => {
    const found = await epcisOfSerial(params.serial_id, visibleWarehouses(by));
    if (!found) throw SerialNotFound();
    const texts = wholly(JSON.stringify(found.document));
    return new StreamedFile("application/ld+json", `epcis-${found.serial_number}.jsonld`, texts);
  },
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
