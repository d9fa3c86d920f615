import { z } from "zod";
import { addSourceLink, removeSourceLink } from "../../activities/inbound/source-links.js";
import { sourceLinks } from "../../src/inbound/links/queries.js";
import { DeletedSourceLink, NewSourceLink, SourceLink, SourceLinkFilters } from "../../src/inbound/links/shapes.js";
import {
  LinkNotFound,
  RecordLinked,
  RecordNotFound,
  SourceIdLinked,
  SourceSystemNotFound,
} from "../../src/inbound/problems.js";
import { warehousesUnlessAll } from "../../src/master-data/warehouses/queries.js";
import { paged, QueryInt } from "../../src/platform/fields.js";
import { page, route } from "../http/route.js";

/**
 * Links between ids of source systems and records: those of a user's warehouses; for users of all warehouses also those
 * of records without one.
 */

export const listSourceLinks = route("get /api/admin/source-links", {
  for: page("inbound"),
  summary:
    "Ids of source systems and the records that they name; of orders in own warehouses for who has not every one",
  query: SourceLinkFilters,
  answers: { 200: paged("source_links", SourceLink, "Ids of source systems, and the records that they name.") },
  run: async ({ query, by }) => sourceLinks(query, await warehousesUnlessAll(by)),
});

export const createSourceLink = route("post /api/admin/source-links", {
  for: page("inbound"),
  summary: "Links an id of a source system to a record that is here: the next push of that id changes the record",
  body: NewSourceLink,
  answers: { 201: SourceLink },
  errors: [SourceSystemNotFound, RecordNotFound, SourceIdLinked, RecordLinked],
  run: ({ body, by }) => addSourceLink(body, by),
});

export const deleteSourceLink = route("delete /api/admin/source-links/:link_id", {
  for: page("inbound"),
  summary: "Takes an id of a source system from its record, which stays as it is",
  params: z.strictObject({
    link_id: QueryInt.describe("Id of the link between an id of a source system and a record here."),
  }),
  answers: { 200: DeletedSourceLink },
  errors: [LinkNotFound],
  run: ({ params, by }) => removeSourceLink(params.link_id, by),
});
