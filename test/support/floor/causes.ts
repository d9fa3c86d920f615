import assert from "node:assert/strict";
import { db } from "../db.js";

/**
 * What the record of a warehouse must say of its rows, and the rows of the record; each query gives what breaks a rule.
 */
const broken: Record<string, string> = {
  "an event was caused by a command": `
    select e.event_type, e.entity_id from integration_events e
    where warehouse_id = $1 and not exists (select from command_log c where c.command_id = e.command_id)`,
  "a receipt that was told of is there, or was taken back": `
    select a.details from audit_log a
    where warehouse_id = $1 and action_type = 'RECEIVE'
      and not exists (select from item_receipts where receipt_id = (a.details->>'receipt_id')::int)
      and not exists (select from audit_log c where c.warehouse_id = $1 and c.action_type = 'RECEIVE_CANCEL'
                      and (c.details->'receipt_ids') @> (a.details->'receipt_id'))`,
  "every receipt was told of once, to the audit log and to the outbox": `
    select r.receipt_id from item_receipts r where warehouse_id = $1 and not (
      1 = (select count(*) from audit_log where warehouse_id = $1 and action_type = 'RECEIVE'
           and (details->>'receipt_id')::int = r.receipt_id)
      and 1 = (select count(*) from integration_events where warehouse_id = $1 and event_type = 'receipt.completed'
               and entity_id = r.receipt_id))`,
  "every transfer was told of once": `
    select t.transfer_id from bin_transfers t where warehouse_id = $1 and not (
      1 = (select count(*) from audit_log where warehouse_id = $1 and (details->>'transfer_id')::int = t.transfer_id)
      and (t.transfer_type in ('MOVE', 'REPLENISH'))::int = (
        select count(*) from integration_events where warehouse_id = $1
        and event_type = 'inventorytransfer.completed' and entity_id = t.transfer_id))`,
  "every adjustment was told of once": `
    select j.adjustment_id from inventory_adjustments j where warehouse_id = $1 and status = 'APPROVED' and not (
      1 = (select count(*) from audit_log where warehouse_id = $1 and (details->>'adjustment_id')::int =
        j.adjustment_id)
      and array['inventoryadjusted.completed'] || case when cycle_count_id is not null
        then array['cycle_count.adjusted'] end =
        (select array_agg(event_type::text order by event_type desc) from integration_events
         where warehouse_id = $1 and entity_type = 'inventory_adjustment' and entity_id = j.adjustment_id))`,
  "a count was told of when it began and when it was counted, each once": `
    select c.count_id from cycle_counts c where warehouse_id = $1 and not (
      1 = (select count(*) from audit_log where warehouse_id = $1 and entity_type = 'CYCLE_COUNT'
        and entity_id = c.count_id and action_type <> 'SELF_APPROVED_COUNT')
      and (select count(*) from audit_log where warehouse_id = $1 and entity_type = 'CYCLE_COUNT'
        and entity_id = c.count_id and action_type = 'SELF_APPROVED_COUNT') <= 1
      and (c.completed_at is not null)::int = (select count(*) from audit_log where warehouse_id = $1
        and action_type = 'COUNT' and (details->>'cycle_count_id')::int = c.count_id))`,
  "a batch was told of when it began and when it ended, each once": `
    select p.batch_id, p.status from pick_batches p where warehouse_id = $1 and not (
      1 = (select count(*) from audit_log where warehouse_id = $1 and entity_type = 'PICK_BATCH'
        and entity_id = p.batch_id
           and action_type = 'CREATE')
      and (p.status in ('COMPLETED', 'CANCELLED'))::int =
        (select count(*) from audit_log a where warehouse_id = $1 and entity_type = 'PICK_BATCH'
         and (entity_id = p.batch_id and action_type in ('UPDATE', 'CANCEL') and not (details ? 'assigned_to')
              or action_type = 'CREATE' and a.details->'superseded' @> to_jsonb(p.batch_id))))`,
  "an order said what became of it, each thing once": `
    select o.so_id, o.status, said.types from sales_orders o
    cross join lateral (select coalesce(array_agg(event_type::text
      order by outbox_id), '{}') as types from integration_events
                        where warehouse_id = $1 and aggregate_external_id = o.external_id) said
    where o.warehouse_id = $1 and not exists (select from parcels p where p.so_id = o.so_id)
      and said.types <> (array['pick.confirmed', 'pack.confirmed', 'ship.confirmed'])
      [1:array_position(array['PICKED', 'PACKED', 'SHIPPED'], o.status::text)]
      and not (o.status = 'OPEN' and said.types = '{}')`,
  "an order in parcels said what left and what was taken back, each time once": `
    select o.so_id, told.*, wrote.*
    from sales_orders o
    cross join lateral (
      select count(*) filter (where event_type = 'pick.confirmed') as picked,
             count(*) filter (where event_type = 'pack.confirmed') as packed,
             count(*) filter (where event_type = 'ship.confirmed') as "left",
             count(*) filter (where event_type = 'ship.voided') as back
      from integration_events where warehouse_id = $1 and aggregate_external_id = o.external_id) told
    cross join lateral (
      select count(*) filter (where action_type = 'PACK') as packed_audited,
             count(*) filter (where action_type in ('SHIP', 'SHIP_PART')) as left_audited,
             count(*) filter (where action_type = 'SHIP_VOID') as back_audited
      from audit_log where warehouse_id = $1 and entity_type = 'SO' and entity_id = o.so_id) wrote
    cross join lateral (
      select count(*) as shipments, count(*) filter (where status = 'VOIDED') as voided
      from item_fulfillments f where f.so_id = o.so_id) sent
    where o.warehouse_id = $1 and exists (select from parcels p where p.so_id = o.so_id)
      and (picked, packed, "left", back, left_audited, back_audited)
        <> (1, packed_audited, shipments, voided, shipments, voided)`,
  "an audit row names something that is there": `
    select a.entity_type, a.entity_id from audit_log a where warehouse_id = $1 and not case entity_type
      when 'PO' then exists (select from purchase_orders where po_id = entity_id)
      when 'SO' then exists (select from sales_orders where so_id = entity_id)
      when 'ITEM' then exists (select from items where item_id = entity_id)
      when 'PICK_BATCH' then exists (select from pick_batches where batch_id = entity_id)
      when 'BIN' then exists (select from bins where bin_id = entity_id)
      when 'INVENTORY_ADJUSTMENT' then exists (select from inventory_adjustments where adjustment_id = entity_id)
      when 'CYCLE_COUNT' then exists (select from cycle_counts where count_id = entity_id)
      else false end`,
};

const inOne = Object.entries(broken)
  .map(([rule, query]) => `select $r$${rule}$r$ as rule, to_jsonb(q) as broken_by from (${query}) q`)
  .join(" union all ");

/** Fails with audit rows and events without a cause, and with changes that nobody was told of. */
export async function assertCauses(warehouseId: number): Promise<void> {
  assert.deepEqual(await db.rows(inOne, [warehouseId]), []);
}
