import { db } from "../../../src/platform/db/db.js";
import { PARTS } from "../../../src/sales-orders/holds.js";
import type { Tx } from "../../command.js";
import { nextEvents } from "../../event-window.js";

/**
 * What is told of shipments: the columns of `fulfillment_pushes` and, of a push `p` of a shipment, those of its void.
 * A shop that the connector no longer leads to is told of none.
 */
const COLUMNS = `kind, connector_name, warehouse_id, so_id, fulfillment_id, source_order_id, tracking_numbers, carrier,
  service_level, shipped_at`;
const VOIDS = `
  select 'void' as kind, p.connector_name, p.warehouse_id, p.so_id, p.fulfillment_id, p.source_order_id,
         p.tracking_numbers, p.carrier, p.service_level, p.shipped_at
  from fulfillment_pushes p join item_fulfillments f using (fulfillment_id)
  where p.kind = 'ship' and f.status = 'VOIDED' and p.former_shop is null`;

/**
 * Writes what is to be pushed by the next events that readers may see (two seconds old); gives whether there are more.
 * An event says which order to look at; its rows say what was shipped and voided, each of which is pushed once. What
 * ships of a backorder is of the order that it was split off, which the source knows. Needs no command id: the row of
 * the progress is locked, one worker at a time, and moves with the pushes.
 * @param connectors The names of those that can be told of shipments.
 */
export async function writePushes(connectors: string[]): Promise<boolean> {
  const done = await db.row<{ more: boolean }>(WRITE, [connectors]);
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
    insert into fulfillment_pushes (${COLUMNS})
    select ${COLUMNS}
    from (select ${COLUMNS} from ships union all ${VOIDS} and p.so_id in (select so_id from told)) looked
    order by fulfillment_id
    on conflict do nothing
  ), moved as (
    update fulfillment_push_progress set event_id = reach.upto from reach
  )
  select upto < horizon as more from reach`;

/** Has the voids of an order's pushed shipments pushed too, where no event tells of them: the order was reverted. */
export const pushVoids = (tx: Pick<Tx, "run">, soId: number): Promise<number> =>
  tx.run(
    `insert into fulfillment_pushes (${COLUMNS}) select ${COLUMNS} from (${VOIDS} and p.so_id = $1) v
          order by fulfillment_id on conflict do nothing`,
    [soId],
  );
