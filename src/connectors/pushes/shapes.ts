import { z } from "zod";
import { arrayOf, bool, int, object, text } from "../../platform/db/columns.js";
import * as field from "../../platform/fields/index.js";
import { Id, Text, WholeNumber } from "../../platform/fields.js";
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
  warehouse_id: field.WarehouseIdParam.optional(),
  connector: ConnectorName.optional().describe("The connector, by its name."),
  status: Status.optional().describe("Only pushes that stand there."),
});
export type PushQuery = z.infer<typeof PushQuery>;

export const FulfillmentPush = z
  .strictObject({
    push_id: Id.describe("Id of what a shop is told."),
    kind: z.enum(["ship", "void"]).meta({ description: "A shipment, or its void.", examples: ["ship"] }),
    connector_name: ConnectorName.describe("The connector, by name."),
    warehouse_id: field.WarehouseId,
    so_id: field.SoId,
    so_number: Text(128, "SO-1001").describe("Number of the sales order, unique."),
    fulfillment_id: field.FulfillmentId,
    source_order_id: Text(128, "5487299010772").describe(
      "The order by the id of its source; of a backorder, that of its order.",
    ),
    tracking_numbers: z
      .array(Text(255, "1Z999AA10123456784"))
      .meta({ description: "The carrier's numbers of the parcels.", examples: [["1Z999AA10123456784"]] }),
    carrier: Text(100, "UPS").describe("Who carries the parcel."),
    service_level: Text(100, "UPS Ground").nullable().describe("How fast the carrier delivers."),
    shipped_at: field.ShippedAt,
    status: Status,
    attempts: WholeNumber.describe("Attempts that began."),
    external_id: Text(255, "4322145239252").nullable().describe("The fulfilment by the id of its source."),
    last_error: Text(500, "The source answered with HTTP status 422")
      .nullable()
      .describe("Why the last attempt failed, or why there was nothing to push."),
    created_at: field.CreatedAt,
    updated_at: field.UpdatedAt,
    completed_at: field.CompletedAt.nullable(),
    warehouse_code: field.WarehouseCode,
  })
  .meta({ id: "FulfillmentPush", description: "A shipment or a void that the shop of an order is told of." });
export type FulfillmentPush = z.infer<typeof FulfillmentPush>;

export const PushesToRetry = z.strictObject({
  warehouse_id: field.WarehouseId,
  connector: ConnectorName.optional().describe("Only those to this connector's shop; without it to all shops."),
});
export type PushesToRetry = z.infer<typeof PushesToRetry>;

export const RetriedPushes = z
  .strictObject({
    warehouse_id: field.WarehouseId,
    connector: ConnectorName.nullable().describe("The connector, by its name."),
    retried: WholeNumber.describe("How many are tried again, in the background; at most 500."),
    more: z.boolean().meta({ description: "Whether there are more, for another request.", examples: [false] }),
  })
  .meta({ id: "RetriedPushes", description: "How many failed pushes are tried again." });
export type RetriedPushes = z.infer<typeof RetriedPushes>;

const PushedLine = z.strictObject({ item: text.nullable(), sku: text, quantity: int });

/** A push, and what has to be known to make it. */
export const Push = FulfillmentPush.omit({ warehouse_code: true }).extend({
  /** Whether its shipment is void by now. */
  is_void: bool,
  /** Of a void: how the push of its shipment stands, and the id that the source gave it. */
  shipment_status: FulfillmentPush.shape.status.nullable(),
  pushed_as: text.nullable(),
  /** The newest version of the order, as the source sent it; null once its retention ended. */
  source_payload: object.nullable(),
  lines: arrayOf(PushedLine),
  to_come: arrayOf(PushedLine),
  part: bool,
  complete: bool,
  others: arrayOf(text),
  /** Whether its source was waited for long enough. */
  overdue: bool,
});
export type Push = z.infer<typeof Push>;
