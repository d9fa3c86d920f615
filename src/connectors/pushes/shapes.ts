import { z } from "zod";
import { Id, QueryInt, Text, Time, WholeNumber } from "../../platform/fields.js";
import { list } from "../../platform/list.js";
import { type FulfillmentPushStatus, fulfillmentPushStates } from "../../platform/states.js";
import { ConnectorName } from "../shapes.js";

/** What shops are told of shipments: docs/interface.md, Connectors, `push_fulfillment`. */

const Status = z.enum(Object.keys(fulfillmentPushStates) as FulfillmentPushStatus[]).meta({
  id: "FulfillmentPushStatus",
  description: "Where a push stands; `skipped` where there was nothing to push.",
});

export const pushList = list(
  "push_id",
  ...["push_id", "so_number", "connector_name", "p.status", "attempts", "p.shipped_at", "p.created_at", "p.updated_at"],
);

export const PushQuery = z.strictObject({
  ...pushList.parameters,
  warehouse_id: QueryInt.optional(),
  connector: ConnectorName.optional(),
  status: Status.optional(),
});
export type PushQuery = z.infer<typeof PushQuery>;

export const FulfillmentPush = z
  .strictObject({
    push_id: Id,
    kind: z
      .enum(["ship", "void"])
      .describe("A shipment, or its void.")
      .meta({ examples: ["ship"] }),
    connector_name: ConnectorName,
    warehouse_id: Id,
    so_id: Id,
    so_number: Text(128, "SO-1001"),
    fulfillment_id: Id,
    source_order_id: Text(128, "5487299010772").describe(
      "The order by the id of its source; of a backorder, that of its order.",
    ),
    tracking_numbers: z.array(Text(255, "1Z999AA10123456784")).meta({ examples: [["1Z999AA10123456784"]] }),
    carrier: Text(100, "UPS"),
    service_level: Text(100, "UPS Ground").nullable(),
    shipped_at: Time,
    status: Status,
    attempts: WholeNumber.describe("Attempts that began."),
    external_id: Text(255, "4322145239252").nullable().describe("The fulfilment by the id of its source."),
    last_error: Text(500, "The source answered with HTTP status 422")
      .nullable()
      .describe("Why the last attempt failed, or why there was nothing to push."),
    created_at: Time,
    updated_at: Time,
    completed_at: Time.nullable(),
    warehouse_code: z.string(),
  })
  .meta({ id: "FulfillmentPush", description: "A shipment or a void that the shop of an order is told of." });
export type FulfillmentPush = z.infer<typeof FulfillmentPush>;

export const PushesToRetry = z.strictObject({
  warehouse_id: Id,
  connector: ConnectorName.optional().describe("Only those to this connector's shop; without it to all shops."),
});
export type PushesToRetry = z.infer<typeof PushesToRetry>;

export const RetriedPushes = z
  .strictObject({
    warehouse_id: Id,
    connector: ConnectorName.nullable(),
    retried: WholeNumber.describe("How many are tried again, in the background; at most 500."),
    more: z
      .boolean()
      .describe("Whether there are more, for another request.")
      .meta({ examples: [false] }),
  })
  .meta({ id: "RetriedPushes", description: "How many failed pushes are tried again." });
export type RetriedPushes = z.infer<typeof RetriedPushes>;
