-- What tills sold for and from which bins, when replays were made, and which mapping documents were loaded was read
-- from the audit log. The log says what happened, and decides nothing: these facts have tables.

create table counter_bookings (
  so_id integer primary key references sales_orders on delete cascade,
  is_refund boolean not null,
  warehouse_id integer not null,
  cashier_id text,
  terminal_id text,
  token text,
  payment_method text,
  total_cents bigint,
  tenders jsonb not null default '[]',
  booked_at timestamptz not null default now()
);
comment on table counter_bookings is
  'What a till was paid for an order, or paid back with a credit memo. token is the user name of the till''s key, '
  'tenders what a payment consisted of.';
create index counter_bookings_newest on counter_bookings (booked_at desc, so_id desc) include (warehouse_id);
create index counter_bookings_terminal on counter_bookings (terminal_id, booked_at desc, so_id desc);
create index counter_bookings_cashier on counter_bookings (cashier_id, booked_at desc, so_id desc);

create table counter_sale_units (
  so_id integer not null references sales_orders on delete cascade,
  place smallint not null,
  item_id integer not null,
  warehouse_code text not null,
  bin_code text not null,
  bin_id integer,
  lot_number text,
  expiry_date date,
  quantity integer not null check (quantity > 0),
  primary key (so_id, place)
);
comment on table counter_sale_units is
  'The bins and lots that the units of a counter sale came from, as they were called then; a bin may be gone.';

create function book_as_logged(entry audit_log) returns void language plpgsql as $$
begin
  insert into counter_bookings (so_id, is_refund, warehouse_id, cashier_id, terminal_id, token, payment_method,
    total_cents, tenders, booked_at)
  select so_id, entry.action_type = 'POS_REFUND', entry.warehouse_id, entry.user_id, entry.details->>'terminal_id',
    entry.details->>'token', entry.details->>'payment_method', (entry.details->>'total_cents')::bigint,
    case jsonb_typeof(entry.details->'tenders') when 'array' then entry.details->'tenders' else '[]' end,
    entry.created_at
  from sales_orders where so_id = entry.entity_id
  on conflict (so_id) do nothing;
  if entry.action_type = 'POS_CHECKOUT' then
    insert into counter_sale_units (so_id, place, item_id, warehouse_code, bin_code, bin_id, lot_number,
      expiry_date, quantity)
    select so_id, row_number() over (order by place, coalesce(n, 0)), (line->>'item_id')::int,
      line->>'warehouse_id', line->>'bin_id', (lot->>'bin_id')::int, lot->>'lot_number',
      (lot->>'expiry_date')::date, coalesce((lot->>'quantity')::int, (line->>'quantity')::int)
    from sales_orders
    cross join jsonb_array_elements(
      case jsonb_typeof(entry.details->'lines') when 'array' then entry.details->'lines' end)
      with ordinality as l(line, place)
    left join jsonb_array_elements(case jsonb_typeof(line->'lots') when 'array' then line->'lots' end)
      with ordinality as t(lot, n) on true
    where so_id = entry.entity_id and line->>'bin_id' <> '' and line->>'item_id' <> ''
    on conflict (so_id, place) do nothing;
  end if;
end $$;
create function book_from_log() returns trigger language plpgsql as $$
begin
  perform book_as_logged(new);
  return null;
end $$;
comment on function book_from_log is
  'For processes of the release before: while they are replaced, tills book in the audit log alone.';
select book_as_logged(a) from audit_log a
where action_type in ('POS_CHECKOUT', 'POS_REFUND') and entity_type = 'SO' order by log_id;
create trigger audit_log_books after insert on audit_log for each row
  when (new.action_type in ('POS_CHECKOUT', 'POS_REFUND') and new.entity_type = 'SO') execute function book_from_log();

drop index audit_log_pos, audit_log_pos_terminal;

create table webhook_replays (
  replay_id bigint generated always as identity primary key,
  subscription_id uuid not null references webhook_subscriptions on delete cascade,
  made_at timestamptz not null default clock_timestamp()
);
comment on table webhook_replays is
  'Batches of deliveries that were sent again: each of them counts towards limits.';
create index webhook_replays_made on webhook_replays (made_at);
create index webhook_replays_subscription on webhook_replays (subscription_id);

create table mapping_loads (
  source_system text primary key,
  sha256 text not null,
  loaded_at timestamptz not null default now()
);
comment on table mapping_loads is 'The mapping document of each source system that was loaded last.';
insert into mapping_loads (source_system, sha256, loaded_at)
select distinct on (details->>'source_system') details->>'source_system', details->>'sha256', created_at
from audit_log where action_type = 'MAPPING_DOCUMENT_LOAD' and details->>'sha256' <> ''
order by details->>'source_system', log_id desc;
