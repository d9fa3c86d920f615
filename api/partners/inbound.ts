import { z } from "zod";
import { tryPush } from "../../activities/inbound/try.js";
import { resources } from "../../src/auth/tokens/scope.js";
import { inboundActivity, inboundDetail } from "../../src/inbound/activity.js";
import { Tried } from "../../src/inbound/attempts.js";
import { NoSuchInbound, UnknownResource, UnknownStatus } from "../../src/inbound/problems.js";
import { InboundActivity, InboundDetail, InboundFilters } from "../../src/inbound/shapes.js";
import { tokenIdsOf, tokensThatPush } from "../../src/partners/polling.js";
import { NotInLink } from "../../src/partners/problems.js";
import { PartnerAttempt } from "../../src/partners/shapes.js";
import * as field from "../../src/platform/fields/index.js";
import { IntText, listed } from "../../src/platform/fields.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { partner, recordsLimit, route } from "../http/route.js";

/** What a partner pushed with its own tokens: docs/partners.md. */

export const listPartnerPushes = route("get /api/partner/inbound", {
  for: partner,
  summary: "The newest records that the partner pushed, refused ones too",
  query: InboundFilters,
  answers: {
    200: z.strictObject({ rows: z.array(InboundActivity).describe("The pushes, newest first."), limit: field.Limit }),
  },
  errors: [UnknownResource, UnknownStatus],
  run: async ({ query, link }) => ({
    rows: await inboundActivity(query, null, await tokenIdsOf(link.connector_id)),
    limit: query.limit,
  }),
});

export const getPartnerPush = route("get /api/partner/inbound/:resource/:inbound_id", {
  for: partner,
  summary: "A record that the partner pushed: what came, and what it became here or why it was refused",
  params: z.object({
    resource: listed(z.string(), resources).describe("What was pushed."),
    inbound_id: IntText(z.int().positive()).describe("Id of the record as it was received."),
  }),
  answers: { 200: InboundDetail },
  errors: [NoSuchInbound, UnknownResource],
  run: async ({ params: { resource, inbound_id }, link }) =>
    inboundDetail(resource, inbound_id, null, await tokenIdsOf(link.connector_id)),
});

export const tryPartnerPush = route("post /api/partner/inbound/try", {
  for: partner,
  summary: "What a push with the partner's token would become, and changes nothing",
  body: PartnerAttempt,
  bodyLimit: recordsLimit,
  changesNothing: true,
  answers: { 200: Tried },
  errors: [NotInLink, WarehouseDenied],
  run: async ({ body, by, link, req }) => {
    const tokens = await tokensThatPush(link.connector_id, body.source_system, body.resource);
    if (tokens.length === 0) throw NotInLink({}, { detail: "No token of yours pushes this" });
    const warehouseIds = [...new Set(tokens.flatMap(({ warehouse_ids }) => warehouse_ids))];
    // The parsed body lacks names such as `__proto__`, which a payload may have.
    const { source_payload } = req.body;
    return tryPush({ ...body, source_payload }, warehouseIds, { ...by, warehouseIds });
  },
});
