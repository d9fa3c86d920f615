import { tryPush } from "../../activities/inbound/try.js";
import { InboundAttempt, Tried } from "../../src/inbound/attempts.js";
import { MappingDocumentInvalid } from "../../src/inbound/problems.js";
import { warehousesUnlessAll } from "../../src/master-data/warehouses/queries.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { page, recordsLimit, route } from "../http/route.js";

export const tryInboundPush = route("post /api/admin/inbound/try", {
  for: page("inbound"),
  summary:
    "What a push would become, and changes nothing; a mapping document can be tried before it is deployed. " +
    "A USER tries orders for own warehouses, all kinds of records with every warehouse",
  body: InboundAttempt,
  bodyLimit: recordsLimit,
  changesNothing: true,
  answers: { 200: Tried },
  errors: [MappingDocumentInvalid, WarehouseDenied],
  run: async ({ body, by, req }) => {
    // The parsed body lacks names such as `__proto__`, which a payload may have.
    const { source_payload } = req.body;
    return tryPush({ ...body, source_payload }, await warehousesUnlessAll(by), by);
  },
});
