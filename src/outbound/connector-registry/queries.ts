import { type Actor, visibleWarehouses } from "../../platform/actor.js";
import { db } from "../../platform/db/db.js";
import { Connector } from "./shapes.js";

export const CONNECTOR = "connector_id, display_name, created_at, updated_at";

/**
 * The connectors `c` that a user may see and change: those with a group, a webhook or a token of the user's warehouses,
 * and of those that own nothing yet the user's own. $1 is null for all warehouses, $2 is the user's name.
 */
export const WITHIN = `($1::int[] is null or coalesce((
  select bool_or(coalesce(warehouse_ids <@ to_jsonb($1::int[]), false))
  from (select coalesce(subscription->'warehouse_ids', '[]') as warehouse_ids, connector_id from consumer_groups
        union all select subscription_filter->'warehouse_ids', connector_id from webhook_subscriptions
        union all select to_jsonb(warehouse_ids), connector_id from wms_tokens) as owned
  where owned.connector_id = c.connector_id), c.created_by = $2))`;

/** The connectors of the registry that the user may see, by id. */
export function connectors(by: Actor): Promise<Connector[]> {
  return db.rows(Connector, `select ${CONNECTOR} from connectors c where ${WITHIN} order by connector_id`, [
    visibleWarehouses(by),
    by.username,
  ]);
}
