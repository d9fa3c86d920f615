import { z } from "zod";
import { inboundActivity, inboundDetail } from "../src/inbound/activity.js";
import {
  NoSuchInbound,
  UnknownResource,
  UnknownStatus,
} from "../src/inbound/problems.js";
import { Id, Text, Time } from "./fields.js";
import { page, route } from "./route.js";

const Row = z.strictObject({
  resource: Text(16, "sales_orders"),
  inbound_id: Id.nullable(),
  source_system: Text(64, "acme-shop"),
  external_id: Text(128, "4711"),
  external_version: Text(64, "2026-05-06T12:00:00Z"),
  canonical_id: z.uuid().nullable(),
  received_at: Time,
  status: Text(16, "applied"),
  superseded_at: Time.nullable(),
  ingested_via_token_id: Id,
});
const Payload = z.record(z.string(), z.unknown());
const Moment = z.iso
  .datetime({ offset: true, local: true })
  .meta({ examples: ["2026-05-06T12:00:00Z"] });

export const listActivity = route("get /api/admin/inbound/activity", {
  for: page("inbound"),
  summary: "The newest records that other systems pushed, refused ones too",
  query: z.strictObject({
    source_system: Text(64, "acme-shop").optional(),
    resource: Text(64, "sales_orders").optional(),
    status: Text(64, "accepted").optional(),
    since: Moment.optional(),
    until: Moment.optional(),
    limit: z.coerce.number().int().min(1).max(500).default(100),
  }),
  answers: { 200: z.strictObject({ rows: z.array(Row), limit: z.int() }) },
  errors: [UnknownResource, UnknownStatus],
  run: async ({ query }) => ({
    rows: await inboundActivity(query),
    limit: query.limit,
  }),
});

export const showActivity = route(
  "get /api/admin/inbound/activity/:resource/:inbound_id",
  {
    for: page("inbound"),
    summary: "One pushed record: what came, and what it became here",
    params: z.object({
      resource: z.string(),
      inbound_id: z.coerce
        .number()
        .int()
        .positive()
        .max(Number.MAX_SAFE_INTEGER),
    }),
    answers: {
      200: Row.extend({
        source_payload: Payload.nullable(),
        canonical_payload: Payload,
      }),
    },
    errors: [NoSuchInbound],
    run: ({ params }) => inboundDetail(params.resource, params.inbound_id),
  },
);
