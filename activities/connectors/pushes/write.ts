import { NEXT_OF_ORDER } from "../../../src/connectors/pushes/queries.js";
import { bool, int } from "../../../src/platform/db/columns.js";
import { db } from "../../../src/platform/db/db.js";
import type { OfWarehouse } from "../../../src/platform/temporal/priorities.js";
import { PARTS } from "../../../src/sales-orders/holds.js";
import { nextEvents } from "../../event-window.js";
import { PUSH, VOIDED } from "../../shipping/push-voids.js";

/**
 * Writes what is to be pushed by the next events that readers may see (two seconds old); gives whether there are more.
 * An event says which order to look at; its rows say what was shipped and voided, each of which is pushed once. What
 * ships of a backorder is of the order that it was split off, which the source knows. Needs no command id: the row of
 * the progress is locked, one worker at a time, and moves with the pushes.
 * @param connectors The names of those that can be told of shipments.
 */
export async function writePushes(connectors: string[]): Promise<boolean> {
  const done = await db.row({ more: bool }, WRITE, [connectors]);
  return done?.more === true;
}

// A shipment that is being voided meanwhile is waited for: either it is seen here as voided, or who voids it sees this.
const WRITE = `
  with recursive reach as materialized (${nextEvents("fulfillment_push_progress")}
  ), told as materialized (
    select distinct e.entity_id as so_id
    from reach, lateral (
      select entity_id from integration_events i
      where i.event_id > reach.after and i.event_id <= reach.upto
        and i.event_type in ('ship.confirmed', 'ship.voided')) e
  ), above as (
    select so_id, so_id as from_so_id from told
    union
    select above.so_id, so.parent_so_id
    from above join sales_orders so on so.so_id = above.from_so_id
    where so.order_type in ${PARTS} and so.parent_so_id is not null
  ), ships as materialized (
    select 'ship' as kind, c.name as connector_name, so.warehouse_id, above.so_id, f.fulfillment_id,
           m.source_id as source_order_id, array_remove(array[f.tracking_number], null) as tracking_numbers,
           coalesce(f.carrier, '') as carrier, f.ship_method as service_level, f.shipped_at
    from above join sales_orders so on so.so_id = above.from_so_id
      join cross_system_mappings m on m.canonical_id = so.external_id and m.canonical_type = 'sales_order'
      join unnest($1::text[]) c(name) on m.source_system = c.name || '-' || so.warehouse_id
      join item_fulfillments f on f.so_id = above.so_id and f.status = 'SHIPPED'
    for share of f
  ), written as (
    insert into fulfillment_pushes (${PUSH})
    select ${PUSH}
    from (select ${PUSH} from ships union all ${VOIDED} and p.so_id in (select so_id from told)) looked
    order by fulfillment_id
    on conflict do nothing
  ), moved as (
    update fulfillment_push_progress set event_id = reach.upto from reach
  )
  select upto < horizon as more from reach`;

/** The most pushes that one look takes up. */
const MOST = 100;

/**
 * Takes up new pushes, and those that are to be tried again, so that one worker starts their workflows. Should it be
 * killed before it does, the job `reconcile` finds them.
 */
export async function takeUpPushes(): Promise<OfWarehouse[]> {
  const rows = await db.rows(
    { id: int, warehouse_id: int },
    `update fulfillment_pushes set started_at = now()
     where push_id in (
       select push_id from fulfillment_pushes p where ${NEXT_OF_ORDER} and started_at is null
       order by push_id limit ${MOST} for update skip locked)
     returning push_id as id, warehouse_id`,
  );
  return rows.sort((a, b) => a.id - b.id);
}
