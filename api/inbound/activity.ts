import { z } from "zod";
import { Id, IntText, listed, Moment, QueryLimit, Text, Time } from "../../src/fields.js";
import { inboundActivity, inboundDetail, rowStatuses, statuses } from "../../src/inbound/activity.js";
import { resources } from "../../src/inbound/columns.js";
import { NoSuchInbound, UnknownResource, UnknownStatus } from "../../src/inbound/problems.js";
import { wholeScopeOf } from "../../src/master-data/warehouses/scope.js";
import { page, route } from "../http/route.js";

const Row = z.strictObject({
  resource: Text(16, "sales_orders"),
  inbound_id: Id.nullable(),
  source_system: Text(64, "acme-shop"),
  external_id: Text(128, "4711"),
  external_version: Text(64, "2026-05-06T12:00:00Z"),
  canonical_id: z.uuid().nullable(),
  received_at: Time,
  status: listed(Text(16, "applied"), rowStatuses),
  superseded_at: Time.nullable(),
  ingested_via_token_id: Id,
});
const Payload = z.record(z.string(), z.unknown());

export const listActivity = route("get /api/admin/inbound/activity", {
  for: page("inbound"),
  summary:
    "The newest records that other systems pushed, refused ones too; a USER sees orders of own warehouses, " +
    "all with every one",
  query: z.strictObject({
    source_system: Text(64, "acme-shop").optional(),
    resource: listed(Text(64, "sales_orders"), resources).optional(),
    status: listed(Text(64, "accepted"), statuses).optional(),
    since: Moment.optional(),
    until: Moment.optional(),
    limit: QueryLimit(500).default(100),
  }),
  answers: { 200: z.strictObject({ rows: z.array(Row), limit: z.int() }) },
  errors: [UnknownResource, UnknownStatus],
  run: async ({ query, by }) => ({
    rows: await inboundActivity(query, await wholeScopeOf(by)),
    limit: query.limit,
  }),
});

export const showActivity = route("get /api/admin/inbound/activity/:resource/:inbound_id", {
  for: page("inbound"),
  summary: "One pushed record: what came, and what it became here",
  params: z.object({
    resource: listed(z.string(), resources),
    inbound_id: IntText(z.int().positive()),
  }),
  answers: {
    200: Row.extend({
      source_payload: Payload.nullable(),
      canonical_payload: Payload,
    }),
  },
  errors: [NoSuchInbound],
  run: async ({ params: { resource, inbound_id }, by }) => inboundDetail(resource, inbound_id, await wholeScopeOf(by)),
});
