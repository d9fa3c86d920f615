import { z } from "zod";
import { retryPush, retryPushes } from "../../activities/connectors/pushes/retry.js";
import { NotConfigured, PushNotFailed, PushNotFound, ShipmentVoided } from "../../src/connectors/problems.js";
import { pushWorkflowId } from "../../src/connectors/pushes/push.js";
import { pushes } from "../../src/connectors/pushes/queries.js";
import { FulfillmentPush, PushesToRetry, PushQuery, RetriedPushes } from "../../src/connectors/pushes/shapes.js";
import { WarehouseNotFound } from "../../src/master-data/problems.js";
import { checkWarehouse, shownWarehouses } from "../../src/platform/actor.js";
import { paged, QueryInt } from "../../src/platform/fields.js";
import { WarehouseDenied } from "../../src/platform/problem.js";
import { page, route } from "../http/route.js";

/** What shops are told of shipments of their orders, and of voids. A USER sees those of the user's warehouses. */

export const listFulfillmentPushes = route("get /api/admin/connector-pushes", {
  for: page("integrations"),
  summary: "What the shops of orders are told of shipments and voids, newest first",
  query: PushQuery,
  answers: { 200: paged("pushes", FulfillmentPush, "What shops are told of, the newest first.") },
  errors: [WarehouseDenied],
  run: ({ query, by }) => {
    if (query.warehouse_id !== undefined) checkWarehouse(by, query.warehouse_id);
    return pushes(query, shownWarehouses(by, query.warehouse_id));
  },
});

export const retryFulfillmentPush = route("post /api/admin/connector-pushes/:push_id/retry", {
  for: page("integrations"),
  summary: "Tries a failed push again, in the background",
  params: z.strictObject({ push_id: QueryInt.describe("Id of what a shop is told.") }),
  answers: { 202: FulfillmentPush },
  errors: [PushNotFound, PushNotFailed, ShipmentVoided, NotConfigured],
  run: async ({ params: { push_id }, by, res, options }) => {
    const push = await retryPush(push_id, options, by);
    res.setHeader("X-Service-Workflow-Id", pushWorkflowId(push_id));
    return push;
  },
});

export const retryFulfillmentPushes = route("post /api/admin/connector-pushes/retry", {
  for: page("integrations"),
  perMinute: 10,
  summary: "Tries all failed pushes of a warehouse again, in the background",
  body: PushesToRetry,
  answers: { 202: RetriedPushes },
  errors: [WarehouseDenied, WarehouseNotFound, NotConfigured],
  run: ({ body, by, options }) => retryPushes(body, options, by),
});
