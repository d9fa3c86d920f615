import * as activities from "../../activities/lots/lots.js";
import { mergeLots } from "../../activities/lots/merge.js";
import { inspectionToTell } from "../../src/lots/inspections/queries.js";
import {
  LotConditionsDiffer,
  LotExists,
  LotInQuarantine,
  LotNotFound,
  LotNotHeld,
  LotOfAnotherItem,
} from "../../src/lots/problems.js";
import { lot, lotOf, lots } from "../../src/lots/queries.js";
import {
  Lot,
  LotChanges,
  LotDetail,
  LotFilters,
  LotHold,
  LotMerge,
  LotParams,
  LotRelease,
  lotList,
} from "../../src/lots/shapes.js";
import { epcisOf } from "../../src/lots/trace/epcis.js";
import { traceOf } from "../../src/lots/trace/queries.js";
import { Trace, TraceQuery } from "../../src/lots/trace/shapes.js";
import { sheetColumns, sheetOf } from "../../src/lots/trace/sheet.js";
import { type Actor, visibleWarehouses } from "../../src/platform/actor.js";
import { db } from "../../src/platform/db/db.js";
import { paged } from "../../src/platform/fields.js";
import { LotRecalled } from "../../src/recalls/problems.js";
import { ExpiresBeforeProduction } from "../../src/stock/problems.js";
import { csvOf } from "../http/csv.js";
import { admin, page, route } from "../http/route.js";
import { AStreamedFile, StreamedFile } from "../http/streamed-file.js";
import { tellInspection } from "./inspection-workflow.js";

/** Lots: docs/lots.md. They belong to no warehouse; their units do. */

export const listLots = route("get /api/admin/lots", {
  for: page("inventory"),
  summary: "Lots, the newest first",
  query: LotFilters,
  answers: { 200: paged("lots", Lot, "The lots, one entry for each.", lotList.totals) },
  run: ({ query, by }) => lots(query, visibleWarehouses(by), by.shownWarehouseIds !== undefined),
});

export const getLot = route("get /api/admin/lots/:lot_id", {
  for: page("inventory"),
  summary: "A lot, with where it lies and where it came from",
  params: LotParams,
  answers: { 200: LotDetail },
  errors: [LotNotFound],
  run: async ({ params, by }) => {
    const found = await lot(params.lot_id, visibleWarehouses(by));
    if (!found) throw LotNotFound();
    return found;
  },
});

export const traceLot = route("get /api/admin/lots/:lot_id/trace", {
  for: page("inventory"),
  summary: "Where a lot came from, where it lies, and which orders and customers it went to, part by part",
  params: LotParams,
  query: TraceQuery,
  answers: { 200: Trace },
  errors: [LotNotFound],
  run: async ({ params, query, by }) => {
    const found = await traceOf(params.lot_id, query, visibleWarehouses(by));
    if (!found) throw LotNotFound();
    return found;
  },
});

export const traceabilityOfLot = route("get /api/admin/lots/:lot_id/traceability", {
  for: page("inventory"),
  summary: "A sheet of how a lot came and where it went, with the key data elements of 21 CFR 1 subpart S",
  params: LotParams,
  files: ["text/csv"],
  answers: { 200: AStreamedFile },
  errors: [LotNotFound],
  run: async ({ params, by }) => {
    const found = await lotFor(params.lot_id, by);
    const rows = sheetOf(found, visibleWarehouses(by));
    return new StreamedFile("text/csv", `traceability-${found.lot_number}.csv`, csvOf(rows, sheetColumns));
  },
});

export const epcisOfLot = route("get /api/admin/lots/:lot_id/epcis", {
  for: page("inventory"),
  summary: "The life of a lot as an EPCIS 2.0 document (JSON-LD)",
  params: LotParams,
  files: ["application/ld+json"],
  answers: { 200: AStreamedFile },
  errors: [LotNotFound],
  run: async ({ params, by }) => {
    const found = await lotFor(params.lot_id, by);
    const texts = epcisOf(found, visibleWarehouses(by));
    return new StreamedFile("application/ld+json", `epcis-${found.lot_number}.jsonld`, texts);
  },
});

export const updateLot = route("put /api/admin/lots/:lot_id", {
  for: admin,
  summary: "Changes what is sent of a lot; another number or last day is that of all its units",
  params: LotParams,
  body: LotChanges,
  answers: { 200: Lot },
  errors: [LotNotFound, LotExists, LotRecalled, ExpiresBeforeProduction],
  run: ({ params, body, by }) => activities.updateLot(params.lot_id, body, by),
});

export const holdLot = route("post /api/admin/lots/:lot_id/hold", {
  for: admin,
  summary: "Takes a lot out of sale in all warehouses; orders and picks get other units, as far as there are any",
  params: LotParams,
  body: LotHold,
  answers: { 200: Lot },
  errors: [LotNotFound],
  run: async ({ params, body, by }) => {
    const held = await activities.holdLot(params.lot_id, body, by);
    await tellItsInspection(params.lot_id, by);
    return held;
  },
});

export const releaseLot = route("post /api/admin/lots/:lot_id/release", {
  for: admin,
  summary: "Lets a lot that was held be sold again",
  params: LotParams,
  body: LotRelease,
  answers: { 200: Lot },
  errors: [LotNotFound, LotNotHeld, LotRecalled],
  run: async ({ params, body, by }) => {
    const released = await activities.releaseLot(params.lot_id, body, by);
    await tellItsInspection(params.lot_id, by);
    return released;
  },
});

export const mergeLot = route("post /api/admin/lots/:lot_id/merge", {
  for: admin,
  destructive: true,
  summary: "Makes two records of one lot one: the units of this lot, whose number was misspelt, are of the other",
  params: LotParams,
  body: LotMerge,
  answers: { 200: Lot },
  errors: [
    ...[LotNotFound, LotOfAnotherItem, LotConditionsDiffer, LotInQuarantine, LotRecalled],
    ExpiresBeforeProduction,
  ],
  run: ({ params, body, by }) => mergeLots(params.lot_id, body, by),
});

async function lotFor(lotId: number, by: Actor): Promise<Lot> {
  const found = await lotOf(db, lotId, visibleWarehouses(by));
  if (!found) throw LotNotFound();
  return found;
}

/** A lot comes into quarantine, or leaves it, with an inspection that is opened or closed. */
async function tellItsInspection(lotId: number, by: Actor): Promise<void> {
  const inspection = await inspectionToTell(lotId);
  if (inspection) tellInspection(inspection, by);
}
