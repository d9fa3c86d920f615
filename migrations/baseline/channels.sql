-- Channels: shops that are told what is available.

create table channels (
  channel_id            varchar(64)   primary key,
  display_name          varchar(128)  not null,
  delivery_url          varchar(2048) not null check (delivery_url ~* '^https{0,1}://'),
  sku_scope             jsonb         not null default '{}'::jsonb,
  transform             jsonb         not null default '{}'::jsonb,
  status                varchar(16)   not null default 'active' check (status in ('active', 'paused', 'revoked')),
  pause_reason          varchar(32)
    check (pause_reason in ('manual', 'pending_ceiling', 'dlq_ceiling', 'malformed_config')),
  rate_limit_per_second integer       not null default 10,
  batch_size            integer       not null default 100 check (batch_size >= 1 and batch_size <= 1000),
  debounce_seconds      integer       not null default 30,
  pending_ceiling       integer       not null default 100000
    check (pending_ceiling >= 100 and pending_ceiling <= 1000000),
  dlq_ceiling           integer       not null default 1000 check (dlq_ceiling >= 10 and dlq_ceiling <= 100000),
  whole_after           integer,
  failures              integer       not null default 0,
  retry_at              timestamptz,
  last_error            varchar(512),
  last_published_at     timestamptz,
  created_at            timestamptz   not null default now(),
  updated_at            timestamptz   not null default now(),
  constraint channels_paused_with_reason check ((status = 'paused') = (pause_reason is not null)),
  constraint channels_rate_check check (rate_limit_per_second >= 1 and rate_limit_per_second <= 1000),
  constraint channels_debounce_check check (debounce_seconds >= 0 and debounce_seconds <= 3600),
  constraint channels_retry_after_failures check ((failures > 0) = (retry_at is not null))
) with (fillfactor=50);
comment on table channels is 'Shops and marketplaces that are told how many units of each item can be sold.';
comment on column channels.whole_after is
  'The whole availability is being marked as due, up to this item; null when it is done. Zero begins it: at creation, '
  'when the channel is resumed, and when it gets another scope, transform or URL.';
comment on column channels.failures is 'Requests that failed, one after the other; a success ends them.';
comment on column channels.retry_at is 'Nothing is sent before this time, because the last request failed.';
comment on column channels.updated_at is
  'Set by every change of the channel or its secrets: a sender uses what it has read as long as this is the same.';
create function note_stock() returns trigger language plpgsql security definer set search_path to 'public', 'pg_temp'
  as $$
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
comment on function note_stock() is
  'Changes of stock and of items are noted from now on. It waits for all who are writing to them, and others wait for '
  'its commit, so that none of them is missed.';
create trigger channels_note_stock_new after insert on channels
  for each row
  when (new.status = 'active')
  execute function note_stock();
create trigger channels_note_stock_resumed after update on channels
  for each row
  when (new.status = 'active' and old.status <> 'active')
  execute function note_stock();

create table channel_secrets (
  channel_id        varchar(64) not null references channels,
  generation        smallint    not null check (generation in (1, 2)),
  secret_ciphertext text        not null,
  created_at        timestamptz not null default now(),
  expires_at        timestamptz,
  primary key (channel_id, generation),
  constraint channel_secrets_old_one_expires check ((generation = 2) = (expires_at is not null))
);
comment on table channel_secrets is
  'Sealed under SERVICE_ENCRYPTION_KEY. Generation 1 signs; 2 is the one before, for 24 hours.';

create table channel_items (
  channel_id  varchar(64)  not null references channels,
  item_id     integer      not null,
  sku         varchar(128) not null,
  available   bigint       not null check (available >= 0),
  version     bigint       not null,
  in_scope    boolean      not null,
  dirty_since timestamptz,
  due_at      timestamptz,
  attempts    smallint     not null default 0,
  parked      boolean      not null default false,
  last_error  varchar(512),
  primary key (channel_id, sku),
  constraint channel_items_due_when_dirty check ((due_at is not null) = (dirty_since is not null and not parked))
) with (fillfactor=70);
comment on table channel_items is
  'One row per channel and SKU: what the channel has been told, or is to be told next, and the version of that.';
comment on column channel_items.item_id is
  'The item that has the SKU, or had it last, which may be deleted: the SKU is then told as not available.';
comment on column channel_items.version is 'Rises with each change, and when the whole availability is sent again.';
comment on column channel_items.in_scope is
  'Whether the channel wants the item. One that left its scope is published once more, as not available.';
comment on column channel_items.dirty_since is 'The first change that the channel has not been told.';
comment on column channel_items.due_at is 'When it is to be sent: after the debounce, or after a failed attempt.';
comment on column channel_items.parked is
  'All attempts failed. It is tried anew when its availability changes, or the whole is sent again.';
create index channel_items_due on channel_items (channel_id, due_at, item_id) where due_at is not null;
create index channel_items_item on channel_items (item_id, channel_id);
create index channel_items_parked on channel_items (channel_id, item_id) where parked;

create table availability_changes (
  item_id integer,
  bin_id  integer,
  constraint availability_changes_of_one check (num_nonnulls(item_id, bin_id) = 1)
)
  with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000, autovacuum_vacuum_insert_threshold=-1,
  autovacuum_analyze_threshold=1000000);
comment on table availability_changes is
  'Items whose available units may have changed, and bins whose items may have. Written by triggers, and taken by one '
  'worker at a time, after the commit. It has no index and no key, so that those who write it neither wait for each '
  'other nor pay for more than the row.';

create function stop_noting_stock() returns void language plpgsql security definer set search_path to 'public',
  'pg_temp' as $$
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
comment on function stop_noting_stock() is
  'No change of stock or of an item is noted any more if no channel is active. While they are being written it does '
  'nothing.';
