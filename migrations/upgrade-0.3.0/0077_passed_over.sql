-- Webhooks come out of order: the cancellation of an order before the order. It is passed over, as there is nothing to
-- cancel, and its version is kept, so that the older one that follows is known as such.

create table connector_passed_over (
  connector_name   varchar(64) not null,
  warehouse_id     int not null references warehouses,
  sync_type        varchar(16) not null,
  external_id      varchar(128) not null,
  external_version varchar(64) not null,
  passed_at        timestamptz not null default now(),
  primary key (connector_name, warehouse_id, sync_type, external_id)
);
create index connector_passed_over_warehouse on connector_passed_over (warehouse_id);
create index connector_passed_over_old on connector_passed_over (passed_at);
comment on table connector_passed_over is
  'The newest versions of records that are not here and that webhooks told the end of; older ones are no news.';
