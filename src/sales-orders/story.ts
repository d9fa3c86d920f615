import { z } from "zod";
import { db } from "../db/db.js";
import { Time } from "../fields.js";

/** What happened to a sales order, from all records that tell of it. */
export const StoryEntry = z
  .strictObject({
    at: Time.describe("When it happened."),
    kind: z.enum(["audit", "wave", "shipment", "push", "event", "delivery"]).describe("Which record it is from."),
    name: z
      .string()
      .describe(
        "The action of the audit log, the number of the wave, what the parcel went by, the connector, the type of " +
          "the event, or the webhook that it was sent to.",
      )
      .meta({ examples: ["SHIP"] }),
    state: z
      .string()
      .meta({ examples: ["COMPLETED"] })
      .nullable()
      .describe("Where the record stands now; null for what only happened: audit rows and events."),
    by: z
      .string()
      .meta({ examples: ["ada"] })
      .nullable()
      .describe("Who did it."),
    details: z.record(z.string(), z.unknown()).nullable().describe("As in the audit log."),
    workflow_id: z
      .string()
      .meta({ examples: ["pick-wave-17"] })
      .nullable()
      .describe("The workflow in Temporal that it belongs to."),
  })
  .meta({ id: "StoryEntry", description: "One happening in the life of a sales order." });
export type StoryEntry = z.infer<typeof StoryEntry>;

const MOST = 500;

/** The newest happenings of an order, newest first. */
export const story = (soId: number): Promise<StoryEntry[]> =>
  db.rows<StoryEntry>(
    `select created_at as at, 'audit' as kind, action_type as name, null as state, user_id as by, details,
            case when action_type = 'CREATE'
              and (select order_type from sales_orders where so_id = $1) = 'return' then 'rma-' || entity_id
            end as workflow_id
     from audit_log where entity_type = 'SO' and entity_id = $1
     union all
     select b.created_at, 'wave', batch_number, status, assigned_to, null, 'pick-wave-' || batch_id
     from pick_batches b
     where batch_id in (select t.batch_id from wave_pick_breakdown w join pick_tasks t using (pick_task_id)
                        where w.so_id = $1)
     union all
     select shipped_at, 'shipment', concat_ws(' ', carrier, tracking_number), status, shipped_by, null, null
     from item_fulfillments where so_id = $1
     union all
     select created_at, 'push', connector_name, status, null,
            nullif(jsonb_strip_nulls(jsonb_build_object('error', last_error)), '{}'), 'fulfillment-push-' || push_id
     from fulfillment_pushes
     where fulfillment_id in (select fulfillment_id from item_fulfillments where so_id = $1)
     union all
     select event_timestamp, 'event', event_type, null, null, jsonb_build_object('event_id', event_id), null
     from integration_events
     where entity_type = 'sales_order' and entity_id = $1 and event_id is not null
     union all
     select coalesce(attempted_at, scheduled_at), 'delivery', display_name, d.status, null,
            jsonb_strip_nulls(jsonb_build_object('event_id', event_id, 'attempt', attempt_number, 'error', error_kind)),
            case when first_delivery_id is not null then 'webhook-delivery-' || first_delivery_id end
     from webhook_deliveries d join webhook_subscriptions using (subscription_id)
     where event_id = any(array(select event_id from integration_events
                                where entity_type = 'sales_order' and entity_id = $1 and event_id is not null))
     order by at desc, kind limit ${MOST}`,
    [soId],
  );

/** The warehouse of an order; undefined when there is no such order. */
export async function warehouseOfOrder(soId: number): Promise<number | undefined> {
  const order = await db.row<{ warehouse_id: number }>("select warehouse_id from sales_orders where so_id = $1", [
    soId,
  ]);
  return order?.warehouse_id;
}
