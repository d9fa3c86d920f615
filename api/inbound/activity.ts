import { z } from "zod";
import { resources } from "../../src/auth/tokens/scope.js";
import { inboundActivity, inboundDetail } from "../../src/inbound/activity.js";
import { NoSuchInbound, UnknownResource, UnknownStatus } from "../../src/inbound/problems.js";
import { InboundActivity, InboundDetail, InboundFilters } from "../../src/inbound/shapes.js";
import { warehousesUnlessAll } from "../../src/master-data/warehouses/queries.js";
import * as field from "../../src/platform/fields/index.js";
import { IntText, listed } from "../../src/platform/fields.js";
import { page, route } from "../http/route.js";

export const listInboundActivity = route("get /api/admin/inbound/activity", {
  for: page("inbound"),
  summary:
    "The newest records that other systems pushed, refused ones too; a USER sees orders of own warehouses, " +
    "all with every one",
  query: InboundFilters,
  answers: {
    200: z.strictObject({ rows: z.array(InboundActivity).describe("The entries, newest first."), limit: field.Limit }),
  },
  errors: [UnknownResource, UnknownStatus],
  run: async ({ query, by }) => ({
    rows: await inboundActivity(query, await warehousesUnlessAll(by)),
    limit: query.limit,
  }),
});

export const getInboundActivity = route("get /api/admin/inbound/activity/:resource/:inbound_id", {
  for: page("inbound"),
  summary: "One pushed record: what came, and what it became here or why it was refused",
  params: z.object({
    resource: listed(z.string(), resources).describe("What was pushed."),
    inbound_id: IntText(z.int().positive()).describe("Id of the record as it was received."),
  }),
  answers: { 200: InboundDetail },
  errors: [NoSuchInbound, UnknownResource],
  run: async ({ params: { resource, inbound_id }, by }) =>
    inboundDetail(resource, inbound_id, await warehousesUnlessAll(by)),
});
