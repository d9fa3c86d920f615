-- What a source allows is allowed to all processes together. Each of them keeping to it by itself, a burst of shipments
-- was answered 429 until its attempts were used up.

create table connector_rates (
  connector_name varchar(64) not null,
  warehouse_id   int not null references warehouses,
  gap_ms         int not null check (gap_ms >= 0),
  next_at        timestamptz not null,
  until          timestamptz not null,
  primary key (connector_name, warehouse_id)
);
create index connector_rates_warehouse on connector_rates (warehouse_id);
comment on table connector_rates is
  'Sources that allow little more at the moment: until a time, each request takes the next turn, a gap apart.';
