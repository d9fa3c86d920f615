-- What only releases before 0.3.0 used goes, and each table says what it holds: from here on the schema is that of the
-- baseline.

drop table wms_token_minutes;
drop function with_source_ids(text, jsonb);
drop function event_envelope(integration_events, bigint, text);

create or replace function note_stock() returns trigger
language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
begin
  lock table items, inventory in share row exclusive mode;
  alter table items
    enable trigger items_availability_new, enable trigger items_availability_changed;
  alter table inventory
    enable trigger inventory_availability_new, enable trigger inventory_availability_changed,
    enable trigger inventory_availability_gone;
  return null;
end
$$;
create or replace function stop_noting_stock() returns void
language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
begin
  lock table items, inventory in share row exclusive mode nowait;
  if not exists (select from channels where status = 'active') then
    alter table items
      disable trigger items_availability_new, disable trigger items_availability_changed;
    alter table inventory
      disable trigger inventory_availability_new, disable trigger inventory_availability_changed,
      disable trigger inventory_availability_gone;
  end if;
exception when lock_not_available then
  return;
end
$$;
create or replace function start_stream_epoch() returns stream_epochs language plpgsql as $$
declare
  started stream_epochs;
begin
  -- The sequencer's lock.
  perform pg_advisory_xact_lock(7301);
  -- The clock in microseconds: above all numbers that were given, also after an earlier restore of the same backup.
  insert into stream_epochs (begins_after, survived_to)
  select greatest(last_no, (extract(epoch from clock_timestamp()) * 1000000)::bigint), last_no
  from sequencer_state where name = 'events'
  returning * into started;
  update sequencer_state set last_no = started.begins_after where name = 'events';
  -- Channels take no version below the one that they have: all items are sent again, above it.
  update channel_items
  set version = greatest(version, started.begins_after), parked = false, attempts = 0,
      dirty_since = coalesce(dirty_since, now()), due_at = now();
  insert into audit_log (action_type, entity_type, entity_id, user_id, details)
  values ('STREAM_EPOCH_START', 'EVENT_STREAM', 0, 'system:restore',
          jsonb_build_object('epoch', started.epoch, 'survived_to', started.survived_to,
                             'begins_after', started.begins_after));
  return started;
end
$$;

comment on table warehouses is 'Buildings with stock of their own; what a user may see goes by them.';
comment on table zones is 'Parts of a warehouse by what is done there.';
comment on table bins is 'Places where stock can lie, each in one zone.';
comment on table items is 'What is kept in stock, by SKU.';
comment on table preferred_bins is 'Where put-away suggests to put an item, best first.';
comment on table customers is 'Customers as other systems push them. Orders keep what they were placed with.';
comment on table app_settings is 'Settings of the installation that an admin changes at the desk.';
comment on table users is 'People who log in. A station or an integration has a token instead.';
comment on table user_page_permissions is 'The pages of the desk that a user who is no admin may open.';
comment on table login_attempts is 'Logins that failed, and until when no more are let through.';
comment on table purchase_orders is 'What was ordered from vendors, and how far it has come.';
comment on table purchase_order_lines is 'How many units of an item a purchase order asks for, and how many came.';
comment on table sales_orders is
  'Orders of customers, and what follows from them: returns, refunds, backorders, replacements and exchanges, by '
  'order_type.';
comment on table bin_transfers is 'Units that were moved from bin to bin, one row for each move.';
comment on table cycle_counts is 'Bins that somebody counts or has counted.';
comment on table cycle_count_lines is 'What a count expects of an item in its bin, and what was found.';
comment on column cycle_count_lines.unexpected is 'Found, though the books had none of it in the bin.';
comment on table inventory_adjustments is
  'Changes of stock with a reason: booked when APPROVED. What a count found waits as PENDING for an admin.';
comment on table pick_batches is 'Walks through the warehouse: waves of sales orders (SO), or one transfer order (TO).';
comment on table pick_batch_orders is 'The sales orders of a wave, and the tote that each of them is put into.';
comment on table item_fulfillments is 'Shipments of sales orders.';
comment on table item_fulfillment_lines is 'Units that left with a shipment, and the bin they had come from.';
comment on table wms_tokens is 'Keys of integrations, stations and tills, and what each of them may do.';
comment on table inbound_source_systems_allowlist is 'Systems that may push records, from the configuration.';
comment on table inbound_customers is 'Versions of customers as they were pushed, the current one applied.';
comment on table inbound_items is 'Versions of items as they were pushed, the current one applied.';
comment on table inbound_vendors is 'Versions of vendors as they were pushed, the current one applied.';
comment on table inbound_purchase_orders is 'Versions of purchase orders as they were pushed, the current one applied.';
comment on table inbound_sales_orders is 'Versions of sales orders as they were pushed, the current one applied.';
comment on table inbound_cleanup_runs is 'Runs of the job that empties source_payload when its retention ends.';
comment on table sync_runs is 'Runs of connectors that fetched what had changed of one type of records.';
comment on table webhook_subscriptions is 'Webhooks of partners: which events each is sent, and how far it is.';
comment on table consumer_groups is 'Partners that poll for events, and how far each has read.';
comment on column notifications.claimed_until is
  'For workers of 0.3.0, which know no locks of destinations: they leave the message alone until then.';
comment on column fulfillment_pushes.claimed_until is
  'For workers of 0.3.0, which know no locks of destinations: they leave the push alone until then.';
