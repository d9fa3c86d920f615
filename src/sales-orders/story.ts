import { z } from "zod";
import { actorName } from "../auth/queries.js";
import { int } from "../platform/db/columns.js";
import { db } from "../platform/db/db.js";
import { Time } from "../platform/fields.js";

/** The history of a sales order, from all records about it. */
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
      .describe("Who did it, as the audit log names them."),
    by_name: z
      .string()
      .meta({ examples: ["Ada Lovelace"] })
      .nullable()
      .describe("What people call them: a person, a token, a connector or a source; null for the service itself."),
    details: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe("As in the audit log; bin, wave and item are named beside their ids."),
    workflow_id: z
      .string()
      .meta({ examples: ["pick-wave-17"] })
      .nullable()
      .describe("The workflow in Temporal that it belongs to."),
  })
  .meta({ id: "StoryEntry", description: "One happening in the life of a sales order." });
export type StoryEntry = z.infer<typeof StoryEntry>;

const MOST = 500;

/**
 * SQL: a row of the audit log, whose details name bin, wave and item beside their ids. A push is audited under its
 * document, so the rows of an order include those of its documents.
 */
const AUDITED = `
  select a.created_at, 'audit', action_type, null, user_id,
         jsonb_strip_nulls(jsonb_build_object(
           'bin_code', (select bin_code from bins where to_jsonb(bin_id) = details -> 'bin_id'),
           'batch_number', (select batch_number from pick_batches where to_jsonb(batch_id) = details -> 'batch_id'),
           'sku', (select sku from items where to_jsonb(item_id) = details -> 'item_id'))) || details,
         case when action_type = 'CREATE' and so.order_type = 'return' then 'rma-' || so_id end,
         entity_type <> 'SO' or action_type in ('CREATE', 'POS_CHECKOUT', 'POS_REFERENCE_INGEST')
  from audit_log a, sales_orders so
  where so_id = $1 and (entity_type = 'SO' and entity_id = so_id
    or entity_type = 'INBOUND_SALES_ORDER'
      and entity_id = any(array(select inbound_id from inbound_sales_orders where canonical_id = so.external_id)))`;

/** The newest entries of an order's history, newest first; of equal times, its origin comes first. */
export const story = (soId: number): Promise<StoryEntry[]> =>
  db.rows(
    StoryEntry,
    `select at, kind, name, state, by, ${actorName('s."by"')} as by_name, details, workflow_id
     from (
       ${AUDITED}
       union all
       select b.created_at, 'wave', batch_number, status,
              -- The desk or a template may have released what somebody picks later.
              coalesce((select user_id from audit_log a where a.entity_type = 'PICK_BATCH' and a.entity_id = b.batch_id
                          and a.action_type = 'CREATE' order by log_id limit 1), assigned_to),
              -- Before somebody picks it, it has no workflow.
              jsonb_build_object('batch_id', batch_id),
              case when started_at is not null then 'pick-wave-' || batch_id end, false
       from pick_batches b
       where batch_id in (select t.batch_id from wave_pick_breakdown w join pick_tasks t using (pick_task_id)
                          where w.so_id = $1)
       union all
       select shipped_at, 'shipment', concat_ws(' ', carrier, tracking_number), status, shipped_by, null, null, false
       from item_fulfillments where so_id = $1
       union all
       select created_at, 'push', connector_name, status, null,
              nullif(jsonb_strip_nulls(jsonb_build_object('error', last_error)), '{}'),
              'fulfillment-push-' || push_id, false
       from fulfillment_pushes
       where fulfillment_id in (select fulfillment_id from item_fulfillments where so_id = $1)
       union all
       select event_timestamp, 'event', event_type, null, null, jsonb_build_object('event_id', event_id), null, false
       from integration_events
       where entity_type = 'sales_order' and entity_id = $1 and event_id is not null
       union all
       select coalesce(attempted_at, scheduled_at), 'delivery', display_name, d.status, null,
              jsonb_strip_nulls(jsonb_build_object('event_id', event_id, 'attempt', attempt_number,
                                                   'error', error_kind)),
              case when first_delivery_id is not null then 'webhook-delivery-' || first_delivery_id end, false
       from webhook_deliveries d join webhook_subscriptions using (subscription_id)
       where event_id = any(array(select event_id from integration_events
                                  where entity_type = 'sales_order' and entity_id = $1 and event_id is not null))
     ) s(at, kind, name, state, "by", details, workflow_id, is_origin)
     order by at desc, is_origin, kind limit ${MOST}`,
    [soId],
  );

/** The warehouse of an order; undefined when there is no such order. */
export async function warehouseOfOrder(soId: number): Promise<number | undefined> {
  const order = await db.row({ warehouse_id: int }, "select warehouse_id from sales_orders where so_id = $1", [soId]);
  return order?.warehouse_id;
}
