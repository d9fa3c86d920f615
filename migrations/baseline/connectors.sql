-- Connectors: what is fetched from shops, and what they are told.

create table connector_credentials (
  connector_name  varchar(64)  not null,
  warehouse_id    integer      not null references warehouses,
  credential_key  varchar(128) not null,
  encrypted_value text         not null,
  credential_type varchar(32)  not null default 'connector_api_key',
  created_at      timestamptz  not null default now(),
  updated_at      timestamptz  not null default now(),
  primary key (connector_name, warehouse_id, credential_key)
);
comment on table connector_credentials is
  'The configuration of a connector for a warehouse, each field sealed under SERVICE_ENCRYPTION_KEY.';
create index connector_credentials_warehouse on connector_credentials (warehouse_id);

create table connector_shops (
  connector_name varchar(64) not null,
  warehouse_id   integer     not null references warehouses,
  shop_no        integer     not null,
  shop           text        not null,
  is_current     boolean     not null,
  primary key (connector_name, warehouse_id, shop_no),
  unique (connector_name, warehouse_id, shop)
);
comment on table connector_shops is
  'The shops that a connector leads to or has led to, by host and path. Links of one that is not current have the '
  'source system <connector>-<warehouse id>@<shop_no>, until it is current again.';
create unique index connector_shops_current on connector_shops (connector_name, warehouse_id) where is_current;
create index connector_shops_warehouse on connector_shops (warehouse_id);

create table connector_schedules (
  connector_name   varchar(64) not null,
  warehouse_id     integer     not null references warehouses,
  sync_type        varchar(32) not null check (sync_type in ('orders', 'items', 'inventory', 'fulfillment')),
  interval_minutes integer     check (interval_minutes >= 1 and interval_minutes <= 10080),
  enabled          boolean     not null default true,
  updated_at       timestamptz not null default now(),
  primary key (connector_name, warehouse_id, sync_type)
);
comment on table connector_schedules is 'How often a type is synced; each row has a Temporal schedule.';
create index connector_schedules_warehouse on connector_schedules (warehouse_id);

create table connector_circuits (
  connector_name varchar(64) not null,
  warehouse_id   integer     not null references warehouses,
  failures       integer     not null default 0 check (failures >= 0),
  open_until     timestamptz,
  trial_until    timestamptz,
  primary key (connector_name, warehouse_id)
);
comment on table connector_circuits is
  'The circuit breaker of each source, shared by all processes: open after five failed requests in a row.';
comment on column connector_circuits.trial_until is
  'Until then the one request is under way that decides whether the circuit closes.';
create index connector_circuits_warehouse on connector_circuits (warehouse_id);

create table connector_rates (
  connector_name varchar(64) not null,
  warehouse_id   integer     not null references warehouses,
  gap_ms         integer     not null check (gap_ms >= 0),
  next_at        timestamptz not null,
  until          timestamptz not null,
  primary key (connector_name, warehouse_id)
);
comment on table connector_rates is
  'Sources that allow little more at the moment: until a time, each request takes the next turn, a gap apart.';
create index connector_rates_warehouse on connector_rates (warehouse_id);

create table sync_state (
  connector_name     varchar(64)  not null,
  warehouse_id       integer      not null references warehouses,
  sync_type          varchar(32)  not null check (sync_type in ('orders', 'items', 'inventory', 'fulfillment')),
  sync_status        varchar(16)  not null default 'idle' check (sync_status in ('idle', 'running', 'error')),
  running_since      timestamptz,
  run_id             uuid,
  workflow_id        text,
  watermark          timestamptz,
  last_synced_at     timestamptz,
  last_success_at    timestamptz,
  last_error_at      timestamptz,
  last_error_message varchar(500),
  consecutive_errors integer      not null default 0 check (consecutive_errors >= 0),
  primary key (connector_name, warehouse_id, sync_type),
  constraint sync_state_running_whole
    check ((sync_status = 'running') = (running_since is not null) and (running_since is null) = (run_id is null) and
    (run_id is null) = (workflow_id is null))
);
comment on table sync_state is 'How the last sync of each type went, and which run is under way.';
comment on column sync_state.run_id is
  'Of the run that holds the row. One that was taken over no longer finds its id here, and writes nothing more.';
comment on column sync_state.watermark is
  'The newest change that was read, by the clock of the source: the next run begins a little before it.';
create index sync_state_running on sync_state (running_since) where sync_status = 'running';
create index sync_state_warehouse on sync_state (warehouse_id);

create table sync_runs (
  run_id         uuid         primary key,
  connector_name varchar(64)  not null,
  warehouse_id   integer      not null references warehouses,
  sync_type      varchar(32)  not null check (sync_type in ('orders', 'items', 'inventory', 'fulfillment')),
  workflow_id    text         not null,
  status         varchar(16)  not null default 'running'
    check (status in ('running', 'completed', 'failed', 'cancelled', 'superseded')),
  started_at     timestamptz  not null,
  ended_at       timestamptz,
  pages          integer      not null default 0,
  read           integer      not null default 0,
  written        integer      not null default 0,
  known          integer      not null default 0,
  refused        integer      not null default 0,
  failures       integer      not null default 0,
  error_message  varchar(500),
  constraint sync_runs_end_with_status check ((status = 'running') = (ended_at is null))
);
comment on table sync_runs is 'Runs of connectors that fetched what had changed of one type of records.';
comment on column sync_runs.status is 'superseded: its row of sync_state was reset, or another run took it over.';
comment on column sync_runs.pages is 'Read so far, as the counts of records are; a run that failed reads on.';
comment on column sync_runs.failures is 'Attempts that failed; a run has several.';
create index sync_runs_of_connector on sync_runs (warehouse_id, connector_name, started_at);
create index sync_runs_running on sync_runs (warehouse_id, connector_name, sync_type) where status = 'running';
create index sync_runs_started on sync_runs (started_at);

create table connector_refusals (
  connector_name   varchar(64)  not null,
  warehouse_id     integer      not null references warehouses,
  sync_type        varchar(32)  not null check (sync_type in ('orders', 'items', 'inventory', 'fulfillment')),
  external_id      varchar(128) not null,
  external_version varchar(64)  not null,
  record           jsonb        not null,
  error_kind       varchar(64)  not null,
  error_message    varchar(500) not null,
  attempts         integer      not null default 1 check (attempts > 0),
  first_refused_at timestamptz  not null default now(),
  last_refused_at  timestamptz  not null default now(),
  refusal_id       bigint       generated by default as identity,
  primary key (connector_name, warehouse_id, sync_type, external_id),
  constraint connector_refusals_id unique (refusal_id)
);
comment on table connector_refusals is
  'Records of a source that could not be written, such as an order of an unknown item. Each run tries them again.';
comment on column connector_refusals.refusal_id is 'Names a row by one value, as lists do.';
create index connector_refusals_old on connector_refusals (first_refused_at);
create index connector_refusals_warehouse on connector_refusals (warehouse_id);

create table connector_passed_over (
  connector_name   varchar(64)  not null,
  warehouse_id     integer      not null references warehouses,
  sync_type        varchar(16)  not null,
  external_id      varchar(128) not null,
  external_version varchar(64)  not null,
  passed_at        timestamptz  not null default now(),
  primary key (connector_name, warehouse_id, sync_type, external_id)
);
comment on table connector_passed_over is
  'The newest versions of records that are not here and that webhooks told the end of; older ones are no news.';
create index connector_passed_over_old on connector_passed_over (passed_at);
create index connector_passed_over_warehouse on connector_passed_over (warehouse_id);

create table connector_stock (
  connector_name varchar(64)  not null,
  warehouse_id   integer      not null references warehouses,
  item           varchar(128) not null,
  bin_code       varchar(64)  not null,
  quantity       integer      not null,
  primary key (connector_name, warehouse_id, item, bin_code)
);
comment on table connector_stock is
  'How many units of an item a bin held by the last word of a source that has no versions.';
create index connector_stock_warehouse on connector_stock (warehouse_id);

create table fulfillment_pushes (
  push_id          bigint         generated by default as identity primary key,
  kind             varchar(8)     not null check (kind in ('ship', 'void')),
  connector_name   varchar(64)    not null,
  warehouse_id     integer        not null references warehouses,
  so_id            integer        not null references sales_orders,
  fulfillment_id   integer        not null references item_fulfillments,
  source_order_id  varchar(128)   not null,
  tracking_numbers varchar(255)[] not null,
  carrier          varchar(100)   not null,
  service_level    varchar(100),
  shipped_at       timestamptz    not null,
  status           varchar(16)    not null default 'pending'
    check (status in ('pending', 'pushed', 'failed', 'skipped')),
  attempts         integer        not null default 0 check (attempts >= 0),
  external_id      varchar(255),
  last_error       varchar(500),
  created_at       timestamptz    not null default now(),
  updated_at       timestamptz    not null default now(),
  started_at       timestamptz,
  claimed_until    timestamptz,
  completed_at     timestamptz,
  former_shop      text,
  constraint fulfillment_pushes_once unique (fulfillment_id, kind),
  constraint fulfillment_pushes_ended_with_time check ((status = 'pending') = (completed_at is null))
);
comment on table fulfillment_pushes is
  'A shipment, or its void, that the shop which an order came from is told of. Those of one order of the shop, its '
  'backorders included, go one after the other.';
comment on column fulfillment_pushes.source_order_id is
  'The order by the id of its source; of a backorder, the order that it was split off.';
comment on column fulfillment_pushes.attempts is
  'Attempts that began: from the first one on the source may know of it, whatever came of it.';
comment on column fulfillment_pushes.external_id is
  'The id of the fulfilment by its source, by which a void takes it back.';
comment on column fulfillment_pushes.started_at is
  'When a worker took it up. Null for one that is new, is to be tried again, or waits for an earlier one of its order.';
comment on column fulfillment_pushes.claimed_until is
  'For workers of 0.3.0, which know no locks of destinations: they leave the push alone until then.';
comment on column fulfillment_pushes.former_shop is
  'The shop that the order is of, where its connector leads to another one now, which is told nothing of it.';
create index fulfillment_pushes_connector on fulfillment_pushes (connector_name, push_id);
create index fulfillment_pushes_order on fulfillment_pushes (source_order_id, push_id);
create index fulfillment_pushes_so on fulfillment_pushes (so_id, push_id);
create index fulfillment_pushes_status on fulfillment_pushes (status, push_id);
create index fulfillment_pushes_updated on fulfillment_pushes (updated_at, push_id);
create index fulfillment_pushes_warehouse on fulfillment_pushes (warehouse_id, push_id);

create table fulfillment_push_progress (
  only_row boolean default true primary key,
  event_id bigint  not null,
  constraint fulfillment_push_progress_one check (only_row)
);
comment on table fulfillment_push_progress is 'The newest event whose pushes were written.';

insert into fulfillment_push_progress (event_id) values (0);
