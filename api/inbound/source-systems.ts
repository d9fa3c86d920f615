import { z } from "zod";
import { addSourceSystem, removeSourceSystem } from "../../activities/inbound/source-systems.js";
import {
  MappingDocumentMissing,
  SourceSystemExists,
  SourceSystemInUse,
  SourceSystemNotFound,
} from "../../src/inbound/problems.js";
import { sourceSystems } from "../../src/inbound/queries.js";
import { DeletedSourceSystem, NewSourceSystem, SourceSystem } from "../../src/inbound/shapes.js";
import * as field from "../../src/platform/fields/index.js";
import { wholeList } from "../../src/platform/list.js";
import { admin, page, route } from "../http/route.js";

/**
 * Systems that may push records: docs/interface.md, Consumer groups. Editors of sales orders choose from them
 * (docs/interface.md, Rights).
 */

export const listSourceSystems = route("get /api/admin/source-systems", {
  for: page("sales-orders"),
  summary: "Systems that may push records, by name",
  query: z.object(wholeList(SourceSystem)),
  answers: {
    200: z.strictObject({ source_systems: z.array(SourceSystem).describe("The systems that push records.") }),
  },
  run: async () => ({ source_systems: await sourceSystems() }),
});

export const createSourceSystem = route("post /api/admin/source-systems", {
  for: admin,
  summary: "Lets a system push records again; its mapping document is loaded already",
  body: NewSourceSystem,
  answers: { 201: SourceSystem },
  errors: [SourceSystemExists, MappingDocumentMissing],
  run: ({ body, by }) => addSourceSystem(body, by),
});

export const deleteSourceSystem = route("delete /api/admin/source-systems/:source_system", {
  for: admin,
  summary: "Takes a system off the list that has no tokens and pushed nothing",
  params: z.strictObject({ source_system: field.SourceSystem }),
  answers: { 200: DeletedSourceSystem },
  errors: [SourceSystemNotFound, SourceSystemInUse],
  run: ({ params, by }) => removeSourceSystem(params.source_system, by),
});
